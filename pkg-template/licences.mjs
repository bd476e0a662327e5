// The licences of the packages that are bundled into a file.
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const modules = fileURLToPath(new URL('../node_modules', import.meta.url))

/** Their texts, by the paths of the bundled files; `what` contains them. */
export function licences(what, files) {
  const names = new Set(files.flatMap((file) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file.replaceAll('\\', '/'))?.[1] ?? []))
  if (names.size === 0) throw new Error(`${what} should contain a library, but none was found`)
  const texts = [...names].sort().map((name) => {
    const folder = join(modules, name)
    const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
    if (!file) throw new Error(`${name} ${version} has no licence file, so it can't be bundled`)
    return `${name} ${version}, licence ${license}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`
  })
  return `${what} contains these packages.\n\n${texts.join(`\n${'-'.repeat(72)}\n\n`)}`
}
