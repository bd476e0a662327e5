// Runs the Python recorders of the references.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { oraclePython } from '../../pkg-template/setup.mjs'

/** The JSON lines that a recorder prints, without those that describe the file. */
export async function recorded(script, ...args) {
  const child = spawn(oraclePython(), [fileURLToPath(new URL(script, import.meta.url)), ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  let [out, errors] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text) => (out += text))
  child.stderr.setEncoding('utf8').on('data', (text) => (errors += text))
  const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve))
  if (code !== 0) throw new Error(`${script} ended with exit code ${code}:\n${errors}`)
  return out.trimEnd().split('\n').map((line) => JSON.parse(line)).filter((line) => line.about === undefined)
}

/** The same for these documents, in order. */
export async function recordedAgain(script, option, documents) {
  if (documents.length === 0) return []
  const folder = mkdtempSync(join(tmpdir(), 'tokenweir-oracle-'))
  try {
    const path = join(folder, 'documents.jsonl')
    writeFileSync(path, [{ about: 'listed', count: documents.length }, ...documents].map((line) => `${JSON.stringify(line)}\n`).join(''))
    const lines = await recorded(script, option, path)
    if (lines.length !== documents.length) throw new Error(`${script} recorded ${lines.length} of ${documents.length} documents`)
    return lines
  } finally {
    rmSync(folder, { recursive: true })
  }
}
