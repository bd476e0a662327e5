// Texts for properties of blocks: complete, nearly complete and broken markup, and cuts of it.
import fc from 'fast-check'
import { cutAt } from './cuts.mjs'

const name = fc.constantFrom('thinking', 'function_calls', 'function_results', 'invoke', 'parameter', 'result', 'error')
const prefix = fc.constantFrom('', '', 'antml:')
const space = fc.constantFrom('', '', ' ', '\n', ' \t')
const unit = fc.constantFrom('a', 'e', ' ', '\n', '<', '>', '/', '&', '"', "'", '=', ';', '#', '1', '{', '}', '[', ']', ':', ',', '\\', '\u0000', '\u007f', 'é', '水', '\u3000', '🙂', '\ud83d', '\ude42', '\ufffd')
export const words = fc.string({ unit, maxLength: 8 })
const reference = fc.constantFrom('&lt;', '&gt;', '&amp;', '&quot;', '&apos;', '&#65;', '&#x1F642;', '&#0;', '&#xD800;', '&bogus;', '&am', '&#')
const quoted = fc.oneof(
  fc.string({ unit, maxLength: 5 }).map((text) => `"${text.replaceAll('"', '')}"`),
  fc.string({ unit, maxLength: 5 }).map((text) => `'${text.replaceAll("'", '')}'`),
  reference.map((text) => `"${text}"`),
  fc.constantFrom('x', 'x/', '"f"', '"<thinking>"', "'</parameter>'", '""'),
)
const attribute = fc.tuple(fc.constantFrom('name', 'name', 'name', 'tool_use_id', 'other', 'names'), space, fc.constantFrom('=', '=', '=', ''), space, quoted).map(([key, before, equals, after, value]) => ` ${key}${before}${equals}${equals && after + value}`)
const opener = fc.tuple(prefix, name, fc.array(attribute, { maxLength: 2 }), space, fc.constantFrom('', '', '', '/')).map(([pre, tag, attributes, end, slash]) => `<${pre}${tag}${attributes.join('')}${end}${slash}>`)
const closer = fc.tuple(prefix, name, space).map(([pre, tag, end]) => `</${pre}${tag}${end}>`)
const useful = fc.constantFrom(
  '<thinking>', '</thinking>', '<function_calls>', '</function_calls>', '<function_results>', '</function_results>',
  '<invoke name="f">', '</invoke>', '<parameter name="p">', '</parameter>', '<parameter name="q"/>', '<result tool_use_id="t">', '</result>', '<error>', '</error>', '<![CDATA[', ']]>', '<think>', '</think>',
)
const broken = fc.tuple(fc.oneof(opener, closer, useful), fc.nat(30)).map(([tag, size]) => tag.slice(0, size))
const value = fc.oneof(fc.json({ maxDepth: 2 }), fc.constantFrom('12', '-0.5e3', 'true', 'nul', '"a', '{"a":', '[1,', '1234567890123456', ' x ', '\u00a05\u00a0'))
export const piece = fc.oneof({ weight: 4, arbitrary: useful }, { weight: 2, arbitrary: opener }, { weight: 2, arbitrary: closer }, { weight: 2, arbitrary: broken }, { weight: 4, arbitrary: words }, { weight: 1, arbitrary: reference }, { weight: 1, arbitrary: value })
export const markup = fc.array(piece, { maxLength: 24, size: 'max' }).map((parts) => parts.join(''))
export const cuts = fc.array(fc.nat(400), { maxLength: 20, size: 'max' })
const cutUp = ([text, places]) => ({ text, chunks: cutAt(text, places.map((place) => Math.min(place, text.length)).sort((a, b) => a - b)) })
export const chunked = fc.tuple(markup, cuts).map(cutUp)

// The same with tags of a program's own.
const ownName = fc.constantFrom('artifact', 'artifact', 'action', 'mention', 'b')
const ownOpener = fc.tuple(prefix, ownName, fc.array(fc.oneof(attribute, fc.constantFrom(' a="<action>"', " b='</artifact>'", ' c')), { maxLength: 3 }), space, fc.constantFrom('', '', '', '/')).map(([pre, tag, attributes, end, slash]) => `<${pre}${tag}${attributes.join('')}${end}${slash}>`)
const ownCloser = fc.tuple(prefix, ownName, space).map(([pre, tag, end]) => `</${pre}${tag}${end}>`)
const ownBroken = fc.tuple(fc.oneof(ownOpener, ownCloser), fc.nat(30)).map(([tag, size]) => tag.slice(0, size))
const ownPiece = fc.oneof({ weight: 3, arbitrary: ownOpener }, { weight: 3, arbitrary: ownCloser }, { weight: 1, arbitrary: ownBroken }, { weight: 3, arbitrary: piece }, { weight: 1, arbitrary: fc.constantFrom('`', '```\n', '\n') })
export const chunkedOwn = fc.tuple(fc.array(ownPiece, { maxLength: 24, size: 'max' }).map((parts) => parts.join('')), cuts).map(cutUp)
