// The API reference as pages of the site: one for each entry.
import { fileURLToPath } from 'node:url'
import reference from '../pkg-template/typedoc.mjs'

/** @type {Partial<import('typedoc').TypeDocOptions>} */
export default {
  ...reference,
  plugin: [...reference.plugin, 'typedoc-plugin-markdown'],
  out: fileURLToPath(new URL('../target/site-pages/api', import.meta.url)),
  outputFileStrategy: 'modules',
  entryFileName: 'index',
  hidePageHeader: true,
  hideBreadcrumbs: true,
}
