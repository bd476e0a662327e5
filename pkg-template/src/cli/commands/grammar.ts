// `tokenweir grammar`: what a server may let a model write. It reads no reply.

import { Command, Option } from 'commander'
import type { GrammarOptions } from 'tokenweir/grammar'
import { CliError, USAGE } from '../cli-error.js'
import { formatOf } from '../format.js'
import { toolsIn } from '../tools.js'

type Given = Readonly<Record<string, string | boolean | undefined>>

/** The command; `write` takes what it prints. */
export function grammarCommand(write: (text: string) => void, warn: (text: string) => void): Command {
  return new Command('grammar')
    .summary('a grammar that constrains a model to calls of tools')
    .description('Prints a grammar that constrains a model to calls of tools in its format: docs/constrain.md.')
    .addOption(new Option('--format <id>', 'the wire format: qwen3-coder, kimi-k2, …').makeOptionMandatory())
    .addOption(new Option('--tools <file>', 'JSON file of the tools; without them there are no calls'))
    .addOption(new Option('--as <notation>', 'how it is written').choices(['tag', 'gbnf', 'lark']).default('gbnf'))
    .addOption(new Option('--tool-choice <choice>', 'auto, required, none, or the name of a tool').default('auto'))
    .addOption(new Option('--strict <what>', 'what is held').choices(['schema', 'names', 'free']).default('schema'))
    .addOption(
      new Option('--reasoning <whether>', 'whether there is reasoning')
        .choices(['none', 'optional', 'required', 'open'])
        .default('none'),
    )
    .addOption(new Option('--text <where>', 'text beside calls').choices(['around', 'before', 'none']))
    .addOption(new Option('--no-parallel', 'at most one call'))
    .helpOption('-h, --help', 'print this help')
    .addHelpText('after', '\nExample:\n  $ npx tokenweir grammar --format qwen3-coder --tools tools.json > calls.gbnf')
    .action(async (given: Given) => write(`${await grammarOf(given, warn)}\n`))
}

async function grammarOf(given: Given, warn: (text: string) => void): Promise<string> {
  const { GrammarError, gbnfFor, larkFor, structuralTagFor } = await import('tokenweir/grammar')
  const { as, format, tools: file, toolChoice, parallel, strict, reasoning, text } = given
  const tools = toolsIn(file as string | undefined) ?? []
  const isWord = ['auto', 'required', 'none'].includes(toolChoice as string)
  const options = {
    toolChoice: isWord ? toolChoice : { tool: toolChoice },
    ...{ parallel, strict, reasoning },
    ...(text === undefined ? {} : { text }),
    onWarning: ({ message }: { readonly message: string }) => warn(`tokenweir: ${message}\n`),
  } as GrammarOptions
  const row = await formatOf(format as string)
  try {
    if (as === 'gbnf') return gbnfFor(row, tools, options)
    return as === 'lark' ? larkFor(row, tools, options) : JSON.stringify(structuralTagFor(row, tools, options))
  } catch (error) {
    if (error instanceof GrammarError || error instanceof TypeError) throw new CliError(USAGE, error.message)
    throw error
  }
}
