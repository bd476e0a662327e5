// Each escape that JSON doesn't know, and what is nearly one. `\n`, `\"` and `\u0041` mean what they mean in JSON.
const WRITTEN = {
  'of a class': String.raw`grep \d+ \w \. \s a`,
  'of a path': String.raw`C:\Users\dev\x.txt`,
  octal: String.raw`\033[0m \0`,
  hexadecimal: String.raw`\x1b[0m \x`,
  'of JSON5': String.raw`\v \a it\'s \$`,
  'of Unicode cut short': String.raw`\u \u12 \u12g4 \U0001F600`,
  'among others': String.raw`\d \\d "quoted\\" \Z`,
  'before any character': String.raw`\水\😀`,
}

/** A text as it stands in a JSON string: quotes and backslash pairs are JSON's own. */
const inJson = (text) => `"${text.replaceAll('"', '\\"')}"`
/** What such a string is. */
const meant = (text) => text.replaceAll('\\\\', '\\')

const arguments_ = (text) => `{"command": ${inJson(text)}}`

export default {
  rule: 1,
  title: 'A backslash before a character that JSON does not know stays',
  *ask({ write, family, row }) {
    // A list is JSON between tags, where the row doesn't say that it is a string.
    const hasValues = row?.typing !== 'string' && row?.typing !== 'attribute'
    for (const [name, text] of Object.entries(WRITTEN)) {
      const expected = { command: meant(text) }
      const call = write.json?.('run', arguments_(text))
      if (call !== undefined) yield { name, input: call, expected: { calls: [['run', expected]] } }
      const value = hasValues ? write.value?.('run', 'list', `[${inJson(text)}]`) : undefined
      const read = { calls: [['run', { list: [meant(text)] }]] }
      if (value !== undefined) yield { name: `${name}, in a value`, input: value, expected: read }
      if (write.document) yield { name, input: arguments_(text), expected: { value: expected } }
    }
    if (family === 'rows' && write.json('run', '{}') !== undefined) {
      const input = write.json('run', arguments_(WRITTEN.octal))
      yield { name: 'with repairs: false', input, options: { repairs: false }, expected: { calls: [] } }
    }
  },
  exceptions: [
    { door: 'IncrementalXmlParser', why: 'it gives calls as text, as membrane does', expected: { calls: [] } },
    {
      door: 'ArgumentsReader',
      why: 'it reads RFC 8259, and what `tolerate` names: a value that is shown or started early may not be repaired',
      expected: { value: undefined, problems: ['bad-escape'] },
    },
    {
      door: 'RJSON',
      why: 'it reads what RJSON of @ai-sdk-tool/parser reads, which refuses such a string',
      expected: { value: undefined, problems: ['bad-escape'] },
    },
  ],
}
