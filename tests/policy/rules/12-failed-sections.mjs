// A section whose payload is no call of its format.

/** Payloads of other families. */
const PAYLOADS = ['{"name": run, "arguments": {"command"', '<zz=run>\n<zz_key=command>ls</zz_key>\n</zz>', '⦗run command⦘ x', '@@ not a call @@']

/** A marker without its optional suffix. */
export const plain = (marker) => marker?.replace('{suffix}', '').replaceAll('{bars}', '｜').trim()

/** Words and fences of Markdown open more than calls. */
const isMarker = (marker) => marker !== undefined && !/^[A-Za-z`]/.test(marker)

/** An opener and a closer of a row's call, and of its section. */
function* pairsOf({ section, call }) {
  const open = plain(call?.open?.find(isMarker))
  const close = plain(call?.close?.find((marker) => marker !== '' && isMarker(marker)))
  if (open && close) yield [open, close, 'call']
  const [first, last] = [plain(section?.open?.[0]), plain(section?.close?.[0])]
  if (first && last) yield [first, last, 'section']
}

export default {
  rule: 12,
  title: 'A failed section comes out as it was written, with one problem',
  *ask({ family, row, body }) {
    if (!['rows', 'protocols', 'middleware'].includes(family) || row === undefined || row.messages !== undefined) return
    // Words among the markers that are removed count where a template writes them.
    for (const word of (row.drop ?? []).filter((marker) => /^\p{L}/u.test(marker))) {
      const prefilled = family === 'rows' ? { prefill: '' } : undefined
      yield { name: `${word} in a sentence`, input: `The word ${word} comes last.`, options: prefilled, expected: { text: `The word ${word} comes last.`, calls: [], problems: [] } }
      yield { name: `${word} at the start of a line`, input: `So.\n${word} 42`, options: prefilled, expected: { text: 'So.\n 42' } }
      yield { name: `${word} at the start`, input: `${word}42`, options: prefilled, expected: { text: '42' } }
      yield { name: `${word} at the end`, input: `42 ${word}\n`, options: prefilled, expected: { text: '42' } }
    }
    // Any text is an argument there.
    if (body === 'text') return
    const options = family === 'rows' ? { prefill: '' } : undefined
    for (const [open, close, what] of pairsOf(row)) {
      for (const payload of PAYLOADS) {
        const text = `Before ${open}\n${payload}\n${close} after.`
        yield { name: `${what}: ${payload}`, input: text, options, expected: { text, calls: [], problems: ['malformed-tool-call-body'] } }
      }
      yield { name: `${what}: words`, input: `Write ${open} some words ${close} so.`, options, expected: { text: `Write ${open} some words ${close} so.`, calls: [] } }
      for (const marker of row.drop ?? []) {
        if ([...(row.section?.close ?? []), close].includes(marker.trim())) continue
        const text = `${open} no ${marker} call ${close} after.`
        yield { name: `${what}: with ${marker}`, input: text, options, expected: { text, calls: [] } }
      }
      yield { name: `${what}: a mention`, input: `Write ${open} and so on.`, options, expected: { text: `Write ${open} and so on.`, calls: [], problems: [] } }
    }
  },
  exceptions: [{ door: 'morphXmlProtocol', case: /^section: [{<⦗@]/, why: "its calls are the tools' own tags: it knows no section, so such a text reports nothing", expected: { problems: [] } }],
  atLeast: 400,
}
