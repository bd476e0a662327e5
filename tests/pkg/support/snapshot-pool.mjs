// A few processes that restore snapshots: see snapshot-child.mjs.
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('./snapshot-child.mjs', import.meta.url))

/** How long a list of jobs may take; longer, and a parser hangs. */
const LONGEST = 60_000

export class Pool {
  #idle = []
  #waiting = []
  #children = []

  constructor(size = 2) {
    for (let count = 0; count < size; count++) this.#idle.push(this.#start())
  }

  #start() {
    const child = fork(program, { serialization: 'advanced' })
    this.#children.push(child)
    return child
  }

  /** What the jobs of one list gave; `about` is what all of them have in common. */
  async run(jobs, about) {
    const child = this.#idle.pop() ?? (await new Promise((resolve) => this.#waiting.push(resolve)))
    try {
      return await new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`a restored parser hangs: ${JSON.stringify(jobs).slice(0, 2_000)}`)), LONGEST)
        const over = (code) => reject(new Error(`the process ended with ${code}`))
        child.once('exit', over)
        child.once('message', (answers) => {
          clearTimeout(timer)
          child.off('exit', over)
          resolve(answers)
        })
        child.send({ jobs, about })
      })
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#idle.push(child)
      else next(child)
    }
  }

  end() {
    for (const child of this.#children) child.kill()
  }
}

/** Tests wait for the processes: a few at the same time, so that none of them waits for the test. */
export const AT_ONCE = { concurrency: 3 }
