// Asks the engines of servers what they make of grammars.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { recorded } from './python.mjs'

/** Texts that end what is open in a format: a random writer writes them now and then. */
export function hintsOf({ write = {} }) {
  const templates = [write.call, write.item, write.param, ...(write.section ?? []), ...(write.reasoning ?? []), ...(write.text ?? [])]
  const pieces = templates.flatMap((template) => (template ?? '').split(/\{[a-z]+(?::[a-z0-9]+)?\}/))
  return [...new Set([...pieces, '"', ']', '}', '"}', ']}', '<', '</'])].filter((piece) => piece !== '')
}

/** What the engines say of grammars. */
export async function asked(cases) {
  const folder = mkdtempSync(join(tmpdir(), 'tokenweir-grammar-'))
  try {
    const file = join(folder, 'cases.jsonl')
    writeFileSync(file, cases.map((one) => `${JSON.stringify(one)}\n`).join(''))
    const answers = await recorded('grammar.py', file)
    if (answers.length !== cases.length) throw new Error(`${answers.length} of ${cases.length} grammars were read`)
    return answers
  } finally {
    rmSync(folder, { recursive: true })
  }
}
