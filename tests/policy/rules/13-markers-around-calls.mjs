// Markers around a call that was read.
import { plain } from './12-failed-sections.mjs'

export default {
  rule: 13,
  title: 'Markers around a call that was read never show',
  *ask({ family, row, write }) {
    if (!['rows', 'protocols', 'middleware'].includes(family) || row?.section === undefined || row.messages !== undefined) return
    const call = write.call('run', { command: 'ls' })?.trim().replaceAll('｜ ', '｜')
    // As the template writes it.
    const pick = (markers) => markers.map(plain).find((marker) => call?.includes(marker)) ?? (row.section.optional ? plain(markers[0]) : undefined)
    const [open, close] = [pick(row.section.open), pick(row.section.close)]
    if (call === undefined || open === undefined || close === undefined) return
    const calls = [['run', { command: 'ls' }]]
    const options = family === 'rows' ? { prefill: '' } : undefined
    const at = call.indexOf(open)
    const inner = at === -1 ? call : call.slice(at + open.length, call.lastIndexOf(close))
    if (row.call.open?.length > 0) {
      yield { name: 'words before the call of a section', input: `${open} I run it. ${inner}${close} ok`, options, expected: { calls, shows: ['I run it.', 'ok'], hides: [open, close] } }
    }
    yield { name: 'words after the call of a section', input: `${open}${inner} I ran it. ${close} ok`, options, expected: { calls, shows: ['I ran it.', 'ok'], hides: [open, close] } }
    if (row.section.optional) yield { name: 'a section that only ends', input: `${inner}\n${close}\nok`, options, expected: { calls, text: 'ok' } }
    for (const other of row.section.open.slice(1)) {
      yield { name: `the section ${other}`, input: `${other.replace('{suffix}', '').replaceAll('{bars}', '｜')}${inner}${close} ok`, options, expected: { calls, text: 'ok' } }
    }
  },
  exceptions: [{ door: 'morphXmlProtocol', why: "its calls are the tools' own tags: it knows no section" }],
  atLeast: 60,
}
