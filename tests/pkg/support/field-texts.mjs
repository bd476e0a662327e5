// Texts for properties of fields: documents as their writers may write them, and texts that are nearly such.
import fc from 'fast-check'
import { cutAt } from './cuts.mjs'

// JSON as text, so that what its writer may choose is chosen too: white space,
// escapes, the form of numbers, keys twice.
const space = fc.constantFrom('', '', '', ' ', '\n', '\t', '\r\n', '  ')
const wholeCharacter = fc.constantFrom(
  'a', 'b', ' ', 'é', '水', '🙂', '😀', '{', '}', '[', ']', ',', ':', "'", '//', '/*', '```', '</think>', '.', '*', '\u2028', '\u00a0', '\u007f',
  '\\n', '\\"', '\\\\', '\\/', '\\t', '\\b', '\\f', '\\r', '\\u0041', '\\u00E9', '\\u0000', '\\u0022', '\\u005c', '\\ud83d\\ude00', '\\uD83D\\uDE42',
)
const anyCharacter = fc.oneof({ weight: 6, arbitrary: wholeCharacter }, { weight: 1, arbitrary: fc.constantFrom('\\ud83d', '\\ude00', '\ud83d', '\ude00', '\\uD83D\ude00') })
const stringOf = (character) => fc.array(character, { maxLength: 8 }).map((parts) => `"${parts.join('')}"`)
const number = fc.oneof(
  fc.constantFrom('0', '-0', '1', '12', '-1', '0.5', '-12.5e3', '1E+2', '1e-2', '0e0', '-0.0', '1e400', '-1e400', '1e-400', '9007199254740993', '123456789012345678901234567890', '5e-324'),
  fc.integer().map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
)
const key = (character) => fc.oneof(fc.constantFrom('"a"', '"b"', '"a.b"', '"a[0]"', '""', '"0"', '"__proto__"', '"constructor"', '"prototype"', '"\\u0061"'), stringOf(character))
const joinedBy = (parts, open, close) => `${open}${parts.join(',')}${close}`

/** JSON texts, as objects and arrays or as any value. */
function documents(character, { unique = false } = {}) {
  const { container, value } = fc.letrec((tie) => ({
    leaf: fc.oneof(stringOf(character), number, fc.constantFrom('true', 'false', 'null')),
    member: fc.tuple(space, key(character), space, space, tie('value'), space).map(([a, name, b, c, member, d]) => ({ name: JSON.parse(name), text: `${a}${name}${b}:${c}${member}${d}` })),
    object: fc.oneof(
      fc.uniqueArray(tie('member'), { maxLength: 5, selector: unique ? ({ name }) => name : (member) => member }).map((members) => joinedBy(members.map(({ text }) => text), '{', '}')),
      space.map((inside) => `{${inside}}`),
    ),
    array: fc.oneof(fc.array(fc.tuple(space, tie('value'), space).map((parts) => parts.join('')), { maxLength: 5 }).map((elements) => joinedBy(elements, '[', ']')), space.map((inside) => `[${inside}]`)),
    container: fc.oneof({ depthSize: 'small', withCrossShrink: true }, fc.constantFrom('{}', '[]'), tie('object'), tie('array')),
    value: fc.oneof({ depthSize: 'small', withCrossShrink: true }, tie('leaf'), tie('leaf'), tie('container')),
  }))
  return { container, value }
}

export const any = documents(anyCharacter)
export const tidy = documents(wholeCharacter, { unique: true })
export const cuts = fc.array(fc.nat(300), { maxLength: 12, size: 'max' })
export const cut = (text, places) => cutAt(text, places.map((place) => Math.min(place, text.length)).sort((a, b) => a - b))

// Texts that are nearly documents, and ways to read them.

const scrap = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('{', '}', '[', ']', ',', ':', '"', "'", '"a"', '"b"', '"a":', 'a:', '1', '-', '.', 'e', '+', '0x', 'true', 'nul', 'None', 'NaN', 'Infinity', ' ', '\n', '\r\n', '\\', '/', '//', '/*', '*/', '"""', '```', '```json\n', '<think>', '</think>', '\\u', '\\ud83d', '\\u0061', '\ud83d', '\ude00', '🙂', '\u00a0', '\u0000', '\t', 'x') },
  { weight: 2, arbitrary: any.value },
  { weight: 1, arbitrary: tidy.container },
  { weight: 1, arbitrary: fc.tuple(any.container, fc.nat(40)).map(([text, size]) => text.slice(0, size)) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 4 }) },
)
export const garbage = fc.oneof(
  fc.array(scrap, { maxLength: 20, size: 'max' }).map((parts) => parts.join('')),
  fc.array(scrap, { maxLength: 20, size: 'max' }).map((parts) => `{"a":1,${parts.join('')}`),
  fc.array(scrap, { maxLength: 20, size: 'max' }).map((parts) => `so ["x",${parts.join('')}`),
)
export const setup = fc.record({
  schema: fc.constantFrom(undefined, undefined, { a: 'str', b: 'int' }, [{ a: 'str' }], ['str'], ['int']),
  options: fc.record({ strict: fc.boolean(), multiple: fc.boolean(), maxDepth: fc.constantFrom(1, 3, 512) }),
})
