// A strict reader of GBNF, a judge in tests: it reads what llama.cpp's grammars/README.md says and nothing else, keeps
// stacks as llama.cpp does, and writes texts at random, as a model would along the grammar's masks.

/** The grammar of a text. @throws Error for anything that isn't GBNF, for rules that are missing, and for left recursion */
export function readGbnf(text) {
  const reader = new Reader(text)
  const rules = reader.rules()
  return new Grammar(rules)
}

const NAME = /[a-zA-Z][a-zA-Z0-9-]*/y
const ESCAPES = { n: '\n', r: '\r', t: '\t', '"': '"', '\\': '\\', '[': '[', ']': ']' }

class Reader {
  constructor(text) {
    this.text = text
    this.at = 0
    this.all = new Map()
    this.made = 0
  }

  rules() {
    for (this.space(true); this.at < this.text.length; this.space(true)) {
      const name = this.name()
      this.space(false)
      this.expect('::=')
      this.space(true)
      if (this.all.has(name)) throw this.error(`the rule ${name} is there twice`)
      this.all.set(name, undefined)
      this.all.set(name, this.ways(false))
      if (this.at < this.text.length && this.text[this.at] !== '\n') throw this.error('a rule ends at the line\'s end')
    }
    for (const ways of this.all.values()) for (const way of ways) for (const part of way) if (part.rule !== undefined && !this.all.has(part.rule)) throw new Error(`GBNF: there is no rule ${part.rule}`)
    if (!this.all.has('root')) throw new Error('GBNF: there is no rule root')
    return this.all
  }

  ways(isInside) {
    const ways = [this.way(isInside)]
    for (this.space(isInside); this.text[this.at] === '|'; this.space(isInside)) {
      this.at++
      this.space(true)
      ways.push(this.way(isInside))
    }
    return ways
  }

  way(isInside) {
    const parts = []
    for (;;) {
      this.space(isInside)
      const one = this.one()
      if (one === undefined) return parts
      const times = this.times()
      parts.push(...(times === undefined ? one : [this.repeated(one, ...times)]))
    }
  }

  /** A part, as a list of characters and rules. */
  one() {
    const first = this.text[this.at]
    if (first === '"') return this.literal()
    if (first === '[') return [this.class()]
    if (first === '.') {
      this.at++
      return [{ isNot: true, ranges: [] }]
    }
    if (first === '(') {
      this.at++
      this.space(true)
      const ways = this.ways(true)
      this.space(true)
      this.expect(')')
      return [this.rule(ways)]
    }
    return first !== undefined && /[a-zA-Z]/.test(first) ? [{ rule: this.name() }] : undefined
  }

  literal() {
    this.at++
    const parts = []
    while (this.text[this.at] !== '"') parts.push(only(this.character('"')))
    this.at++
    return parts.length === 0 ? [this.rule([[]])] : parts
  }

  class() {
    this.at++
    const isNot = this.text[this.at] === '^'
    if (isNot) this.at++
    const ranges = []
    while (this.text[this.at] !== ']') {
      const first = this.character(']')
      if (this.text[this.at] === '-' && this.text[this.at + 1] !== ']') {
        this.at++
        const last = this.character(']')
        if (last < first) throw this.error('a range is upside down')
        ranges.push([first, last])
      } else ranges.push([first, first])
    }
    this.at++
    if (ranges.length === 0) throw this.error('a class is empty')
    return { isNot, ranges }
  }

  character(end) {
    const code = this.text.codePointAt(this.at)
    if (code === undefined || code === 10) throw this.error(`no ${end} before the line's end`)
    this.at += code > 0xffff ? 2 : 1
    if (code !== 92) return code
    const letter = this.text[this.at++] ?? ''
    const digits = { x: 2, u: 4, U: 8 }[letter]
    if (digits === undefined) {
      if (!Object.hasOwn(ESCAPES, letter)) throw this.error(`the escape \\${letter} is unknown`)
      return ESCAPES[letter].codePointAt(0)
    }
    const hex = this.text.slice(this.at, this.at + digits)
    if (!new RegExp(`^[0-9a-fA-F]{${digits}}$`).test(hex)) throw this.error(`\\${letter} needs ${digits} digits`)
    this.at += digits
    return Number.parseInt(hex, 16)
  }

  times() {
    const sign = this.text[this.at]
    if (sign === '*' || sign === '+' || sign === '?') {
      this.at++
      return { '*': [0], '+': [1], '?': [0, 1] }[sign]
    }
    if (sign !== '{') return undefined
    const match = /\{(\d+)(?:(,)(\d*))?\}/y
    match.lastIndex = this.at
    const found = match.exec(this.text)
    if (found === null) throw this.error('{m,n} is wrong')
    this.at += found[0].length
    const [, min, comma, max] = found
    if (Math.max(Number(min), Number(max ?? 0)) > 2000) throw this.error('more than 2000 times')
    return [Number(min), comma === undefined ? Number(min) : max === '' ? undefined : Number(max)]
  }

  repeated(one, min, max) {
    const least = Array.from({ length: min }, () => one).flat()
    if (max === undefined) {
      const more = this.rule([[], []])
      this.all.set(more.rule, [[...one, more], []])
      return this.rule([[...least, more]])
    }
    let rest = []
    for (let count = min; count < max; count++) rest = [this.rule([[...one, ...rest], []])]
    return this.rule([[...least, ...rest]])
  }

  rule(ways) {
    const rule = `_${this.made++}`
    this.all.set(rule, ways)
    return { rule }
  }

  name() {
    NAME.lastIndex = this.at
    const found = NAME.exec(this.text)
    if (found === null) throw this.error('a name was expected')
    this.at += found[0].length
    return found[0]
  }

