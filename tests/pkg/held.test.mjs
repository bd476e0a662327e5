// Guarantee 3 through the package: after each chunk everything is emitted except
// the longest ending that may still become a tag that counts there, or white
// space that may be a value's end. tests/splits.rs has the plainest texts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BlockParser } from 'tokenweir/blocks'

const CALL = '<function_calls><invoke name="a"><parameter name="b">'
const RESULT = '<function_results><result>'

/** The text that was read, and the part of the open block emitted by then. */
const CASES = [
  ['Hello <t', 'Hello '],
  ['Hello <tx', 'Hello <tx'],
  ['Hello <b', 'Hello <b'],
  ['Hello </t', 'Hello '],
  ['Hello </b', 'Hello </b'],
  ['a <r', 'a <r'],
  ['a </r', 'a </r'],
  ['<function_results>a <r', 'a '],
  [`${RESULT}a <`, 'a '],
  [`${RESULT}a <t`, 'a <t'],
  [`${RESULT}a <r`, 'a <r'],
  [`${RESULT}a </`, 'a '],
  [`${RESULT}a </t`, 'a </t'],
  [`${RESULT}a </r`, 'a '],
  [`${RESULT}a </f`, 'a '],
  [`${RESULT}a </e`, 'a </e'],
  [`${CALL}hello`, '{"b":"hello'],
  [`${CALL}hello\u3000`, '{"b":"hello'],
  [`${CALL}hello —`, '{"b":"hello —'],
  [`${CALL}hello…`, '{"b":"hello…'],
  [`${CALL}hello <`, '{"b":"hello'],
  [`${CALL}hello <t`, '{"b":"hello <t'],
  [`${CALL}hello <p`, '{"b":"hello'],
  [`${CALL}hello <parameter n`, '{"b":"hello'],
  [`${CALL}hello <parameter name="`, '{"b":"hello'],
  [`${CALL}hello <parameter name="x">`, '{"b":"hello <parameter name=\\"x\\">'],
  [`${CALL}hello <pq`, '{"b":"hello <pq'],
  [`${CALL}hello </i`, '{"b":"hello </i'],
  [`${CALL}hello </parameter>`, '{"b":"hello'],
  [`${CALL}hello </parameter> </inv`, '{"b":"hello'],
  [`${CALL}hello </parameter> x`, '{"b":"hello'],
  [`${CALL}hello </parameter> x</parameter>`, '{"b":"hello </parameter> x'],
  [`${CALL}hello </parameter></invoke>`, '{"b":"hello"}'],
  [`${CALL}hello </parameter>${'x'.repeat(4_096 - 12)}`, '{"b":"hello"'],
  [`${CALL}<![CD`, '{"b":'],
  [`${CALL}\n<![CDATA[a]]`, '{"b":"a'],
  [`${CALL}<![CDATA[a</p`, '{"b":"a</p'],
  ['<thinking>a <think', 'a <think'],
  ['<thinking>a </think', 'a '],
  ['<thinking>a </think>', 'a </think>'],
  ['<thinking>a <function_calls>', 'a '],
  ['<thinking>a <function_calls> x', 'a <function_calls> x'],
  ['<thinking>a <invoke name="f">', 'a '],
  ['<thinking>a <invoke name="f">x', 'a <invoke name="f">x'],
  [`${CALL}hello </`, '{"b":"hello'],
  [`${CALL}hello </p`, '{"b":"hello'],
]

for (const [text, expected] of CASES) {
  test(`after ${JSON.stringify(text)}`, () => {
    for (let size = 1; size <= text.length; size++) {
      let out = ''
      const parser = new BlockParser({
        onBlock: ({ event }) => event === 'block_start' && (out = ''),
        onChunk: (piece, meta) => (meta.toolCallPart ?? 'input') === 'input' && (out += piece),
      })
      for (let at = 0; at < text.length; at += size) parser.processChunk(text.slice(at, at + size))
      assert.equal(out, expected, `in chunks of ${size}`)
    }
  })
}
