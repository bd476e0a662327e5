// What is saved of a call's arguments, besides what differs from a new reader (snapshot/state.ts).

import { DocumentMode, ENGINE } from '../generated/ops.js'
import type { Saving } from '../snapshot/registry.js'
import type { Document } from './document.js'
import { Frame } from './document.js'

/** A reader. */
export const READER: Saving = { parser: 'arguments', place: 'ArgumentsReader', layout: ENGINE, classes: { Frame } }

/** What each place between tokens of a container has before it. */
const BEFORE: { readonly [mode: number]: string } = {
  [DocumentMode.FirstElement]: '[',
  [DocumentMode.Element]: '["",',
  [DocumentMode.FirstKey]: '{',
  [DocumentMode.Key]: '{"":"",',
  [DocumentMode.Colon]: '{""',
}

/** A short text that opens the containers of a document, up to the same place in the innermost one. */
export function prefixOf({ frames, text, isDone }: Document, mode: number): string {
  if (isDone) return '""'
  const outer = frames.slice(0, -1).map(({ step }) => before(step))
  const step = frames.at(-1)?.step
  const around = outer.join('')
  if (step === undefined) return text === undefined ? '' : '"'
  if (text !== undefined) return `${around}${before(step)}"`
  if (mode === DocumentMode.Read) return `${around}{"`
  if (mode === DocumentMode.After) return `${around}${typeof step === 'number' ? '[""' : '{"":""'}`
  return around + (BEFORE[mode] ?? before(step))
}

/** What stands before a value. */
function before(step: string | number): string {
  if (step === 0) return '['
  return typeof step === 'number' ? '["",' : '{"":'
}
