// The shared options, and the parsing of their values.

import { InvalidArgumentError, Option } from 'commander'
import { TRANSPORTS, type Transport } from '../reply/for-cli.js'

/** The values of the shared options. */
export interface SharedOptions {
  readonly input?: Transport | 'auto'
  readonly json?: true
  readonly color?: boolean
  readonly chunk?: number
}

/** The options that every command has. */
export function sharedOptions(): Option[] {
  return [
    new Option('--input <format>', 'the format of the input').choices(['auto', ...TRANSPORTS]).default('auto'),
    new Option('--json', 'print one JSON object per line').conflicts('color'),
    new Option('--color', 'coloured output; the default in a terminal'),
    new Option('--no-color', 'one event per line; the default outside a terminal'),
    new Option('--chunk <units>', 'cut raw text into chunks of this many UTF-16 units').argParser(units),
  ]
}

/** `--tags think=thinking --tags thinking=false`, or both in one option, separated by a comma. */
export function tagsOption(): Option {
  return new Option(
    '--tags <name=role>',
    'additional tags, by role: think=thinking; name=false removes one; may be repeated',
  ).argParser((value: string, before: Readonly<Record<string, string | false>> | undefined) => {
    const tags = value.split(',').map((pair) => {
      const [, name, role] = /^([^=]+)=(.+)$/.exec(pair.trim()) ?? []
      if (name === undefined || role === undefined)
        throw new InvalidArgumentError('It must be a tag and its role, such as think=thinking.')
      return [name, role === 'false' ? false : role] as const
    })
    return { ...before, ...Object.fromEntries(tags) }
  })
}

/** How markup in Markdown code is read. */
export function fencesOption(how: 'parse' | 'text' = 'parse'): Option {
  return new Option('--fences <how>', 'markup in Markdown code: parse it, or leave it as text')
    .choices(['parse', 'text'])
    .default(how)
}

/** For a model whose prompt has opened the thinking. */
export function startWithThinkingOption(): Option {
  return new Option('--start-with-thinking', 'the text begins inside thinking, which the prompt has opened')
}

/** The longest chunk. */
const MOST = 2_147_483_647

function units(value: string): number {
  const number = Number(value)
  if (!/^\d+$/.test(value) || number < 1 || number > MOST)
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${MOST}.`)
  return number
}
