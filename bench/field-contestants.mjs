/**
 * The contestants of the field bench, and how each emits the fields of a document as it arrives.
 *
 * `follow(chunks, take)` reads a stream with a new parser and returns the final value, or a promise of it.
 * It calls `take(path, value, delta, done)` for each piece of a leaf's value, and with `done` for each
 * complete value except the root. All emit the same, with two exceptions: libraries that parse the whole text
 * again can't know that a value is complete before something follows it, and `order` has a different rule.
 *
 * The other libraries have an advantage: their paths stay in their native form, an array of keys, while ours
 * are strings in two forms, and no objects are created for their events.
 */

import { JSONParser } from '@streamparser/json'
import { parsePartialJson } from 'ai'
import { parse as parseRiver } from 'jsonriver'
import { parse as parsePartial } from 'partial-json'

export function peers() {
  return [
    { name: 'jsonriver', follow: followJsonriver },
    { name: '@streamparser/json', follow: followStreamparser },
    { name: 'partial-json', follow: followPartialJson },
    { name: 'parsePartialJson', follow: followParsePartialJson },
  ]
}

export function ours({ StreamingJSONParser }) {
  return [
    { name: 'tokenweir', follow: own(StreamingJSONParser, {}) },
    { name: 'tokenweir spans', follow: own(StreamingJSONParser, { spans: true }) },
    { name: 'tokenweir order', follow: own(StreamingJSONParser, { completion: 'order' }), revises: true },
    { name: 'tokenweir parseStream', follow: (chunks, take) => followStream(new StreamingJSONParser(), chunks, take) },
  ]
}

/** A loop for one set of options: a shared one would see events of different shapes. */
function own(StreamingJSONParser, options) {
  return new Function(
    'StreamingJSONParser',
    'options',
    `return (chunks, take) => {
      const parser = new StreamingJSONParser(undefined, options)
      const emit = (events) => {
        for (let i = 0; i < events.length; i++) {
          const event = events[i]
          if (event.eventType !== 'markup') take(event.path, event.value, event.delta, event.isComplete)
        }
      }
      for (let i = 0; i < chunks.length; i++) emit(parser.parseChunk(chunks[i]))
      emit(parser.finalize())
      return parser.data
    }`,
  )(StreamingJSONParser, options)
}

/** Fed like jsonriver. */
async function followStream(parser, chunks, take) {
  for await (const event of parser.parseStream(sourceOf(chunks))) take(event.path, event.value, event.delta, event.isComplete)
  return parser.data
}

/** The chunks as an async iterable with minimal overhead. */
function sourceOf(chunks) {
  let at = 0
  return {
    [Symbol.asyncIterator]() {
      return this
    },
    next() {
      return Promise.resolve(at < chunks.length ? { done: false, value: chunks[at++] } : { done: true, value: undefined })
    },
  }
}

/**
 * Its callback emits complete values, but nothing for an open string. That must be found in the value that it
 * yields: the last member of the last member and so on, the only one that changes according to its documentation.
 * While it stays open, nothing is searched.
 */
async function followJsonriver(chunks, take) {
  /** The path of the last complete value: a value that has started since follows it, below the same parent. */
  let last
  /** The open string: its path, and how much of it was emitted. */
  let container
  let key
  let path
  let emitted = 0

  const completeCallback = (value, at) => {
    last = at.segments()
    if (last.length === 0) return
    if (typeof value === 'string') {
      if (value.length > emitted) take(last, value, emitted === 0 ? value : value.slice(emitted), false)
      container = undefined
      emitted = 0
    } else if (value === null || typeof value !== 'object') {
      take(last, value, value, false)
    }
    take(last, value, null, true)
  }

  const findOpen = (root) => {
    let from = root
    const way = []
    if (last !== undefined) {
      if (last.length === 0) return
      for (let depth = 0; depth < last.length - 1; depth++) {
        way.push(last[depth])
        from = from[last[depth]]
      }
    }
    for (;;) {
      const end = lastKey(from)
      if (end === undefined || (last !== undefined && way.length === last.length - 1 && end === last[way.length])) return
      way.push(end)
      const value = from[end]
      if (typeof value === 'string') {
        container = from
        key = end
        path = way
      }
      if (value === null || typeof value !== 'object') return
      from = value
    }
  }

  let root
  for await (root of parseRiver(sourceOf(chunks), { completeCallback })) {
    if (container === undefined) findOpen(root)
    if (container === undefined) continue
    const value = container[key]
    if (value.length === emitted) continue
    take(path, value, emitted === 0 ? value : value.slice(emitted), false)
    emitted = value.length
  }
  return root
}

