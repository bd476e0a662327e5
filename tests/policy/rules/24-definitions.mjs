// Each row of the catalogue with one field changed, so that it can't match any more: the error has the path of the field.
import { defineFormat } from 'tokenweir/formats'

/** Rows that can't match, by what was changed: the part of the row, and the path that the error has to begin with. */
function* broken({ call, params, section, keys, reasoning, messages }) {
  const marker = call?.close?.find((each) => each.trim() !== '')
  if (marker !== undefined) {
    const close = [...call.close, `\n${marker}`]
    yield ['a closing marker of a call that begins with a line end', { call: { ...call, close } }, /^call\.close(\[\d+\] begins with white space| must have one marker)/]
  }
  if (params?.close?.length > 0) {
    const close = [`\n${params.close[0].trim()}`, ...params.close.slice(1)]
    const isTrimmed = params.trim !== undefined
    if (isTrimmed) yield ['a closing marker of a value that begins with a line end', { params: { ...params, close } }, /^params\.close\[0\] begins with white space/]
  }
  if (params?.open?.length > 0) yield ['a marker of a parameter that begins with a line end', { params: { ...params, open: [`\n${params.open[0].trim()}`] } }, /^params\.open(\[0\] begins with white space| must)/]
  if (section?.close?.length > 0) yield ['a section that ends as it begins', { section: { ...section, close: [section.open[0]] } }, /^section\.close\[0\] opens the section too/]
  if (reasoning?.open?.length > 0) yield ['reasoning that ends as it begins', { reasoning: { ...reasoning, close: [...reasoning.open] } }, /^reasoning\.close\[0\] opens the reasoning too/]
  if (keys?.args?.length > 0) yield ['arguments under the key of the name', { keys: { ...keys, args: [...keys.args, keys.name[0]] } }, /^keys\.args\[\d+\] is a key of the name too/]
  if (call?.open?.length > 0 && call.tolerant !== true && messages === undefined) yield ['reasoning that begins as a call does', { reasoning: { open: [call.open[0]], close: ['</t>'] } }, /^reasoning\.open\[0\] opens a call too/]
  if (['json', 'args'].includes(call?.body) && call.open?.length > 0 && call.tolerant !== true) {
    const head = call.head ?? []
    const last = head.at(-1)
    // The last text before the body.
    if (last === undefined) yield ['a marker that takes the brace of the body', { call: { ...call, open: [`${call.open[0]}{`] } }, /^call\.open\[0\] ends in "\{"/]
    else if (typeof last === 'string' && !/^[A-Z]+$/.test(last)) yield ['a head that takes the brace of the body', { call: { ...call, head: [...head.slice(0, -1), `${last}{`] } }, /^call\.head\[\d+\] ends in "\{"/]
  }
}

function complaint(row) {
  try {
    defineFormat(row)
    return 'nothing'
  } catch (error) {
    return error instanceof TypeError ? error.message.replace(/^defineFormat:? ?/, '') : String(error)
  }
}

export default {
  rule: 24,
  title: 'A definition that can never match is refused, with the path of the field',
  *ask({ family, row }) {
    if (family !== 'rows') return
    for (const [name, change, expected] of broken(row)) {
      yield {
        name,
        check() {
          const said = complaint({ ...row, ...change })
          return expected.test(said) ? undefined : `it says ${said}, and not ${expected}`
        },
      }
    }
  },
  atLeast: 250,
}
