// The loop of an agent that survives what providers do: an overload, a connection that breaks, a reply that is cut by
// its limit of tokens. It is the same for each provider; what differs is in requests.mjs.
import { setTimeout } from 'node:timers/promises'
import { loopMessages } from 'tokenweir/formats'
import { ResponseError, readReply } from 'tokenweir'
import { REQUESTS } from './requests.mjs'

/** How often a request is made before the program gives up, and how many requests an answer may take. */
const ATTEMPTS = 4
const ROUNDS = 20

/** Why a reply ends on its own: of one that only `[DONE]` ended nobody says why. @type {unknown[]} */
const ENDS = ['stop', 'tool-calls', undefined]

/**
 * Asks until the model has an answer.
 *
 * @param {keyof typeof REQUESTS} provider @param {string} server @param {string} question
 * @param {(name: string, args: unknown) => unknown} run runs a tool
 */
export async function answer(provider, server, question, run) {
  const { path, user, body, goOn } = REQUESTS[provider]
  const messages = [user(question)]
  let maxTokens = 2000
  /** A reply whose text goes on in the next one. @type {import('tokenweir').ReplyResult | undefined} */
  let cut
  for (let round = 0; round < ROUNDS; round++) {
    const sent = JSON.stringify(body([...messages, ...(cut?.message ? [cut.message] : [])], maxTokens))
    const headers = { 'content-type': 'application/json' }
    const reply = await whole(() => fetch(server + path, { method: 'POST', headers, body: sent }), cut)
    if (reply.finishReason === 'length') {
      // Text goes on where the API can do that. A call never does, so all of it is asked again, with more room.
      if (goOn && reply.text !== '' && reply.toolCalls.length + reply.problems.length === 0) cut = reply
      else maxTokens *= 2
      continue
    }
    if (!ENDS.includes(reply.finishReason)) throw new Error(`the reply ended by ${reply.finishReason}`)
    cut = undefined
    if (reply.toolCalls.length + reply.problems.length === 0) return reply.text
    const ran = reply.toolCalls.map(({ toolCallId, toolName, args }) => ({ toolCallId, output: run(toolName, args) }))
    messages.push(...loopMessages(reply, ran))
  }
  throw new Error(`no answer after ${ROUNDS} rounds`)
}

/**
 * A reply that came to its end: it is asked again if it did not. Nothing of an attempt that broke off is run or sent.
 *
 * @param {() => Promise<Response>} ask @param {import('tokenweir').ReplyResult | undefined} continues
 */
async function whole(ask, continues) {
  for (let attempt = 1; ; attempt++) {
    const reply = await readReply(ask(), { continues }).result().catch((/** @type {Error} */ error) => error)
    const isWhole = !(reply instanceof Error) && reply.finishReason !== 'interrupted' && reply.finishReason !== 'error'
    if (isWhole) return reply
    const error = reply instanceof Error ? reply : new Error('the reply broke off')
    const { status = 0, headers } = error instanceof ResponseError ? error : {}
    const isFinal = status >= 400 && status < 500 && status !== 408 && status !== 429
    if (isFinal || attempt === ATTEMPTS) throw error
    await setTimeout(Number(headers?.get('retry-after') ?? 2 ** attempt / 10) * 1000)
  }
}
