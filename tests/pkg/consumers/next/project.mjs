// Makes a standalone Next.js project: its bundler follows no links out of the
// project, so the tools that it needs are copied into it.
import { copyFileSync, cpSync, existsSync, linkSync, mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const consumers = fileURLToPath(new URL('..', import.meta.url))
const { packages } = JSON.parse(readFileSync(join(consumers, 'package-lock.json')))

/** Makes the project in a folder. */
export function makeProject(folder) {
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n')
  cpSync(join(consumers, 'next/app'), join(folder, 'app'), { recursive: true })
  cpSync(join(consumers, '../scenario'), join(folder, 'scenario'), { recursive: true })
  cpSync(join(consumers, 'support/report.mjs'), join(folder, 'report.mjs'))
  for (const path of closure(['next', 'react', 'react-dom'])) putInto(join(consumers, path), join(folder, path))
  putInto(join(consumers, '../../../node_modules/tokenweir'), join(folder, 'node_modules/tokenweir'))
}

/** The folders of these packages and their dependencies, as far as they are installed. */
function closure(names) {
  const found = new Set()
  const visit = (name, from) => {
    const path = [from && `${from}/node_modules/${name}`, `node_modules/${name}`].find((path) => path && packages[path])
    if (!path || found.has(path) || !existsSync(join(consumers, path))) return
    found.add(path)
    const { dependencies, optionalDependencies } = packages[path]
    for (const needed of Object.keys({ ...dependencies, ...optionalDependencies })) visit(needed, path)
  }
  for (const name of names) visit(name)
  return found
}

/** Links each file of a folder, or copies it where links are impossible. */
function putInto(from, to) {
  mkdirSync(to, { recursive: true })
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) putInto(source, target)
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target)
    else if (!linked(source, target)) copyFileSync(source, target)
  }
}

function linked(source, target) {
  try {
    linkSync(source, target)
    return true
  } catch {
    return false
  }
}
