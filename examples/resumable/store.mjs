// A stream in Redis: the text that its readers get, and what a server needs to read on.
//
//     stream:{id}        a hash: request, chunk (how many have been read), snapshot, fence, ended
//     stream:{id}:log    a Redis stream: the visible text of each chunk; its id is the number of the chunk
//     stream:{id}:lease  is there while a server reads the model, and expires if that server doesn't renew it
//     streams            a set: the ids of the streams that haven't ended
//
// A server claims a stream before it reads it. The lease keeps two servers from doing the
// same work, but alone it isn't safe: a server that was suspended wakes up and still
// believes that the stream is its own. So each claim gets a number, the fence, which is
// higher than that of the claim before, and a commit with an older one is refused. A commit
// also names its chunk, which must be the next one: none is appended twice, none is left out.
//
// If the connection to Redis breaks, nobody knows whether the last command was done. So each
// is one that may be sent again: a commit of the chunk that is stored last changes nothing.
import { setTimeout as wait } from 'node:timers/promises'
import { ErrorReply } from 'redis'

/** A reply that is wanted; a second time it is there. */
const CREATE = `
  local state, streams = KEYS[1], KEYS[2]
  local id, request = unpack(ARGV)
  if redis.call('EXISTS', state) == 1 then return 0 end
  redis.call('HSET', state, 'request', request, 'chunk', 0)
  redis.call('SADD', streams, id)
  return 1`

/** The server that claims: its fence, the chunks that have been read, the snapshot after them, and the request to the model. */
const CLAIM = `
  local state, lease, milliseconds = KEYS[1], KEYS[2], ARGV[1]
  if redis.call('EXISTS', state) == 0 or redis.call('HEXISTS', state, 'ended') == 1 then return 'ended' end
  if not redis.call('SET', lease, '', 'NX', 'PX', milliseconds) then return 'taken' end
  redis.call('HINCRBY', state, 'fence', 1)
  return redis.call('HMGET', state, 'fence', 'chunk', 'snapshot', 'request')`

/** Text, snapshot and number of a chunk: all of them or, in a claim that is over, none. */
const COMMIT = `
  local state, log, lease = KEYS[1], KEYS[2], KEYS[3]
  local fence, chunk, text, snapshot, by, milliseconds = unpack(ARGV)
  if redis.call('HGET', state, 'fence') ~= fence then return 0 end
  if redis.call('HGET', state, 'chunk') == chunk then return 1 end
  if redis.call('HGET', state, 'chunk') + 1 ~= tonumber(chunk) then return 0 end
  if text ~= '' then redis.call('XADD', log, chunk .. '-0', 'text', text, 'by', by) end
  redis.call('HSET', state, 'chunk', chunk, 'snapshot', snapshot)
  redis.call('SET', lease, '', 'PX', milliseconds)
  return 1`

/** The same for the end. Nobody needs the snapshot any more; readers may come for a day. */
const END = `
  local state, log, lease = KEYS[1], KEYS[2], KEYS[3]
  local fence, chunk, text, by = unpack(ARGV)
  if redis.call('HGET', state, 'fence') ~= fence then return 0 end
  if redis.call('HEXISTS', state, 'ended') == 1 then return 1 end
  if redis.call('HGET', state, 'chunk') + 1 ~= tonumber(chunk) then return 0 end
  redis.call('XADD', log, chunk .. '-0', 'text', text, 'by', by, 'ended', '1')
  redis.call('HSET', state, 'chunk', chunk, 'ended', '1')
  redis.call('HDEL', state, 'snapshot')
  redis.call('DEL', lease)
  for _, key in ipairs({ state, log }) do redis.call('EXPIRE', key, 86400) end
  return 1`

/** Keeps the lease while the model is silent. */
const RENEW = `
  if redis.call('HGET', KEYS[1], 'fence') ~= ARGV[1] then return 0 end
  redis.call('SET', KEYS[2], '', 'PX', ARGV[2])
  return 1`

export class StreamStore {
  #redis
  #by
  #lease

  /** `by` is this server's name in the log; `lease` is how long a claim lasts without a commit, in milliseconds. */
  constructor(redis, { by, lease }) {
    this.#redis = redis
    this.#by = String(by)
    this.#lease = String(lease)
  }

