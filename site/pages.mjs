// Pages of the repository as pages of the site: README.md is the home page, docs/blocks.md is /blocks.
//
// Links to other files of the repository lead to its address, `repository.url` in
// pkg-template/package.json; without an address they are plain words.
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { linksOf as linksOfPackage } from '../www/links.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The repository's address, or undefined. */
export const { source: repository } = linksOfPackage(JSON.parse(read('pkg-template/package.json')))

/** The pages, by their file in the site. The home page plays a recording. */
export function pages(recording) {
  const docs = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'))
  return new Map([['index.md', home(recording)], ...docs.map((name) => [name, withLinks(read(`docs/${name}`), 'docs')])])
}

/** The sidebar, from the lists of README's part "Documentation": a group for each line. */
export function sidebar() {
  const lines = sectionOf(read('README.md'), 'Documentation').split('\n').filter((line) => line.startsWith('- '))
  const groups = lines.map((line) => ({ text: capital(/^- ([^:[]+)/.exec(line)[1].trim()), items: linksOf(line) }))
  return [...groups, { text: 'Reference', items: [{ text: 'API', link: '/api/' }, { text: 'Demo', link: '/demo/index.html', target: '_self' }] }]
}

/** README's tables of tasks, by the page that each leads to: what a program does, and with which names. */
export function tasks() {
  const rows = read('README.md').matchAll(/^\| ([^|]+) \| \[([^\]]+)\]\(docs\/([\w-]+)\.md[^)]*\)/gm)
  return [...rows].map(([, task, code, page]) => ({ page, task: capital(task), names: [...code.matchAll(/`([A-Za-z]\w*)/g)].map(([, name]) => name) }))
}

function linksOf(line) {
  const links = [...line.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)]
  return links.flatMap(([, text, path]) => {
    const link = siteLink(path, '')
    return link === undefined ? [] : [{ text: capital(text), link: link.replace(/\.md$/, '') }]
  })
}

/** `@ai-sdk-tool/parser` stays as it is. */
function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** The home page: README's sentences as the hero, then README up to the part that the sidebar shows. */
function home(recording) {
  const [, sentence, rest] = /^# \S+\n\n(.+)\n\n([^]*?)^## Documentation$/m.exec(read('README.md'))
  const hero = {
    name: 'tokenweir',
    // Words alone: the theme shows it as it is.
    tagline: withoutComments(sentence).replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('`', '').replace(/:$/, '.'),
    actions: [
      { theme: 'brand', text: 'Getting started', link: '/getting-started' },
      { theme: 'alt', text: 'Demo', link: '/demo/index.html', target: '_self' },
      { theme: 'alt', text: 'API', link: '/api/' },
    ],
  }
  // JSON is YAML.
  return `---\nlayout: home\nhero: ${JSON.stringify(hero)}\nrecording: ${JSON.stringify(recording)}\n---\n\n${withLinks(rest, '')}`
}

function sectionOf(text, title) {
  return text.split(/^## /m).find((part) => part.startsWith(`${title}\n`))
}

/** What is folded on GitHub is folded on the site: pages have no HTML of their own. */
function withFolds(text) {
  return text.replace(/^<details>\s*<summary>(.*)<\/summary>$/gm, '::: details $1').replace(/^<\/details>$/gm, ':::')
}

/** Figures stand between comments, which the pages of the site don't have. */
function withoutComments(text) {
  return text.replace(/<!--.*?-->/g, '')
}

/** The text with links that work in the site. Code blocks stay as they are. */
function withLinks(text, folder) {
  const parts = text.split(/(^```[^]*?^```$)/m)
  return parts.map((part, at) => (at % 2 === 1 ? part : withFolds(withoutComments(part)).replace(/\[([^\]]*)\]\(([^)\s]+)\)/g, (_, words, link) => linkTo(words, link, folder)))).join('')
}

function linkTo(words, link, folder) {
  if (/^(https?:|#)/.test(link)) return `[${words}](${link})`
  const inSite = siteLink(link, folder)
  if (inSite !== undefined) return `[${words}](${inSite})`
  const path = relative(root, resolve(root, folder, link.split('#')[0]))
  if (!existsSync(join(root, path))) throw new Error(`${folder}: the link ${link} leads nowhere`)
  if (repository === undefined) return words
  const kind = statSync(join(root, path)).isDirectory() ? 'tree' : 'blob'
  const [, heading] = link.split('#')
  return `[${words}](${repository}/${kind}/main/${path}${heading === undefined ? '' : `#${heading}`})`
}

/** The link in the site to a page of the repository, or undefined if it is not a page of the site. */
function siteLink(link, folder) {
  const [path, heading] = link.split('#')
  const target = relative(root, resolve(root, folder, path))
  const anchor = heading === undefined ? '' : `#${heading}`
  if (target === 'README.md') return `/${anchor}`
  return dirname(target) === 'docs' && target.endsWith('.md') ? `/${target.slice('docs/'.length)}${anchor}` : undefined
}

function read(path) {
  return readFileSync(join(root, path), 'utf8')
}
