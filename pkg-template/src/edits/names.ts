// What the arguments of calls that edit are called.

import { isRecord } from '../own.js'
import type { EditMeaning } from './types.js'

const NAMES: Readonly<Record<EditMeaning, readonly string[]>> = {
  path: ['path', 'file_path', 'filePath', 'file', 'filename', 'target_file'],
  old: ['old_string', 'oldString', 'old_str', 'old_text', 'oldText', 'search'],
  new: ['new_string', 'newString', 'new_str', 'new_text', 'newText', 'replace'],
  all: ['replace_all', 'replaceAll'],
  content: ['content', 'contents', 'file_text'],
  patch: ['patch', 'diff', 'input'],
}

/** What has a list of edits. */
export const LISTS: readonly unknown[] = ['edits', 'replacements', 'changes']

/** What each name means. */
export type Names = ReadonlyMap<string, EditMeaning>

/** The names that a program gives, and for other meanings those that are known. */
export function namesOf(given: Readonly<Partial<Record<EditMeaning, readonly string[]>>> = {}): Names {
  const names = new Map<string, EditMeaning>()
  for (const meaning of Object.keys(NAMES) as EditMeaning[])
    for (const name of given[meaning] ?? NAMES[meaning]) names.set(name, meaning)
  return names
}

/** Whether a value may be such names. */
export function areNames(value: unknown): boolean {
  const isList = (list: unknown) => Array.isArray(list) && list.every((name) => typeof name === 'string')
  return (
    isRecord(value) && Object.keys(value).every((meaning) => Object.hasOwn(NAMES, meaning) && isList(value[meaning]))
  )
}
