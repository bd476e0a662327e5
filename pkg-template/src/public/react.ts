// The public names for React.
export { type ReplyStart, type ReplyState, type UseReply, useReply } from '../react.js'
