// CommonJS of ES modules: the same exports, the same text, cut only where a part doesn't need what follows.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { commonJs } from '../pkg-template/commonjs.mjs'

const MODULES = {
  'esm/chunks/base.js': 'const a=1,b=(e,n)=>e+n;class Base{static kind="base";a(){return a}}export{a as x,b as y,Base as z};',
  // `t` of the function is its own; `late` is declared after what refers to it.
  'esm/chunks/long.js': 'import{x as e,y as n}from"./base.js";const t=[e,2],r={e,t:t[1]};function early(t){return late(t)}function late(t){return n(t,e)}const o=e=>{const{t:n}=r;return[n,e,t]};class Long{early(e){return early(e)}static made=new Map([[t,o]])}const{size:s}=Long.made,u=s+n(1,2);function own(t=u){for(const e of[t])return[e,r.e,o(t)]}export{early as a,o as b,Long as Long,own as c,u as d};',
  'esm/entry.js': 'import{x as e}from"./chunks/base.js";import{Long as t,a as n,c as o,d as r}from"./chunks/long.js";export{b as o}from"./chunks/long.js";const s=[e,n(3),o(4),r,t.made.size],later=()=>import("./chunks/long.js").then(({a:e,c:t})=>[e(5),t(6)]);export{s as all,later,t as Long};',
}

/** The exports of the entry, and what it loads later, as text. */
async function outcome({ all, o, Long, later }) {
  return JSON.stringify([all, o(7), Long.name, new Long().early(8), await later()])
}

/** Runs `act` with the files in a folder. */
async function inFolder(files, type, act) {
  const folder = mkdtempSync(join(tmpdir(), 'tokenweir-commonjs-'))
  try {
    for (const [path, code] of [...files, ['package.json', `{ "type": "${type}" }`]]) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), code)
    }
    return await act(join(folder, 'esm/entry.js'))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const modules = new Map(Object.entries(MODULES))
const expected = await inFolder(modules, 'module', async (entry) => outcome(await import(pathToFileURL(entry).href)))

for (const near of [1_000, 300, 100]) {
  test(`what is longer than ${near} is cut, and gives the same`, async () => {
    const files = commonJs(modules, near)
    const cut = Object.entries(MODULES).filter(([path, code]) => path.includes('/chunks/') && code.length > near).map(([path]) => path.replace('.js', '2.js'))
    assert.deepEqual([...files.keys()].filter((path) => !modules.has(path)), cut)
    assert.equal(await inFolder(files, 'commonjs', async (entry) => outcome(createRequire(entry)(entry))), expected)
  })
}

test('what is too long for two parts has a beginning and an end that are not, and what is between them', async () => {
  const names = Array.from({ length: 40 }, (_, at) => `f${at}`)
  const long = names.map((name, at) => `function ${name}(){return ${at === 0 ? '[]' : `[...${names[at >> 1]}(),${at}]`}}`).join('')
  const entry = 'import{all,f39 as b}from"./chunks/long.js";const o=n=>[n,all()],Long=b,later=()=>[];export{o,Long,b as all,later};'
  const modules = new Map([['esm/chunks/long.js', `${long}function all(){return[f0().length,f39().length]}export{all,f39};`], ['esm/entry.js', entry.replace('b as all', 'all')]])
  const files = commonJs(modules, 500)
  assert.deepEqual([...files.keys()], ['esm/chunks/long.js', 'esm/chunks/long3.js', 'esm/chunks/long2.js', 'esm/entry.js'])
  for (const part of ['long', 'long2']) assert.ok(files.get(`esm/chunks/${part}.js`).length < 900)
  const run = ({ o, Long, all }) => JSON.stringify([o(1), Long(), all()])
  const expected = await inFolder(modules, 'module', async (entry) => run(await import(pathToFileURL(entry).href)))
  assert.equal(await inFolder(files, 'commonjs', async (entry) => run(createRequire(entry)(entry))), expected)
})

test('the text of both halves is that of the module', () => {
  const files = commonJs(modules, 300)
  const [first, second] = ['esm/chunks/long.js', 'esm/chunks/long2.js'].map((path) => files.get(path))
  assert.ok(first.includes('const t=[e,2],r={e,t:t[1]};function early(t){return late(t)}function late(t){return n(t,e)}'))
  assert.ok(second.includes('function own(t=u){for(const e of[t])return[e,r.e,o(t)]}'))
})

test('a module is not cut where what comes before needs what comes after', () => {
  const files = commonJs(new Map([['esm/chunks/ring.js', 'function a(){return b()}function b(){return c()}function c(){return a}export{a};']]), 10)
  assert.deepEqual([...files.keys()], ['esm/chunks/ring.js'])
})

for (const [what, code] of Object.entries({
  'an export that may change': 'let a=1;export{a};',
  'all names of a module': 'import*as a from"./base.js";export{a};',
  'the exports of a module without their names': 'export*from"./base.js";',
  'an import after a statement': 'f();import{x as a}from"./base.js";export{a};',
})) {
  test(`${what}: refused`, () => assert.throws(() => commonJs(new Map([['esm/a.js', code]])), /^Error: esm\/a\.js: /))
}
