// The known faults of membrane's class, each as a change that mends it.
import { StraightforwardParser } from '../../bench/straightforward.mjs'

const NAME = /^<(?<slash>\/?)(?:antml:)?(?<name>\w+)/
const DEPTHS = { thinking: 'thinkingDepth', function_calls: 'functionCallsDepth', function_results: 'functionResultsDepth' }

// A tag as the grammar has it: quotes after `=` hide what is in them, closing tags have no attributes.
const NAMES = '(?:antml:)?(?:thinking|function_calls|function_results|invoke|parameter)'
const INSIDE = `(?:[^<>"'=]|=\\s*"[^"]*"|=\\s*'[^']*'|=(?!\\s*["'])|["'])*`
const TAG = new RegExp(`^<(?:/${NAMES}\\s*|${NAMES}(?:[\\s/]${INSIDE})?)>$`)
const FRONT = new RegExp(`^<(?:/${NAMES}\\s*|${NAMES}(?:[\\s/]${INSIDE}(?:=\\s*(?:"[^"]*|'[^']*))?)?)$`)

/** Each takes a class and gives one without the fault. */
export const FAULTS = {
  // A closing tag without an opening tag takes a depth below zero, and ends a block that isn't its own.
  'depth-below-zero': (Parser) => class extends Parser {
    handleTag(tag, result) {
      const { slash, name } = NAME.exec(tag).groups
      if (slash === '' || DEPTHS[name] === undefined || this[DEPTHS[name]] > 0) super.handleTag(tag, result)
    }
  },

  // Text has the type that the depths say, whatever block it is in.
  'type-by-depth': (Parser) => class extends Parser {
    getCurrentMeta() {
      const { currentBlockType: type } = this
      return { ...super.getCurrentMeta(), type, visible: type === 'text' }
    }
  },

  // Depths are counted in the raw text, with a look-back of 30 characters, and so are those of `push`.
  'raw-depths': (Parser) => class extends Parser {
    getDepths() {
      return { functionCalls: this.functionCallsDepth, functionResults: this.functionResultsDepth, thinking: this.thinkingDepth }
    }

    push(chunk) {
      this.processChunk(chunk)
      return []
    }
  },

  // A `<` that turns out to be text is lost together with the text after it.
  'lost-tag': (Parser) => class extends Parser {
    refuseTag(text, result) {
      const next = text.indexOf('<', 1)
      this.emitContent(next === -1 ? text : text.slice(0, next), result)
      if (next !== -1) this.read(text.slice(next), result)
    }

    flush() {
      const { tagBuffer } = this
      if (!tagBuffer.includes('<', 1)) return super.flush()
      this.tagBuffer = ''
      const first = { emissions: [], content: [], blockEvents: [] }
      this.refuseTag(tagBuffer, first)
      const rest = this.flush()
      return { emissions: [...first.emissions, ...rest.emissions] }
    }
  },

  // A `>` in quotes ends a tag, and a closing tag may have attributes.
  'quoted-end': (Parser) => class extends Parser {
    isCompleteTag(buffer) {
      return TAG.test(buffer)
    }

    cantBeTag(buffer) {
      return super.cantBeTag(/[<>]$/.test(buffer) ? `${buffer.slice(0, -1)} ` : buffer) || (/[\s/"'=]/.test(buffer.slice(2)) && !FRONT.test(buffer))
    }

    handleTag(tag, result) {
      const { slash, name } = NAME.exec(tag).groups
      super.handleTag(`<${slash}${name}>`, result)
    }
  },

  // `<thinking/>` is text.
  'self-closing': (Parser) => class extends Parser {
    handleTag(tag, result) {
      super.handleTag(tag, result)
      const { slash, name } = NAME.exec(tag).groups
      if (slash === '' && /(?<!=\s*[^\s"'>]*)\/>$/.test(tag) && DEPTHS[name] !== undefined) super.handleTag(`</${name}>`, result)
    }
  },
}

const made = new Map()

/** The class without these faults. */
export function fixed(names) {
  const key = names.join()
  if (!made.has(key)) made.set(key, names.reduce((Parser, name) => FAULTS[name](Parser), StraightforwardParser))
  return made.get(key)
}
