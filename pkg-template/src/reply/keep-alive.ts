// What a server sends to keep a connection open, where an event is expected.

/** A comment, a time, or a word that says nothing but that somebody is there, as it is or in brackets. */
const WORD = /^(:.*|\W*(ping|pong|keep[-_ ]?alive|heart[-_ ]?beat|connected)\W*)$/i
const NUMBER = /^\d{10,19}(\.\d+)?$/
const TIME = /^(\d{4}-\d\d-\d\d)?([T ]?\d{1,2}:\d\d(:\d\d)?[\d.,]*( ?[ap]m| ?[+-]\d\d:?\d\d|Z| UTC)?)?$/i
const DATE = /^\w{3},? [\w ,]*\d\d:\d\d:\d\d.*$/i
const KEEP_ALIVE = [WORD, NUMBER, TIME, DATE]

const MAY_BEGIN = /^(:.*|\W*([pkhc\d].*)?)$/i

/** A longer text is not one. */
const LONGEST = 64

/** Whether data, or a line where JSON is expected, only keeps the connection open. */
export function isKeepAlive(data: string): boolean {
  const text = data.trim()
  return text.length <= LONGEST && KEEP_ALIVE.some((form) => form.test(text))
}

/** Whether a reply may begin with such a text; before it is `whole`, whether it may become one. */
export function mayBeKeepAlive(text: string, isWhole = false): boolean {
  return text.length <= LONGEST && MAY_BEGIN.test(text) && (!isWhole || isKeepAlive(text))
}

/** Names of events whose data is the model's text, if it isn't JSON. */
const OF_TEXT = /^(message|text|token|delta|chunk|content|data|completion|response|answer|)$/i

/** Whether an event's name says that it is no part of the model's text. */
export function isOwnName(name = ''): boolean {
  return !OF_TEXT.test(name)
}
