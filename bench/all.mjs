/**
 * All benches, each in its own process, so that none finds code that V8 compiled for another one.
 *
 *     npm run bench [-- --quick --md --json file]
 *
 * `--json figures.json` writes figures.blocks.json, figures.args.json, figures.fields.json, figures.segments.json,
 * figures.tool-calls.json, figures.formats.json and figures.start.json. The benches have different parts: `--only` is for `npm run bench:blocks` and the others.
 */

import { fail, readOptions, runBench } from './measure.mjs'

const BENCHES = { blocks: 'bench.mjs', args: 'args.mjs', fields: 'fields.mjs', segments: 'segments.mjs', 'tool-calls': 'tool-calls.mjs', formats: 'formats.mjs', start: 'start.mjs' }

const args = readOptions(`npm run bench -- [options]
  --quick        shorter texts and fewer rounds
  --json file    write all figures, of each bench to a file with its name before the ending
  --md           print Markdown tables
Each bench alone, with --only and more (--help): npm run bench:blocks -- ..., and so bench:args, bench:fields, bench:segments, bench:tool-calls, bench:formats and, without --only, bench:start`)
if (args.only.length > 0) fail('--only is for one bench: npm run bench:blocks -- --only ..., and so bench:args, bench:fields, bench:segments, bench:tool-calls and bench:formats')

for (const [name, file] of Object.entries(BENCHES)) {
  const options = []
  if (args.quick) options.push('--quick')
  if (args.md) options.push('--md')
  if (args.json !== undefined) options.push('--json', `${args.json.replace(/\.json$/, '')}.${name}.json`)
  runBench(file, options)
}
