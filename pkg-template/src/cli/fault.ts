// What ends the program with a sentence and an exit code.

/** All went well; the reader of our output may have had enough. */
export const FINE = 0
/** The input could not be read, or has a fault. */
export const INPUT = 1
/** The command line makes no sense. */
export const USE = 2

/** A sentence for stderr, without a stack trace. */
export class Fault extends Error {
  constructor(
    readonly exitCode: typeof INPUT | typeof USE,
    message: string,
  ) {
    super(message)
  }
}

/** Makes something of the package by what the command line says: what the package refuses is wrong use. */
export function byOptions<Made>(make: () => Made): Made {
  try {
    return make()
  } catch (error) {
    if (error instanceof TypeError) throw new Fault(USE, error.message)
    throw error
  }
}

/** The same by what a file says. */
export function byFile<Made>(path: string, make: () => Made): Made {
  try {
    return make()
  } catch (error) {
    if (error instanceof TypeError) throw new Fault(INPUT, `${path}: ${error.message}`)
    throw error
  }
}
