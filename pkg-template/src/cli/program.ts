// The commands, their options and their help.

import { createRequire } from 'node:module'
import { Argument, Command } from 'commander'
import { blocks } from './commands/blocks.js'
import { fields } from './commands/fields.js'
import { segments } from './commands/segments.js'
import { toolCalls } from './commands/tool-calls.js'
import { visible } from './commands/visible.js'
import type { CommandSpec } from './front.js'
import { type SharedOptions, sharedOptions } from './options.js'
import { run } from './run.js'

/** The commands, in the order of the help. */
export const COMMANDS: readonly CommandSpec[] = [blocks, segments, fields, toolCalls, visible]

const HELP = `
Input is a file or standard input, read while it arrives. It is raw text, or a recording of a stream, which
is known by its first lines: Anthropic's messages, OpenAI's chat completions and Responses, AI SDK parts and
UI messages, as server-sent events (sse) or one JSON object a line (jsonl), or AI SDK 4's data stream.

In a terminal output is coloured: NO_COLOR and FORCE_COLOR are heeded. Otherwise it is one event a line.

Exit codes: 0 all was read; 1 the input can't be read or has a fault; 2 the command line makes no sense.

Each command has its own options: tokenweir blocks --help`

/** The program. What it can't make sense of is thrown as commander's `CommanderError`. */
export function program(): Command {
  const program = new Command('tokenweir')
    .description('Tells what is in the text of a language model, while it comes.')
    .usage('<command> [file] [options]')
    .version(version(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    .addHelpText('after', HELP)
    .configureHelp({ helpWidth: 110 })
    // The sentence is ours to write: see main.ts.
    .configureOutput({ outputError: () => {} })
    .exitOverride()
  for (const spec of COMMANDS) program.addCommand(commandOf(spec).copyInheritedSettings(program))
  return program
}

function commandOf({ name, summary, details, example, options, load }: CommandSpec): Command {
  const command = new Command(name).summary(summary).description(`Tells ${summary}.\n\n${details}`)
  command.addArgument(new Argument('[file]', 'what to read; standard input without it, or with -'))
  for (const option of [...options, ...sharedOptions()]) command.addOption(option)
  return command
    .helpOption('-h, --help', 'print this help')
    .addHelpText('after', `\nExample:\n${example}\n\nExit codes: 0 all was read; 1 the input can't be read or has a fault; 2 the command line makes no sense.`)
    .action(async (file: string | undefined, given: SharedOptions) => run(await load({ ...given }), file, given))
}

function version(): string {
  const { version } = createRequire(import.meta.url)('tokenweir/package.json') as { readonly version: string }
  return version
}