function lastKey(container) {
  if (Array.isArray(container)) return container.length === 0 ? undefined : container.length - 1
  let last
  for (const key in container) last = key
  return last
}

/** It returns all of an open string at each chunk's end, and a complete value with the keys above it. */
function followStreamparser(chunks, take) {
  const parser = new JSONParser({ emitPartialTokens: true, emitPartialValues: true })
  let root
  let path
  let emitted = 0
  parser.onValue = ({ value, key, stack, partial }) => {
    if (partial === true) {
      // Keys, starts of containers and unfinished numbers come here too.
      if (typeof value !== 'string' || value.length === emitted) return
      path ??= pathOf(stack, key)
      take(path, value, emitted === 0 ? value : value.slice(emitted), false)
      emitted = value.length
      return
    }
    if (stack.length === 0) {
      root = value
      return
    }
    path ??= pathOf(stack, key)
    if (typeof value === 'string') {
      if (value.length > emitted) take(path, value, emitted === 0 ? value : value.slice(emitted), false)
    } else if (value === null || typeof value !== 'object') {
      take(path, value, value, false)
    }
    take(path, value, null, true)
    path = undefined
    emitted = 0
  }
  for (let i = 0; i < chunks.length; i++) parser.write(chunks[i])
  return root
}

function pathOf(stack, key) {
  const path = []
  for (let i = 1; i < stack.length; i++) path.push(stack[i].key)
  path.push(key)
  return path
}

function followPartialJson(chunks, take) {
  const top = new Level([])
  let text = ''
  let value
  for (let i = 0; i < chunks.length; i++) {
    text += chunks[i]
    value = parsePartial(text)
    emitNew(value, top, false, take)
  }
  emitNew(value, top, true, take)
  return value
}

async function followParsePartialJson(chunks, take) {
  const top = new Level([])
  let text = ''
  let value
  for (let i = 0; i < chunks.length; i++) {
    text += chunks[i]
    const result = await parsePartialJson(text)
    // It can't complete half a \u escape.
    if (result.state === 'failed-parse') continue
    value = result.value
    emitNew(value, top, false, take)
  }
  emitNew(value, top, true, take)
  return value
}

/** How far a container was emitted: up to its open member, and how far that one was. */
class Level {
  /** The index of the open member. */
  at = -1
  /** The path of the open member. */
  member
  /** If the open member is a string: how much of it was emitted. */
  emitted = 0
  /** If the open member is a container: how far. */
  inner

  constructor(path) {
    this.path = path
  }
}

/**
 * Emits the changes of a container since it was last parsed: only the open member at each level, and those
 * after it, are compared. A member is complete when another one follows it.
 */
function emitNew(container, level, closed, take) {
  const keys = Array.isArray(container) ? undefined : Object.keys(container)
  const count = keys === undefined ? container.length : keys.length
  for (let i = Math.max(level.at, 0); i < count; i++) {
    const key = keys === undefined ? i : keys[i]
    if (i > level.at) {
      level.at = i
      level.member = [...level.path, key]
      level.emitted = 0
      level.inner = undefined
    }
    const value = container[key]
    const whole = closed || i < count - 1
    if (typeof value === 'string') {
      if (value.length > level.emitted) take(level.member, value, value.slice(level.emitted), false)
      level.emitted = value.length
    } else if (value !== null && typeof value === 'object') {
      level.inner ??= new Level(level.member)
      emitNew(value, level.inner, whole, take)
    } else if (whole) {
      take(level.member, value, value, false)
    }
    if (whole) take(level.member, value, null, true)
  }
}
