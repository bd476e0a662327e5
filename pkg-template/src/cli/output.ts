// Standard output.

import { once } from 'node:events'
import { FINE, INPUT } from './fault.js'

/** A reader that has had enough (`| head`) ends the program, and that is no fault. */
export function quitWhenClosed(stream: NodeJS.WriteStream): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') process.stderr.write(`tokenweir: output can't be written: ${error.message}\n`)
    process.exit(error.code === 'EPIPE' ? FINE : INPUT)
  })
}

/** Writes text, and waits where its reader is slower than we are. */
export async function write(stream: NodeJS.WriteStream, text: string): Promise<void> {
  if (text !== '' && !stream.write(text)) await once(stream, 'drain')
}
