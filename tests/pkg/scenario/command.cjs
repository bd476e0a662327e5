// The same with `require`.
const process = require('node:process')

const [name] = process.argv.slice(2)
import('./by-entry.mjs')
  .then(({ byEntry }) => byEntry[name](require(name)))
  .then((checks) => console.log(String(checks)))
