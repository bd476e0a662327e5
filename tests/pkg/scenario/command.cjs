// The same with `require`.
const process = require('node:process')

const [name] = process.argv.slice(2)
// What saves and restores has no exports: what uses it are the parsers.
const entry = { ...(name === 'tokenweir/snapshot' && require('tokenweir/blocks')), ...require(name) }
import('./by-entry.mjs')
  .then(({ byEntry }) => byEntry[name](entry))
  .then((checks) => console.log(String(checks)))
