// What the command line has of the package besides the entries: a chunk of its own
// (pkg-template/bundle.mjs), which pkg-template/bundle-cli.mjs leaves in its place.

import type { MakeTextReader } from '../native/reading.js'
import type { ReplyReadingOptions } from './options.js'

export { ShownText } from '../blocks/shown-text.js'
export { ParseError } from '../errors.js'
export type { MakeTextReader } from '../native/reading.js'
export { Attempts } from './attempts.js'
export { type SentEvent, eventDecoder } from './events.js'
export { TransportFront, type Transport } from './transport.js'
export { TRANSPORTS } from './options.js'

/** What reads the model's text by the format of the options, as `readReply` does; undefined without one. */
export async function formatReader(options: ReplyReadingOptions): Promise<MakeTextReader | undefined> {
  const [{ openFeed }, { requireReplyOptions }] = await Promise.all([import('./feed.js'), import('./options.js')])
  return (await openFeed('readReply', requireReplyOptions('readReply', options))).reader
}
