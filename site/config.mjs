// The settings of VitePress, for pages that site/build.mjs wrote.
import { env } from 'node:process'
import { names } from '../pkg-template/typedoc.mjs'
import { repository, sidebar } from './pages.mjs'
import { search } from './search.mjs'

/** The anchors of headings, as on GitHub. */
const slugify = (title) => title.trim().toLowerCase().replace(/[^\p{L}\p{N}_\- ]/gu, '').replaceAll(' ', '-')

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
    config(md) {
      const { escapeHtml } = md.utils
      // Vue would take two braces for an expression.
      md.renderer.rules.text = (tokens, at) => escapeHtml(tokens[at].content).replaceAll('{', '&#123;')
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
