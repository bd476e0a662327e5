// Runs a bundle: calls its `run` with the name of an entry, and prints the number of checks.
import process from 'node:process'
import { pathToFileURL } from 'node:url'

const [path, entry] = process.argv.slice(2)
const bundle = await import(pathToFileURL(path))
console.log(String(await (bundle.run ?? bundle.default.run)(entry)))
