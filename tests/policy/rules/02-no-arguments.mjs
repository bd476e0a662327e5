import { TAGGED_BODIES } from '../doors/rows.mjs'

// Arguments that are JSON, as the whole of a call's arguments.
const WRITTEN = ['', ' ', 'null', '"null"', '""']

export default {
  rule: 2,
  title: 'No arguments are {} if the schema requires none, else the call is malformed',
  *ask(door) {
    const { row, family, write, body } = door
    if (door.isDropIn || door.onlyText) return
    // Arguments under a key that other formats have for them are not absent.
    const [key] = body === 'json' ? (row?.keys?.args ?? []) : []
    const call = write.json?.('run', '{"command":"ls"}')
    if (key !== undefined && call !== undefined && row.call.bare === undefined) {
      for (const other of ['arguments', 'parameters', 'args', 'input']) {
        const input = call.replace(`"${key}"`, `"${other}"`)
        yield { name: `under ${other}`, input, expected: { calls: [['run', { command: 'ls' }]] } }
      }
    }
    // Nor are arguments that a row leaves out, since the schema has none of that name.
    const strange = family === 'rows' && row.repairs?.includes('drop-unknown') ? write.call?.('run', { zz: 'ls' }) : undefined
    if (strange !== undefined) yield { name: 'none of the schema', input: strange, expected: { calls: [], text: strange } }
    // Between tags there is nothing then.
    if ([...TAGGED_BODIES, 'xml'].includes(body) || family === 'blocks') {
      const [none, some] = ['now', 'write_file'].map((name) => write.call?.(name, {}))
      if (none !== undefined) yield { name: 'now: no tags', input: none, expected: { calls: [['now', {}]] } }
      if (some !== undefined) yield { name: 'write_file: no tags', input: some, expected: { calls: [] } }
    }
    for (const text of WRITTEN) {
      // A member of an object has a value, and without a closing marker nothing may have been cut off.
      const mayBeBlank = row === undefined ? family !== 'segments' || body !== 'json' : body === 'args' && (row.call.close ?? []).length > 0 && row.call.orJson !== true
      if (text.trim() === '' && !mayBeBlank) continue
      const none = write.json?.('now', text)
      if (none !== undefined) yield { name: `now: ${JSON.stringify(text)}`, input: none, expected: { calls: [['now', {}]] } }
      const some = write.json?.('write_file', text)
      if (some !== undefined) yield { name: `write_file: ${JSON.stringify(text)}`, input: some, expected: { calls: [] } }
    }
  },
  exceptions: [
    { door: 'native aiSdk', case: /^now: " ?"$/, why: 'arguments that are not streamed come with `tool-call`: a call without both may have been cut off', expected: { calls: [] } },
    { door: 'row glm-4', case: /^now: "(null|\\"(null)?\\")"$/, why: 'its calls have no marker: a line and what is no object are text' },
    { door: 'row qwen-agent', case: /^now: " ?"$/, why: 'its calls end at the next marker, so a reply that ends after `✿ARGS✿:` may have been cut off' },
  ],
  atLeast: 600,
}
