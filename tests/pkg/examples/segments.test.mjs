// The output of examples/segments.mjs; and it executes only approved calls.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { run } from './running.mjs'

const recorded = [
  "I'll give the agent a counter for the arguments of a call. With n < 1 of them there is nothing to count.",
  '',
  '  ┌ tools/count_args.py',
  '  │ """Counts the arguments of a call that is written as XML."""',
  '  │',
  '  │ import re',
  '  │ import sys',
  '  │',
  `  │ ARG = re.compile(r'<arg name="(\\w+)">(.*?)</arg>', re.DOTALL)`,
  '  │',
  '  │',
  '  │ def count(text: str) -> int:',
  '  │     return len(ARG.findall(text))',
  '  │',
  '  │',
  '  │ if __name__ == "__main__":',
  '  │     n = count(sys.stdin.read())',
  '  │     print("none" if n < 1 else f"{n} → ok")',
  '  ✗ write_file: refused',
  '',
  'Let me see what the notes say about calls & their arguments.',
  '',
  '  → search_notes {"query":"calls & arguments, <arg>","limit":3,"folders":["notes","drafts/2026"]}',
  '',
  "Then I'd like to try it:",
  '',
  '  $ python3 tools/count_args.py < tests/call.xml && git status --short',
  '  ✗ run_bash: refused',
  '',
  'If that prints a number, the old script can go.',
  '',
  '  $ git rm -r legacy/ && rm -rf bu',
  '  ✗ not called: run_bash not closed before the end of the text, opened at 1088: it is not called; see the option acceptUnterminated (unterminated)',
  '',
  '0 done, 2 refused, 1 not called',
]

const answer = [
  'Hi.',
  '<write_file path="a/b.sh">echo hello',
  "printf '\\033[31mred\\n'",
  'exit 3',
  '</write_file>',
  '<run_bash>sh a/b.sh; ls a</run_bash><run_bash>sh a/b.sh</run_bash>',
  '<write_file path="../outside.txt">x</write_file><write_file path="/outside.txt">x</write_file>',
  '<run_bash>touch never',
].join('\n')

const allowed = [
  'Hi.',
  '  ┌ a/b.sh',
  '  │ echo hello',
  "  │ printf '\\033[31mred\\n'",
  '  │ exit 3',
  '  → wrote a/b.sh',
  '',
  '  $ sh a/b.sh; ls a',
  '  → hello',
  '  → �[31mred',
  '  → b.sh',
  '  $ sh a/b.sh',
  '  → hello',
  '  → �[31mred',
  '  → ended with code 3',
  '',
  '  ┌ ../outside.txt',
  '  │ x',
  '  ✗ write_file: ../outside.txt is outside the folder',
  '  ┌ /outside.txt',
  '  │ x',
  '  ✗ write_file: /outside.txt is outside the folder',
  '',
  '  $ touch never',
  `  ✗ not called: run_bash not closed before the end of the text, opened at ${answer.lastIndexOf('<run_bash>')}: it is not called; see the option acceptUnterminated (unterminated)`,
]

/** Runs the example on the answer above, in its own folder. */
function onAnswer(t, args, env) {
  const folder = mkdtempSync(join(tmpdir(), 'tokenweir-test-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'answer.txt')
  writeFileSync(file, answer)
  const into = mkdtempSync(join(folder, 'into-'))
  const { status, stdout, stderr } = run('segments.mjs', [file, '--into', into, ...args], { env })
  assert.deepEqual([status, stderr], [0, ''])
  return { folder, into, lines: stdout.trimEnd().split('\n') }
}

describe('the recorded answer', () => {
  for (const args of [['--no'], ['--no', '--chunk', '1'], ['--no', '--chunk', '100000'], []]) {
    test(`${args.join(' ') || 'without a terminal and a flag'}: nothing is executed`, () => {
      // An unrequested yes is ignored.
      const { status, stdout, stderr } = run('segments.mjs', args, { input: 'y\ny\ny\n' })
      assert.deepEqual([status, stderr], [0, ''])
      assert.deepEqual(stdout.trimEnd().split('\n'), recorded)
    })
  }
})

describe('an answer with commands that run', () => {
  for (const size of ['1', '5', '1000']) {
    test(`--yes, in chunks of ${size}: files are written and commands run, but nothing outside the folder and nothing unfinished`, (t) => {
      const { folder, into, lines } = onAnswer(t, ['--yes', '--chunk', size])
      assert.deepEqual(lines, [...allowed, '', `3 done, 0 refused, 3 not called; in ${into}`])
      assert.deepEqual(readdirSync(into, { recursive: true }).sort(), ['a', join('a', 'b.sh')])
      assert.equal(readFileSync(join(into, 'a/b.sh'), 'utf8'), "echo hello\nprintf '\\033[31mred\\n'\nexit 3\n")
      assert.equal(readdirSync(folder).includes('outside.txt'), false)
    })
  }

  test('--no, even with --yes: nothing is executed', (t) => {
    const { into, lines } = onAnswer(t, ['--no', '--yes'])
    assert.equal(lines.filter((line) => line.endsWith(': refused')).length, 5)
    assert.equal(lines.at(-1), `0 done, 5 refused, 1 not called; in ${into}`)
    assert.deepEqual(readdirSync(into), [])
  })

  test('colours appear when requested, and have their meaning', (t) => {
    const text = onAnswer(t, ['--yes'], { FORCE_COLOR: '1' }).lines.join('\n')
    assert.ok(text.includes('\u001b[1ma/b.sh\u001b['), 'the path is bold')
    assert.ok(text.includes('\u001b[32mhello\u001b[39m'), 'what a command says is green')
    assert.match(text, /\u001b\[31mnot called: run_bash/)
    assert.ok(text.includes('�[31mred'), 'what a program prints steers nothing')
  })
})
