// `npx tokenweir`: the package on the command line.
//
// Made one file, dist/cli.js, by bundle-cli.mjs. It imports the package by its
// own name, as every user does, and only the entry that a command needs.

import { CommanderError } from 'commander'
import { Fault, INPUT, USE } from './fault.js'
import { oneLine } from './input/files.js'
import { quitWhenClosed } from './output.js'
import { COMMANDS, program } from './program.js'

quitWhenClosed(process.stdout)
try {
  await program().parseAsync()
} catch (error) {
  process.exitCode = report(error)
}

/** Says what is wrong in a sentence, and gives the exit code. */
function report(error: unknown): number {
  if (error instanceof CommanderError) {
    // Help and version were printed.
    if (error.exitCode === 0) return 0
    if (error.code === 'commander.help') return USE
    return complain(sentenceOf(error), USE)
  }
  if (error instanceof Fault) return complain(error.message, error.exitCode)
  return complain(`this should not have happened: ${oneLine(error)}`, INPUT)
}

function sentenceOf({ code, message }: CommanderError): string {
  const sentence = message.replace(/^error: /, '').replace(/\s*\n\s*/g, ' ')
  return code === 'commander.unknownCommand' ? `${sentence}; the commands are ${COMMANDS.map(({ name }) => name).join(', ')}` : sentence
}

function complain(sentence: string, exitCode: number): number {
  process.stderr.write(`tokenweir: ${sentence}\n`)
  return exitCode
}
