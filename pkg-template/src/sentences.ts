// The sentences of a text that comes in chunks.
//
// `Intl.Segmenter` says where sentences end. Where it says so may depend on what follows: after `.` on the next letter
// (`e.g. this`), after `?` on the next character. So characters are taken one after the other, whatever the chunks are,
// and the segmenter is asked about the text from the last letter on, which has decided all that is before it.
//
//     He e.g. waits. Then
//                  ^^^^      the window, when `T` comes
//
// Source: Unicode, UAX 29, "Sentence Boundaries"; CommonMark, "Fenced code blocks", "Code spans".
// Differences: titles and initials end none; a code span ends with its line; the segmenter sees no tags, and what
// stands between two sentences goes to the one that it belongs to: closing emphasis, opening tags and quotes, a list's
// numbers.

import { type Readable, TransformBase } from './platform.js'
import type { TextSource } from './sources.js'

/**
 * How sentences are found.
 *
 * @example
 * ```ts
 * import { type SentenceOptions, sentences } from 'tokenweir'
 *
 * const options: SentenceOptions = { locale: 'en', longest: 12 }
 * for await (const sentence of sentences('No end in sight here. Yes.', options)) console.log(JSON.stringify(sentence))
 * ```
 * ```text
 * "No end in "
 * "sight here. "
 * "Yes."
 * ```
 */
export interface SentenceOptions {
  /** The language, as `Intl.Segmenter` takes it. @defaultValue the runtime's */
  readonly locale?: string | undefined
  /**
   * Most UTF-16 code units of a sentence. One that gets longer comes in pieces, each up to a white space if there is
   * one; at least 2. @defaultValue 4,096
   */
  readonly longest?: number | undefined
}

