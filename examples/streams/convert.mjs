// Writes <name>.xml for each <name>.sse in this folder: the same blocks as a model
// writes them in prefill mode, in membrane's layout.
//
//     node examples/streams/convert.mjs            writes the files
//     node examples/streams/convert.mjs --check    compares them with what it would write
//
// There is no white space between the blocks, because white space outside tool
// calls is text.
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { blocksOf, names } from './recordings.mjs'
import { writeXml } from './xml.mjs'

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } })

for (const name of names) {
  const path = new URL(`${name}.xml`, import.meta.url)
  const xml = writeXml(blocksOf(name))
  if (!values.check) writeFileSync(path, xml)
  else if (readFileSync(path, 'utf8') !== xml) throw new Error(`${name}.xml is not what convert.mjs writes: run it again without --check`)
  console.log(`${name}.xml ${values.check ? 'is up to date' : 'written'}, ${xml.length} characters`)
}
