// The settings of VitePress, for pages that site/build.mjs wrote.
import { env } from 'node:process'
import { names } from '../pkg-template/typedoc.mjs'
import { repository, sidebar } from './pages.mjs'
import { search } from './search.mjs'

/** The anchors of headings, as on GitHub. */
const slugify = (title) => title.trim().toLowerCase().replace(/[^\p{L}\p{N}_\- ]/gu, '').replaceAll(' ', '-')

/** A table with more rows is searched. */
const LONG = 50

/** A long table is in a component that filters it. A row whose first cell is code has that as its id. */
function searchLongTables(md) {
  md.core.ruler.push('long-tables', ({ tokens, Token }) => {
    for (let at = tokens.length - 1; at >= 0; at--) {
      if (tokens[at].type !== 'table_open') continue
      const end = tokens.findIndex(({ type }, index) => index > at && type === 'table_close')
      const rows = tokens.slice(at, end).flatMap(({ type }, index) => (type === 'tr_open' ? [at + index] : []))
      if (rows.length <= LONG) continue
      for (const row of rows) {
        const [cell, ...others] = tokens[row + 2].children ?? []
        if (cell?.type === 'code_inline' && others.length === 0) tokens[row].attrSet('id', cell.content)
      }
      const html = (content) => Object.assign(new Token('html_block', '', 0), { content })
      tokens.splice(end + 1, 0, html('</SearchTable>\n'))
      tokens.splice(at, 0, html('<SearchTable>\n'))
    }
  })
}

/** @type {import('vitepress').UserConfig} */
export default {
  title: 'tokenweir',
  description: "Reads a language model's output while it is being written.",
  base: env.SITE_BASE ?? '/',
  lang: 'en',
  cleanUrls: false,
  ignoreDeadLinks: false,
  outDir: '../site',
  cacheDir: '../site-cache',
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  markdown: {
    // Pages quote tags of models, never HTML.
    html: false,
    anchor: { slugify },
    languageAlias: { 'rust,no_run': 'rust' },
    config(md) {
      const { escapeHtml } = md.utils
      // Vue would take two braces for an expression.
      md.renderer.rules.text = (tokens, at) => escapeHtml(tokens[at].content).replaceAll('{', '&#123;')
      searchLongTables(md)
    },
  },
  themeConfig: {
    search,
    outline: [2, 3],
    nav: [
      { text: 'Getting started', link: '/getting-started' },
      { text: 'API', link: '/api/' },
      { text: 'Demo', link: '/demo/index.html', target: '_self' },
    ],
    sidebar: { '/': sidebar(), '/api/': [{ text: 'Reference', items: names.map((name) => ({ text: name, link: `/api/${name}` })) }, ...sidebar()] },
    ...(repository === undefined ? {} : { socialLinks: [{ icon: 'github', link: repository }] }),
  },
}