/** More than this after the last letter decides nothing, in UTF-16 code units. */
const WINDOW = 64
/** What a period doesn't end: initials and `U.S.`, and titles. `I` is a word. */
const SHORT =
  /(?:^|[\s("'“‘>*_])(?!I\.\s)(?:(?:\p{L}\.\s?)*\p{L}|[DMJS]rs?|M[sx]|Prof|St|vs|Fig|Mme|[DS]ra|Hr|Nr|bzw|[GS]en|Sgt|Corp|C[op]l|Capt|Lt|Maj|Adm|Re[pv]|Gov|Pres)\.[*_~]*\s*$/u
const TAG = /<\/?[a-z][^<>]*>/gi
/** Belongs to the sentence that follows, and to the one before. */
const OPENING = /(?:[“‘„«「『《（([{]|<[a-z][^<>]*>\s*)+$/i
const CLOSING = /^([*_~]+)["'”’)\u00AD]*(\s*)/
/** The number of an item. */
const NUMBER = /(^|[\s(])(\d{1,3})\.\s*$/
const LETTER = /\p{Alphabetic}/u

/** Splits one text. */
class Splitter {
  readonly #segmenter: Intl.Segmenter
  readonly #longest: number
  /** What is pending, and half a character after it. */
  #text = ''
  #half = ''
  /** Where the window and the last word begin. */
  #from = 0
  #word = 0
  #hasLetter = false
  #isUrl = false
  /** What may be a tag, and how much of the window is tags. */
  #tag = ''
  #tags = 0
  /** Whether the line has had only blanks. */
  #isBlank = true
  /** The marker of open code, and whether that is a fence; the marker that is being read. */
  #code = ''
  #isFence = false
  #run = ''

  constructor({ locale, longest = 4096 }: SentenceOptions = {}) {
    if (!(longest >= 2)) throw new TypeError(`longest must be a number from 2, not ${longest}`)
    if (typeof Intl.Segmenter !== 'function')
      throw new TypeError('sentences need Intl.Segmenter, which this runtime lacks (Firefox has it from 125 on)')
    this.#segmenter = new Intl.Segmenter(locale, { granularity: 'sentence' })
    this.#longest = longest
  }

  /** The sentences that are whole with a chunk. */
  read(chunk: string): string[] {
    if (typeof chunk !== 'string') throw new TypeError(`sentences are read from strings, not from a ${typeof chunk}`)
    const found: string[] = []
    const text = this.#half + chunk
    this.#half = /[\uD800-\uDBFF]$/.exec(text)?.[0] ?? ''
    for (const character of this.#half === '' ? text : text.slice(0, -1)) this.#take(character, found)
    return found
  }

  /** The rest. White space alone is no sentence. */
  finish(): string[] {
    const found: string[] = []
    if (this.#half) this.#take(this.#half, found)
    if (this.#code === '') this.#split(found, true)
    return this.#text.trim() === '' ? found : [...found, this.#text]
  }

  #take(character: string, found: string[]): void {
    const run = this.#run
    if (run !== '' && run[0] !== character) {
      this.#run = ''
      this.#mark(run, character, found)
    }
    this.#text += character
    if (this.#text.length > this.#longest)
      this.#give(this.#word > 0 ? this.#word : this.#text.length - character.length, found)
    if (character === '`' || (character === '~' && (this.#isBlank || this.#run !== ''))) this.#run += character
    else this.#decide(character, found)
    if (this.#hasLetter && /\s/.test(character)) this.#word = this.#text.length
  }

  /** A marker of code has ended before a character. */
  #mark(run: string, next: string, found: string[]): void {
    if (this.#code === '') {
      this.#isFence = this.#isBlank && run.length > 2
      if (this.#isFence || run[0] === '`') {
        this.#split(found, true)
        this.#code = run
        this.#hasLetter = true
      }
      this.#isUrl = false
      this.#tag = ''
    } else if (this.#isFence ? this.#isBlank && run.startsWith(this.#code) && /\s/.test(next) : run === this.#code) {
      this.#code = ''
      this.#from = this.#text.length - 1
    }
    this.#isBlank = false
  }

  /** A character came that is no part of a marker. */
  #decide(character: string, found: string[]): void {
    const isLineEnd = character === '\n'
    this.#isBlank = isLineEnd || (this.#isBlank && /[ \t]/.test(character))
    if (isLineEnd && !this.#isFence) this.#code = ''
    if (this.#code !== '') return
    this.#isUrl &&= /[!#-;=?-~]/.test(character)
    if (this.#isInTag(character)) return
    if (!this.#isUrl) this.#split(found, false)
    this.#isUrl ||= /:\/\/$|(?:^|\P{L})www\.$/u.test(this.#text.slice(-5))
    const isLetter = LETTER.test(character)
    this.#hasLetter ||= isLetter
    const { length } = this.#text
    if (isLetter || (this.#isUrl && /[^.!?)]/.test(character)) || length - this.#from - this.#tags > WINDOW) {
      this.#from = length - character.length
      this.#tags = 0
    }
  }

  /** Whether a character is part of a tag, which decides nothing. */
  #isInTag(character: string): boolean {
    const tag = character === '<' ? character : this.#tag && this.#tag + character
    const isTag = /^<\/?(?:[a-z][^\n>]{0,250}>?)?$/i.test(tag)
    this.#tag = isTag && character !== '>' ? tag : ''
    if (!isTag) this.#hasLetter ||= tag.length > 2
    else if (this.#tag === '') this.#tags += tag.length
    return isTag
  }

  /** Gives the sentences that are known to end in the window. `isKnown`: what follows changes nothing. */
  #split(found: string[], isKnown: boolean): void {
    const start = this.#from
    const raw = this.#text.slice(start)
    if (!/[^\p{L}\p{N} ]/u.test(raw)) return
    const window = raw.replace(TAG, (tag) => (tag[1] === '/' ? '\u00AD' : ' ').repeat(tag.length))
    let given = -start
    for (const { index, segment } of this.#segmenter.segment(window)) {
      const end = index + segment.length
      const rest = window.slice(end)
      const isLine = segment.endsWith('\n')
      const isEnd =
        isLine ||
        (rest.replace(CLOSING, '') !== '' &&
          (isKnown || LETTER.test(rest) || !/[.\uFF0E]\P{Alphabetic}*$/u.test(segment)))
      if (!isEnd || !this.#hasLetter) continue
      const place = end - given
      const at = isLine || place <= 0 ? place : this.#endAt(place, rest)
      if (at <= 0 || SHORT.test(this.#text.slice(Math.max(0, at - WINDOW), at))) continue
      this.#give(at, found)
      given += at
    }
  }

  /** Where the sentence ends that may end at a place, or 0. */
  #endAt(place: number, rest: string): number {
    const from = Math.max(0, place - 4 * WINDOW)
    const before = this.#text.slice(from, place)
    if (/["”’」』》]$/.test(before) && LETTER.test(rest.charAt(0))) return 0
    const [all = '', emphasis = '', space] = (/\S$/.test(before) && CLOSING.exec(rest)) || []
    const closes = space || before.split(emphasis).length % 2 === 0
    const text = this.#text.slice(from, closes ? place + all.length : place).replace(OPENING, '')
    const [number = '', lead = '', digits] = NUMBER.exec(text) ?? []
    const head = text.slice(0, text.length - number.length) + lead
    const isItem =
      /(?:^|[.:;!?])\s*$/.test(head) || Number(/^\s*(\d+)\.\s/.exec(this.#text)?.[1]) + 1 === Number(digits)
    return from + (number !== '' && isItem ? head : text).length
  }

  #give(end: number, found: string[]): void {
    found.push(this.#text.slice(0, end))
    this.#text = this.#text.slice(end)
    this.#from = Math.max(0, this.#from - end)
    this.#word = 0
    this.#hasLetter = LETTER.test(this.#text.replace(TAG, '')) || this.#code !== ''
  }
}

/**
 * Yields the sentences of a text while it is written, each as soon as nothing that follows can change it: for a speech
 * server. What ends a sentence is said by `Intl.Segmenter`, but titles (`Dr.`) and initials end none, nor does anything
 * in Markdown code, in a URL or in a tag. A line end ends one. A fence is one sentence. Emphasis and tags close with
 * their sentence; opening tags and quotes, and a list's number, are part of what follows.
 *
 * The sentences joined are the text: white space is part of what it follows, or begins a sentence. White space at the
 * end of the text that no sentence has is left out. If the source fails, the rest comes before its error.
 *
 * @throws TypeError for a wrong option or source, and where there is no `Intl.Segmenter` (Firefox has it from 125 on);
 * from the loop, for a chunk that is not a string.
 * @example
 * ```ts
 * import { sentences } from 'tokenweir'
 *
 * const text = ['Dr. Smith pa', 'ys 3.50. See https://a.b/?q=c. ', 'Done']
 * for await (const sentence of sentences(text, { locale: 'en' })) console.log(JSON.stringify(sentence))
 * ```
 * ```text
 * "Dr. Smith pays 3.50. "
 * "See https://a.b/?q=c. "
 * "Done"
 * ```
 */
export function sentences(source: TextSource, options?: SentenceOptions): AsyncGenerator<string, void, undefined> {
  const from = Object(source)
  if (!(Symbol.iterator in from || Symbol.asyncIterator in from || 'getReader' in from))
    throw new TypeError(
      `sentences takes a string or a stream of strings, not ${{}.toString.call(source)}: ` +
        'use sentences(visibleText(response))',
    )
  return sentencesOf(source, new Splitter(options))
}

async function* sentencesOf(source: TextSource, splitter: Splitter) {
  try {
    for await (const chunk of typeof source === 'string' ? [source] : 'getReader' in source ? chunksOf(source) : source)
      yield* splitter.read(chunk)
  } catch (error) {
    yield* splitter.finish()
    throw error
  }
  yield* splitter.finish()
}

/** The chunks of a stream: Safari's are not iterable. What sources.ts has for all entries is half as large as this one. */
async function* chunksOf(stream: Readable<string>) {
  const reader = stream.getReader()
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
  } finally {
    await reader.cancel()
  }
}

/**
 * A `TransformStream` of text into its sentences, as `sentences` finds them.
 *
 * @example
 * ```ts
 * import { SentenceStream } from 'tokenweir'
 *
 * const text = new Blob(['One. Two? Three']).stream().pipeThrough(new TextDecoderStream())
 * for await (const sentence of text.pipeThrough(new SentenceStream({ locale: 'en' }))) console.log(sentence.trim())
 * ```
 * ```text
 * One.
 * Two?
 * Three
 * ```
 */
export class SentenceStream extends TransformBase<string, string> {
  /** @throws as `sentences` does. */
  constructor(options?: SentenceOptions) {
    const splitter = new Splitter(options)
    super({
      transform(chunk, controller) {
        for (const sentence of splitter.read(chunk)) controller.enqueue(sentence)
      },
      flush(controller) {
        for (const sentence of splitter.finish()) controller.enqueue(sentence)
      },
    })
  }
}
