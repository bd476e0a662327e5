// Programs that run scenarios and print the number of checks.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'

/** Runs a program to its end; what it printed, and how it ended. */
export function execute(program, args, options = {}) {
  return new Promise((resolve) => {
    execFile(program, args, { timeout: 120_000, maxBuffer: 2 ** 26, ...options }, (error, stdout, stderr) => resolve({ error, stdout, stderr }))
  })
}

/** Runs a program that must print the number of its checks and nothing else. */
export async function assertRuns(program, args, options) {
  const { error, stdout, stderr } = await execute(program, args, options)
  assert.equal(error, null, `${stdout}${stderr}`)
  assert.equal(stderr, '')
  assertChecks(stdout)
}

/** A number of checks. Without it something failed, and then that is the message. */
export function assertChecks(outcome) {
  assert.match(String(outcome).trim(), /^\d+$/)
  assert.ok(Number(outcome) > 1, `only ${outcome} checks`)
}
