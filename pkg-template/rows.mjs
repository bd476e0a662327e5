// Checks rows and writes them as the machine reads them, both as the package does.
//
//     node pkg-template/rows.mjs target/pkg-src     rows.json becomes rows-bytes.json there, by the sources in src
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { argv, exit } from 'node:process'
import { build } from 'esbuild'

const folder = argv[2]
const contents = "export { checkFormat } from './check.ts'\nexport { encodeFormat } from './encode.ts'"
const { outputFiles: [{ text }] } = await build({ stdin: { contents, resolveDir: join(folder, 'src/formats') }, bundle: true, format: 'esm', write: false })
const { checkFormat, encodeFormat } = await import(`data:text/javascript,${encodeURIComponent(text)}`)

/** The bytes of a row, by its id. */
function bytesOf([id, { internal: _, ...row }]) {
  checkFormat(`the row \`${id}\``, row)
  return [id, [...encodeFormat(row)]]
}

try {
  const rows = JSON.parse(readFileSync(join(folder, 'rows.json'), 'utf8'))
  writeFileSync(join(folder, 'rows-bytes.json'), JSON.stringify(Object.fromEntries(Object.entries(rows).map(bytesOf))))
} catch (error) {
  console.error(error.message)
  exit(1)
}
