// The public names of the main entry: what most programs need of a reply. Each parser has an entry of its own.
export { ParseError } from '../errors.js'
export { version } from '../generated/version.js'
export { Reply, readReply } from '../reply/reply.js'
export { ResponseError } from '../reply/response-error.js'
export { visibleText } from '../reply/visible.js'
export type * from './blocks.js'
export type * from './reply.js'
