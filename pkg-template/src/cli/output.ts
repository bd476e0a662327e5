// Standard output.

import { once } from 'node:events'
import { FINE, INPUT } from './cli-error.js'

/** A reader that closes the pipe (`| head`) ends the program without an error. */
export function quitWhenClosed(stream: NodeJS.WriteStream): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') process.stderr.write(`tokenweir: cannot write output: ${error.message}\n`)
    process.exit(error.code === 'EPIPE' ? FINE : INPUT)
  })
}

/** Writes text, and waits for a slower reader. */
export async function write(stream: NodeJS.WriteStream, text: string): Promise<void> {
  if (text !== '' && !stream.write(text)) await once(stream, 'drain')
}
