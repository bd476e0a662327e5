// Values between tags: what ends them, CDATA, and closing markers that are missing. By the data of each row: a call
// is written, and its marks are moved.
import { TAGGED_BODIES } from '../doors/rows.mjs'

const MARK = 'M4RK'

/** A written call around its one value: what stands before it, its closing marker with the layout before it, and the rest. */
function around({ body, name, family, onlyText, write }) {
  // The calls of the drop-in class are one block of text.
  if (onlyText || name === 'IncrementalXmlParser' || (!TAGGED_BODIES.includes(body) && !['segments', 'blocks'].includes(family))) return undefined
  const [before, after] = write.value?.('run', 'command', MARK)?.split(MARK) ?? []
  const [whole, closer] = /^\s*(\S*?<\/[^>]*>)/.exec(after ?? '') ?? []
  return closer === undefined ? undefined : { before, layout: whole.slice(0, -closer.length), closer, rest: after.slice(whole.length) }
}

const run = (command) => ({ calls: [['run', { command }]] })
const none = { calls: [] }

const BLOCKS = /^(BlockParser|readReply|membrane functions)$/

/** The cases of doors whose values stand between tags. */
const of = (cases) =>
  function* ask(door) {
    const parts = around(door)
    if (parts !== undefined) yield* cases(parts, door)
  }

export default [
  {
    rule: 4,
    title: 'A closing marker ends a value only where the grammar goes on',
    ask: of(function* ({ before, layout, closer, rest }) {
      const end = layout + closer + rest
      yield { name: 'part of the value', input: `${before}a${closer} b${end}`, expected: run(`a${closer} b`) }
      yield { name: 'two in a row', input: `${before}a${closer}${closer} b${end}`, expected: run(`a${closer}${closer} b`) }
      yield { name: 'the end of the call in the value', input: `${before}a${rest} b${end}`, expected: run(`a${rest} b`) }
      yield { name: 'text after it', input: `${before}a${closer} b${rest}`, expected: none }
    }),
    exceptions: [
      {
        door: /^segments alone/,
        case: /part of the value|two in a row|text after it/,
        why: 'any text may follow a command or a file that stands alone, so its first closing tag ends it: else that text would be pending, and the command too',
        expected: run('a'),
      },
      { door: /^(BlockParser|readReply)$/, case: 'text after it', why: 'stray text in a call is a block of its own', expected: run('a') },
      {
        door: 'membrane functions',
        case: /part of the value|two in a row|the end of the call in the value/,
        why: "membrane refuses a call whose value has its own closing tag, with a notice for the model, which then writes the value as CDATA: a program that replaces membrane's function expects no call there",
        expected: none,
      },
    ],
    atLeast: 70,
  },
  {
    rule: 5,
    title: 'A value that is one CDATA section is the text inside',
    ask: of(function* ({ before, layout, closer, rest }) {
      const end = layout + closer + rest
      yield { name: 'markers in it', input: `${before}<![CDATA[a ${closer}${rest} <b>&amp; ]]>${end}`, expected: run(`a ${closer}${rest} <b>&amp; `) }
      yield { name: 'white space around it', input: `${before}\n <![CDATA[a]]> \n${end}`, expected: run('a') }
      yield { name: 'sections that touch', input: `${before}<![CDATA[a]]]]><![CDATA[>b]]>${end}`, expected: run('a]]>b') }
    }),
    exceptions: [
      { door: 'row minicpm5', case: 'white space around it', why: "CDATA is unwrapped anywhere in a value, as the model's own parser does, and the text around it stays", expected: run('\n a \n') },
      { door: 'morphXmlProtocol', case: 'white space around it', why: 'it keeps the white space of strings', expected: run('\n a \n') },
    ],
    atLeast: 52,
  },
  {
    rule: 6,
    title: 'A missing closing marker that changes nothing is repaired',
    ask: of(function* ({ before, layout, closer, rest }, door) {
      const isRequired = door.row?.call?.requireClose === true
      yield { name: 'the last one of a value', input: `${before}a${layout}${rest}`, expected: run('a') }
      if (!isRequired) yield { name: 'those of the call, at the end of the reply', input: `${before}a${layout}${closer}`, expected: run('a') }
      const [head] = door.write.value?.('write_file', 'path', MARK)?.split(MARK) ?? []
      if (head !== undefined) yield { name: 'those of the call, where a required argument is missing', input: `${head}a${layout}${closer}`, expected: none }
      yield { name: 'in a value, at the end of the reply', input: `${before}a`, expected: none }
    }),
    exceptions: [
      {
        door: BLOCKS,
        case: /^(the last one of a value|those of the call, at the end of the reply)$/,
        why: 'such a call is incomplete, as in membrane: it may have been cut off, and what it lacks is not known without its schema',
        expected: none,
      },
      { door: /^segments (xml|state)/, case: 'those of the call, at the end of the reply', why: 'a tool that the reply ends in is invoked only with acceptUnterminated', expected: none },
      { door: /^segments alone/, case: 'the last one of a value', why: "the value's closing tag is the call's", expected: none },
    ],
    atLeast: 60,
  },
]
