// What the command line has of the package besides the entries: a chunk of its own
// (pkg-template/bundle.mjs), which pkg-template/bundle-cli.mjs leaves in its place.

export { ParseError } from '../errors.js'
export { type SentEvent, eventDecoder } from './events.js'
export { TransportFront, type Transport } from './transport.js'
export { TRANSPORTS } from './options.js'
