// What reads one call's arguments, and what reads edits: in a text, in arguments, and in all calls of a stream.
import { ArgumentsReader } from 'tokenweir/args'
import { EditArguments, EditCalls, EditParser } from 'tokenweir/edits'

const patch = (a) => `${a}\n*** Begin Patch\n*** Add File: ${a}.py\n+x${a}\n+${a}\n*** Update File: a${a}\n@@ ${a} f${a}\n ${a}\n-${a}1\n+2${a}\n*** End Patch\n${a}`
const block = (a) => `${a}.py\n<<<<<<< SEARCH\n${a}1\n=======\n2${a}\n>>>>>>> REPLACE\n--- ${a}\n+++ ${a}\n@@ -1 +1 @@ ${a}\n-${a}\n+x${a}`
const EDIT = (a) => JSON.stringify({ note: a, edits: [{ new_string: `x${a}`, path: `${a}.py`, old_string: `${a}\n${a}` }] })

/** The values as they grow, and what is done. */
function reader() {
  const call = new ArgumentsReader()
  let events = []
  call.onText('*', (delta) => events.push(delta))
  call.onDone('*', (value) => events.push(value))
  call.onFault((fault) => events.push(fault))
  const take = (act) => {
    events = []
    act()
    return [...events, ...(events.length > 0 ? [call.partial()] : [])]
  }
  return { feed: (piece) => take(() => call.write(piece)), end: () => take(() => call.end('stop')) }
}

const parser = (name, make, edits, modes = [{}]) =>
  modes.map((own) => ({
    name: `${name}${own.spans ? ' with spans' : ''}`,
    family: 'edits',
    write: { edits },
    open({ options } = {}) {
      const open = make({ ...own, ...options })
      return { feed: (piece) => open.feed(piece), end: () => open.finish('stop') }
    },
  }))

export default [
  {
    name: 'ArgumentsReader',
    family: 'arguments',
    write: { document: (text) => text },
    open: reader,
    read(pieces) {
      const call = new ArgumentsReader()
      for (const piece of pieces) call.write(piece)
      call.end('stop')
      return { value: call.status === 'done' ? call.partial() : undefined, problems: call.fault === undefined ? [] : [call.fault.code] }
    },
  },
  ...parser('EditParser', (options) => new EditParser(options), (a) => [patch(a), block(a)], [{}, { spans: true }]),
  ...parser('EditArguments', (options) => new EditArguments(options), (a) => [EDIT(a), JSON.stringify({ patch: patch(a) }), EDIT(a).replaceAll(a, '\\ud83c\\udf26')], [{}, { spans: true }]),
  {
    name: 'EditCalls',
    family: 'edits',
    write: { edits: (a) => [EDIT(a), patch(a)] },
    events(pieces) {
      const calls = new EditCalls({ tools: { edit: { spans: true } } })
      const parts = [{ type: 'tool-input-start', id: 'c', toolName: 'edit' }, ...pieces.map((delta) => ({ type: 'tool-input-delta', id: 'c', delta })), { type: 'tool-call', toolCallId: 'c', toolName: 'edit', input: '' }]
      return parts.map((part) => calls.part(part))
    },
  },
]
