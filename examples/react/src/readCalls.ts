// Reads a reply, and gives its calls when they begin: each has a reader of its
// arguments, which `FilePreview.tsx` shows while they are written.
import { type ArgumentsCall, CallArguments } from 'tokenweir/args'
import { type ReplySource, readReply } from 'tokenweir'

/** What the model may call. */
export const tools = {
  write_file: { type: 'object', properties: { path: { type: 'string' }, content: { type: 'string' } }, required: ['path', 'content'] },
} as const

export type Call = ArgumentsCall<typeof tools>

/** Resolves at the end of the reply, and rejects if it breaks. */
export async function readCalls(source: ReplySource, onCall: (call: Call) => void): Promise<void> {
  const calls = new CallArguments({ tools, onCall })
  try {
    for await (const emission of readReply(source)) {
      if (emission.kind === 'content') calls.chunk(emission.text, emission.meta)
      else if (emission.kind === 'blockEvent') calls.block(emission.event)
    }
  } finally {
    // What is open now was cut off.
    calls.end()
  }
}
