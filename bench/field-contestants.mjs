/**
 * The contestants of the field bench, and how each emits the fields of a document as it arrives.
 *
 * `follow(chunks, take)` reads a stream with a new parser and returns the final value, or a promise of it.
 * It calls `take(path, value, delta, done)` for each piece of a leaf's value, and with `done` for each
 * whole value but the root's. All emit the same, with two exceptions that the other libraries force: those
 * that parse all text anew can't say that a value is whole before something comes after it, and `order` has
 * another rule for it.
 *
 * The peers have it easier: their paths stay what their interface gives, keys in an array, where ours
 * are a string with the wildcards' form beside it, and no object is made for their events.
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

/** A loop for one set of options: a shared one would see the events of all of them, in unlike shapes. */
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

/** Fed in the way that jsonriver is. */
async function followStream(parser, chunks, take) {
  for await (const event of parser.parseStream(sourceOf(chunks))) take(event.path, event.value, event.delta, event.isComplete)
  return parser.data
}

/** The chunks as an async iterable, with as little around them as there can be. */
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
 * Its callback emits whole values. It emits nothing for an open string, so that has to be
 * found in the value that it yields: the last member of the last member and so on, which it promises to be
 * the only one that changes. While it stays open, nothing is searched.
 */
async function followJsonriver(chunks, take) {
  /** Path of the value that was whole last: what has begun since is after it, below the same parent. */
  let last
  /** The open string: where it is, and how much of it was emitted. */
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

/** It gives all of an open string at each chunk's end, and of a whole value the keys above it. */
function followStreamparser(chunks, take) {
  const parser = new JSONParser({ emitPartialTokens: true, emitPartialValues: true })
  let root
  let path
  let emitted = 0
  parser.onValue = ({ value, key, stack, partial }) => {
    if (partial === true) {
      // Keys, the beginning of containers and unfinished numbers come here too.
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
    tellNew(value, top, false, take)
  }
  tellNew(value, top, true, take)
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
    tellNew(value, top, false, take)
  }
  tellNew(value, top, true, take)
  return value
}

/** How far a container was emitted: up to its open member, and of that one, how far. */
class Level {
  /** Index of the open member. */
  at = -1
  /** Path of the open member. */
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
 * Emits what a container has that it hadn't when it was parsed before: only the open member at each
 * level, and those after it, are looked at. A member is whole when another one is after it.
 */
function tellNew(container, level, closed, take) {
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
      tellNew(value, level.inner, whole, take)
    } else if (whole) {
      take(level.member, value, value, false)
    }
    if (whole) take(level.member, value, null, true)
  }
}