  /** Writes down that a reply is wanted. Whichever server claims it reads it. */
  async create(id, request) {
    await this.#send((redis) => redis.eval(CREATE, { keys: [keys(id).state, 'streams'], arguments: [id, JSON.stringify(request)] }))
  }

  /** The streams that haven't ended. */
  open() {
    return this.#send((redis) => redis.sMembers('streams'))
  }

  /** Claims a stream, or returns undefined: another server has it, or it has ended. */
  async claim(id) {
    const { state, lease } = keys(id)
    // Sent again it may be taken, by a claim whose answer was lost: until its lease is over.
    const reply = await this.#send((redis) => redis.eval(CLAIM, { keys: [state, lease], arguments: [this.#lease] }))
    if (reply === 'ended') await this.#send((redis) => redis.sRem('streams', id))
    if (!Array.isArray(reply)) return undefined
    const [fence, chunk, snapshot, request] = reply
    return { id, fence, chunk: Number(chunk), snapshot: snapshot === null ? undefined : JSON.parse(snapshot), request: JSON.parse(request) }
  }

  /** Stores what a chunk has changed. False means that another server has claimed the stream, and nothing was stored. */
  async commit({ id, fence }, { chunk, text, snapshot }) {
    const { state, log, lease } = keys(id)
    const commit = { keys: [state, log, lease], arguments: [fence, String(chunk), text, JSON.stringify(snapshot), this.#by, this.#lease] }
    return 1 === (await this.#send((redis) => redis.eval(COMMIT, commit)))
  }

  /** Stores the last text, which came with the end. */
  async end({ id, fence }, { chunk, text }) {
    const { state, log, lease } = keys(id)
    const end = { keys: [state, log, lease], arguments: [fence, String(chunk), text, this.#by] }
    const ended = 1 === (await this.#send((redis) => redis.eval(END, end)))
    if (ended) await this.#send((redis) => redis.sRem('streams', id))
    return ended
  }

  /** False if another server has claimed the stream. */
  async renew({ id, fence }) {
    const { state, lease } = keys(id)
    return 1 === (await this.#send((redis) => redis.eval(RENEW, { keys: [state, lease], arguments: [fence, this.#lease] })))
  }

  /** Whether there is such a stream, and whether a reader who has all text up to this chunk needs anything more. */
  async status(id, after) {
    const [chunk, ended] = await this.#send((redis) => redis.hmGet(keys(id).state, ['chunk', 'ended']))
    if (chunk === null) return 'unknown'
    return ended !== null && Number(chunk) <= after ? 'complete' : 'open'
  }

  /** Sends a command, and again if the connection breaks: the client connects again, and Redis may be reading its file then. */
  async #send(command, redis = this.#redis) {
    for (;;) {
      try {
        return await command(redis)
      } catch (error) {
        if (!redis.isOpen || (error instanceof ErrorReply && !error.message.startsWith('LOADING'))) throw error
        await wait(20)
      }
    }
  }

  /** Yields the text after a chunk, what is stored and what follows, up to the end. */
  async *follow(id, after, signal) {
    // A command that waits needs a connection of its own.
    const reader = this.#redis.duplicate().on('error', () => {})
    const leave = () => reader.destroy()
    await reader.connect()
    signal.addEventListener('abort', leave)
    try {
      for (let last = after; !signal.aborted; ) {
        const [{ messages }] = await this.#send(() => reader.xRead({ key: keys(id).log, id: `${last}-0` }, { BLOCK: 0, COUNT: 100 }), reader)
        for (const { id, message: { text, by, ended } } of messages) {
          last = Number.parseInt(id)
          yield { chunk: last, text, by, ended: ended !== undefined }
          if (ended) return
        }
      }
    } catch (error) {
      if (!signal.aborted) throw error
    } finally {
      signal.removeEventListener('abort', leave)
      if (reader.isOpen) reader.destroy()
    }
  }
}

/** The braces keep a stream's keys together in a Redis cluster. */
function keys(id) {
  return { state: `stream:{${id}}`, log: `stream:{${id}}:log`, lease: `stream:{${id}}:lease` }
}
