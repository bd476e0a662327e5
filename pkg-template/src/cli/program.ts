// The commands, their options and their help.

import { createRequire } from 'node:module'
import { Argument, Command } from 'commander'
import { blocks } from './commands/blocks.js'
import { fields } from './commands/fields.js'
import { grammarCommand } from './commands/grammar.js'
import { segments } from './commands/segments.js'
import { toolCalls } from './commands/tool-calls.js'
import { visible } from './commands/visible.js'
import type { CommandSpec } from './front.js'
import { type SharedOptions, sharedOptions } from './options.js'
import { run } from './run.js'

/** The commands, in the order of the help. */
export const COMMANDS: readonly CommandSpec[] = [blocks, segments, fields, toolCalls, visible]

const HELP = `
Input is a file or standard input, read as it arrives. It is raw text or a recording of a stream, recognized
by its first lines: events of Anthropic, OpenAI (chat completions and Responses), the AI SDK, AG-UI, Gemini,
Google's Interactions, Bedrock, Cohere, Ollama or Mistral, as server-sent events (sse), one JSON object per
line (jsonl) or a JSON array (json). --input json reads a reply that was not streamed, too.

In a terminal, output is coloured, respecting NO_COLOR and FORCE_COLOR. Elsewhere it is one event per line.

Exit codes: 0 success; 1 the input is unreadable or invalid; 2 the command line is invalid.

Each command has its own options: tokenweir blocks --help`

/** The program. It throws usage errors as commander's `CommanderError`. */
export function program(): Command {
  const program = new Command('tokenweir')
    .description('Prints the events in the text of a language model as it arrives.')
    .usage('<command> [file] [options]')
    .version(version(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .addHelpText('after', HELP)
    .configureHelp({ helpWidth: 110 })
    // main.ts writes the message.
    .configureOutput({ outputError: () => {} })
    .exitOverride()
  for (const spec of COMMANDS) program.addCommand(commandOf(spec).copyInheritedSettings(program))
  const grammar = grammarCommand(
    (text) => process.stdout.write(text),
    (text) => process.stderr.write(text),
  )
  program.addCommand(grammar.copyInheritedSettings(program))
  return program
}

function commandOf({ name, summary, details, example, options, load }: CommandSpec): Command {
  const command = new Command(name).summary(summary).description(`Prints ${summary}.\n\n${details}`)
  command.addArgument(new Argument('[file]', 'the input; standard input if missing or -'))
  for (const option of [...options, ...sharedOptions()]) command.addOption(option)
  return command
    .helpOption('-h, --help', 'print this help')
    .addHelpText(
      'after',
      `\nExample:\n${example}\n\nExit codes: 0 success; 1 the input is unreadable or invalid; 2 the command ` +
        `line is invalid.`,
    )
    .action(async (file: string | undefined, given: SharedOptions) => run(() => load({ ...given }), file, given))
}

function version(): string {
  const { version } = createRequire(import.meta.url)('tokenweir/package.json') as { readonly version: string }
  return version
}
