// `npx tokenweir`: the package on the command line.
//
// bundle-cli.mjs bundles it into dist/cli.js. It imports the package by its own
// name, like every user, and only the entry that a command needs.

import { CommanderError } from 'commander'
import { CliError, INPUT, USAGE } from './cli-error.js'
import { oneLine } from './input/files.js'
import { quitWhenClosed } from './run.js'
import { COMMANDS, program } from './program.js'

quitWhenClosed(process.stdout)
try {
  await program().parseAsync()
} catch (error) {
  process.exitCode = report(error)
}

/** Prints an error as one sentence, and returns the exit code. */
function report(error: unknown): number {
  if (error instanceof CommanderError) {
    // Help and version were printed.
    if (error.exitCode === 0) return 0
    if (error.code === 'commander.help') return USAGE
    return complain(sentenceOf(error), USAGE)
  }
  if (error instanceof CliError) return complain(error.message, error.exitCode)
  return complain(`internal error: ${oneLine(error)}`, INPUT)
}

function sentenceOf({ code, message }: CommanderError): string {
  const sentence = message.replace(/^error: /, '').replace(/\s*\n\s*/g, ' ')
  return code === 'commander.unknownCommand'
    ? `${sentence}; the commands are ${COMMANDS.map(({ name }) => name).join(', ')}`
    : sentence
}

function complain(sentence: string, exitCode: number): number {
  process.stderr.write(`tokenweir: ${sentence}\n`)
  return exitCode
}
