/**
 * A reply in a React component. React, 18 or later, is the program's own.
 *
 * @packageDocumentation
 */
export { type ReplyStart, type ReplyState, type UseReply, useReply } from '../react.js'