  space(hasLines) {
    const match = hasLines ? /(?:[ \t\r\n]|#[^\n]*)*/y : /(?:[ \t\r]|#[^\n]*)*/y
    match.lastIndex = this.at
    this.at += match.exec(this.text)[0].length
  }

  expect(text) {
    if (!this.text.startsWith(text, this.at)) throw this.error(`${text} was expected`)
    this.at += text.length
  }

  error(why) {
    return new Error(`GBNF: ${why}, at ${JSON.stringify(this.text.slice(Math.max(0, this.at - 40), this.at + 20))}`)
  }
}

const only = (code) => ({ isNot: false, ranges: [[code, code]] })
const has = ({ isNot, ranges }, code) => ranges.some(([first, last]) => code >= first && code <= last) !== isNot

/** Most stacks at one place: more is a grammar that no engine likes. */
const MOST_STACKS = 20_000

class Grammar {
  constructor(rules) {
    this.rules = rules
    this.least = leastOf(rules)
    this.start = this.#open([{ parts: [{ rule: 'root' }], at: 0, next: undefined }])
  }

  /** The stacks before a character: each has one on top. */
  #open(stacks) {
    const open = []
    const seen = new Map()
    const waiting = [...stacks]
    while (waiting.length > 0) {
      const stack = waiting.pop()
      if (seenBefore(seen, stack)) continue
      if (stack !== END && stack.at >= stack.parts.length) waiting.push(stack.next ?? END)
      else if (stack === END || stack.parts[stack.at].rule === undefined) open.push(stack)
      else {
        const next = stack.at + 1 < stack.parts.length ? after(stack) : stack.next
        for (const parts of this.rules.get(stack.parts[stack.at].rule)) waiting.push(parts.length === 0 ? (next ?? END) : { parts, at: 0, next })
      }
      if (open.length > MOST_STACKS) throw new Error('GBNF: too many stacks')
    }
    return open
  }

  /** Whether a text is of the grammar; `front`: whether it may begin one. */
  accepts(text, { front = false } = {}) {
    let stacks = this.start
    for (const character of text) {
      const code = character.codePointAt(0)
      stacks = this.#open(stacks.filter((stack) => stack !== END && has(stack.parts[stack.at], code)).map(after))
      if (stacks.length === 0) return false
    }
    return front || stacks.includes(END)
  }

  /** A text at random; `next(n)` is a number below n. From `length` on it comes to its end. */
  write(next, { length = 60, wanted = '<>/{}[]"\'\\ \n&:=,|abAB019é💩' } = {}) {
    let stacks = this.start
    let text = ''
    for (let count = 0; ; count++) {
      const isLate = count > length
      if (stacks.includes(END) && (isLate || stacks.length === 1 || next(30) === 0)) return text
      let some = stacks.filter((stack) => stack !== END)
      if (isLate) {
        const least = Math.min(...some.map((stack) => this.#leastFrom(stack)))
        if (least === Infinity) throw new Error('GBNF: the grammar has no end')
        some = some.filter((stack) => this.#leastFrom(stack) === least)
      }
      const { parts, at } = some[next(some.length)]
      const code = pick(parts[at], next, wanted)
      text += String.fromCodePoint(code)
      stacks = this.#open(some.filter((stack) => has(stack.parts[stack.at], code)).map(after))
      if (count > length + 5000) throw new Error('GBNF: it does not end')
    }
  }

  #leastFrom(stack) {
    let count = 0
    for (let frame = stack; frame !== undefined; frame = frame.next) for (const part of frame.parts.slice(frame.at)) count += part.rule === undefined ? 1 : this.least.get(part.rule)
    return count
  }
}

const END = { parts: [], at: 0, next: undefined, isEnd: true }

function after(stack) {
  return (stack.after ??= { parts: stack.parts, at: stack.at + 1, next: stack.next })
}

/** Stacks are the same if what is left of each frame is. */
function seenBefore(seen, { parts, at, next }) {
  let byAt = seen.get(parts)
  if (byAt === undefined) seen.set(parts, (byAt = new Map()))
  const key = `${at}`
  let nexts = byAt.get(key)
  if (nexts === undefined) byAt.set(key, (nexts = []))
  if (nexts.some((other) => sameStack(other, next))) return true
  nexts.push(next)
  return false
}

function sameStack(one, other) {
  for (; one !== other; one = one.next, other = other.next) if (one === undefined || other === undefined || one.parts !== other.parts || one.at !== other.at) return false
  return true
}

function pick({ isNot, ranges }, next, wanted) {
  const fitting = [...wanted].map((one) => one.codePointAt(0)).filter((code) => has({ isNot, ranges }, code))
  if (isNot) return fitting.length > 0 && next(4) > 0 ? fitting[next(fitting.length)] : plain(next, (code) => has({ isNot, ranges }, code))
  const [first, last] = ranges[next(ranges.length)]
  return first + next(last - first + 1)
}

function plain(next, fits) {
  for (;;) {
    const code = next(8) === 0 ? next(0xd7ff) : 32 + next(95)
    if (fits(code)) return code
  }
}

/** The least characters of each rule. */
function leastOf(rules) {
  const least = new Map([...rules.keys()].map((name) => [name, Infinity]))
  for (let hasChanged = true; hasChanged; ) {
    hasChanged = false
    for (const [name, ways] of rules) {
      const count = Math.min(...ways.map((way) => way.reduce((sum, part) => sum + (part.rule === undefined ? 1 : least.get(part.rule)), 0)))
      if (count < least.get(name)) {
        least.set(name, count)
        hasChanged = true
      }
    }
  }
  return least
}
