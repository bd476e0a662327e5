// Options that commands share, and how their values are read.

import { InvalidArgumentError, Option } from 'commander'
import { FORMATS, type Format } from './input/recognise.js'

/** What every command takes. */
export interface SharedOptions {
  readonly input?: Format | 'auto'
  readonly json?: true
  readonly color?: boolean
  readonly chunk?: number
  readonly pace?: number
  readonly held?: true
}

/** The options that every command has. */
export function sharedOptions(): Option[] {
  return [
    new Option('--input <format>', 'what the input is').choices(['auto', ...FORMATS]).default('auto'),
    new Option('--json', 'one JSON object a line').conflicts('color'),
    new Option('--color', 'coloured view; so too in a terminal'),
    new Option('--no-color', 'one event a line; so too where output is no terminal'),
    new Option('--chunk <units>', 'cut raw text into pieces of so many UTF-16 units').argParser(wholeNumber(1)),
    new Option('--pace <ms>', 'wait between pieces, or events of a recording').argParser(wholeNumber(0)),
    new Option('--held', 'after each piece show what is held back'),
  ]
}

/** `--tags think=thinking --tags thinking=false`, or both in one, with a comma. */
export function tagsOption(): Option {
  return new Option('--tags <name=role>', 'more tags, by role: think=thinking; name=false takes one out; may be repeated').argParser(
    (value: string, before: Readonly<Record<string, string | false>> | undefined) => {
      const tags = value.split(',').map((pair) => {
        const [, name, role] = /^([^=]+)=(.+)$/.exec(pair.trim()) ?? []
        if (name === undefined || role === undefined) throw new InvalidArgumentError('It is a tag and its role, such as think=thinking.')
        return [name, role === 'false' ? false : role] as const
      })
      return { ...before, ...Object.fromEntries(tags) }
    },
  )
}

/** Longest pause that timers can wait. */
const MOST = 2_147_483_647

function wholeNumber(least: number): (value: string) => number {
  return (value) => {
    const number = Number(value)
    if (!/^\d+$/.test(value) || number < least || number > MOST) throw new InvalidArgumentError(`It must be a whole number from ${least} to ${MOST}.`)
    return number
  }
}
