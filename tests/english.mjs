// Finds calques in sources and docs: `npm test -- --only english`, or `node tests/english.mjs` alone. It prints each
// place with a replacement. An entry belongs in the table only if it is nearly always wrong in this repository.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { argv, exit } from 'node:process'
import { fileURLToPath } from 'node:url'
import { root } from './steps.mjs'

const CALQUES = [
  [/\b(?:is|are|was|were|be|been) told\b/i, 'is emitted, is reported'],
  [/\btellers?\b/i, 'emitter'],
  [/\btells\b/i, 'emits, reports, says'],
  [/\bhangs? on\b/i, 'depends on'],
  [/(?<!there )\b(?:is|are|was|were|be) none\b/, 'is invalid, is not one, is malformed'],
  [/\bof which\b/i, 'two sentences'],
  [/\bbombs?\b/i, 'adversarial input'],
  [/\bat once\b/i, 'immediately, as soon as it is known; together'],
  [/\bonce more\b/i, 'again'],
  [/\bby (?:itself|themselves)\b/i, 'alone, on its own'],
  [/\bof (?:no )?use\b/i, 'useful, useless'],
  [/\bmended\b/i, 'fixed'],
  [/\bin front of\b/i, 'before'],
  [/\bbehind\b/i, 'after'],
  [/\bwhat becomes of\b/i, 'the caller decides; is kept, is dropped'],
  [/\ba row of segments\b/i, 'a sequence of segments'],
  [/\bwrong use\b/i, 'misuse'],
  [/\b\w+_told\b|\btell[A-Z]\w*/, 'answered, reported'],
  [/\bWhat (?:it|they) (?:is|are)\.(?: \*\/)?$/m, 'its kind, or why it is there'],
  [/\bThe same[,.;]/, 'a sentence that says what, and why'],
]

/** What is nearly always wrong in the pages that users read: README.md, docs/*.md and the list of examples. */
const IN_PAGES = [
  [/\bown tags?\b|\btags of (?:your|its|their) own\b/i, 'custom tags'],
  [/\bpieces\b/i, 'chunks'],
  [/\bwhat (?:it|they|each) gave\b/i, 'the result'],
  [/\bhold(?:s|ing)? (?:a model|models|it|them) to\b/i, 'constrain'],
  [/\bway of (?:its|their) own\b/i, 'a format of its own'],
  [/\b(?:is|are|was|were|looks?|comes?)(?: not)? whole\b/i, 'complete'],
  [/\bwhole (?:calls?|texts?|reply|replies|answers?|arguments|documents?|turns?|match|ones?)\b/i, 'complete'],
  [/\bas soon as it is\b/i, 'a sentence that says what happens, and when'],
]
const PAGES = /^(?:README\.md|docs\/[^/]+\.md|examples\/README\.md)$/

/** Places where a phrase is right: a file, an exact phrase or both, and the reason. */
const ALLOWED = [
  { file: 'tests/english.mjs', why: 'has the list' },
]

/** The searched files, and the exceptions: data, generated files and licences. */
const SEARCHED = /\.(?:rs|ts|mts|tsx|js|mjs|cjs|html|md|toml|jsonc|py)$|^tests\/(?:mutants\/known|known_differences)\.txt$|^package\.json$|\/fields\.json5$/
const NOT_SEARCHED = /^tests\/data\/|^tests\/fuzz\/seeds\/|LICENSE|lock\.|^examples\/streams\/.*\.(?:xml|txt)$/

const lineOf = (text, at) => text.slice(0, at).split('\n').length

/** The calques in a text: the line, the phrase, and the replacement. A phrase may span two lines. */
function calquesIn(file, text) {
  const prose = searchable(file, text)
  return [...CALQUES, ...(PAGES.test(file) ? IN_PAGES : [])].flatMap(([pattern, instead]) => {
    const spaced = new RegExp(pattern.source.replaceAll(' ', String.raw`(?:\s|[/*#!])+`), `g${pattern.flags}`)
    return [...prose.matchAll(spaced)].filter((found) => !isAllowed(file, prose, found)).map((found) => ({ line: lineOf(text, found.index), phrase: found[0].replace(/[\s/*#!]+/g, ' '), instead }))
  }).sort((one, other) => one.line - other.line)
}

function isAllowed(file, text, { index, 0: { length } }) {
  return ALLOWED.some((allowed) => {
    if (allowed.file !== undefined && allowed.file !== file) return false
    if (allowed.phrase === undefined) return true
    const from = Math.max(0, index - allowed.phrase.length)
    const at = text.indexOf(allowed.phrase, from)
    return at >= 0 && at <= index && at + allowed.phrase.length >= index + length
  })
}

/** Only the comments of a case file: the rest is input, or names of cases. Positions stay the same. */
function searchable(file, text) {
  if (!file.startsWith('tests/cases/')) return text
  return text.split('\n').map((line) => (line.startsWith('#') ? line : ' '.repeat(line.length))).join('\n')
}

/** Searches all tracked files; throws if there is a calque. */
export function checkEnglish() {
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 }).split('\0')
  const searched = files.filter((file) => SEARCHED.test(file) && !NOT_SEARCHED.test(file))
  if (searched.length < 100) throw new Error(`only ${searched.length} files are searched`)
  let count = 0
  for (const file of searched) {
    for (const { line, phrase, instead } of calquesIn(file, readFileSync(join(root, file), 'utf8'))) {
      console.error(`${file}:${line}: "${phrase}" → ${instead}`)
      count++
    }
  }
  if (count > 0) throw new Error(`${count} phrases to write in plain English`)
  console.log(`${searched.length} files, ${CALQUES.length + IN_PAGES.length} phrases, nothing found`)
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  try {
    checkEnglish()
  } catch (error) {
    console.error(`english: ${error.message}`)
    exit(1)
  }
}
