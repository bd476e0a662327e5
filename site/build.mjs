// Builds the site in target/site: the pages of README.md and docs/, the API
// reference and the demo page. It needs the built package.
//
//     npm run docs:site
//
// SITE_BASE is the path that it is served from, `/` by default.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { argv, execPath, exit } from 'node:process'
import { fileURLToPath } from 'node:url'
import { build } from 'vitepress'
import { buildPage } from '../www/build.mjs'
import { names } from '../pkg-template/typedoc.mjs'
import { pages } from './pages.mjs'
import { record } from './recording.mjs'

const here = fileURLToPath(new URL('.', import.meta.url))
const source = join(here, '../target/site-pages')

/** The folder of the built site. */
export const site = join(here, '../target/site')

export async function buildSite() {
  rmSync(source, { recursive: true, force: true })
  mkdirSync(join(source, '.vitepress'), { recursive: true })
  for (const [name, text] of pages(await record())) writeFileSync(join(source, name), text)
  writeFileSync(join(source, '.vitepress/config.mjs'), "export { default } from '../../../site/config.mjs'\n")
  cpSync(join(here, 'theme'), join(source, '.vitepress/theme'), { recursive: true })
  await buildPage({ outdir: join(source, 'public/demo') })
  writeReference()
  await build(source)
}

function writeReference() {
  const typedoc = join(dirname(createRequire(import.meta.url).resolve('typedoc/package.json')), 'bin/typedoc')
  const { status } = spawnSync(execPath, [typedoc, '--options', join(here, 'typedoc.mjs')], { stdio: 'inherit' })
  if (status !== 0) throw new Error('The API reference could not be built.')
  // The plugin also counts `SegmentError.code`, which has no heading, and so links to a second one.
  for (const name of readdirSync(join(source, 'api'), { recursive: true }).filter((name) => name.endsWith('.md'))) {
    const file = join(source, 'api', name)
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll('#segmenterrorcode-1', '#segmenterrorcode'))
  }
  const list = names.map((name) => `- [${name}](${name}.md)`).join('\n')
  writeFileSync(join(source, 'api/index.md'), `# The reference\n\nThe entries of the package; those that most programs use come first. [Guides](/getting-started) say what each is for.\n\n${list}\n`)
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  try {
    await buildSite()
    console.log('target/site is built.')
  } catch (error) {
    console.error(error.message)
    exit(1)
  }
}
