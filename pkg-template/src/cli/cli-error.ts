// Errors that end the program with a message and an exit code.

/** Success; the reader of the output may have closed the pipe. */
export const FINE = 0
/** The input is unreadable or invalid. */
export const INPUT = 1
/** The command line is invalid. */
export const USAGE = 2

/** A message for stderr, without a stack trace. */
export class CliError extends Error {
  constructor(
    readonly exitCode: typeof INPUT | typeof USAGE,
    message: string,
  ) {
    super(message)
  }
}

/** Makes an object of the package from the command line's options: what the package rejects is a usage error. */
export function byOptions<Made>(make: () => Made): Made {
  try {
    return make()
  } catch (error) {
    if (error instanceof TypeError) throw new CliError(USAGE, error.message)
    throw error
  }
}

/** Makes something from a file, and names the file in its error. */
export function byFile<Made>(path: string, make: () => Made): Made {
  try {
    return make()
  } catch (error) {
    if (error instanceof TypeError) throw new CliError(INPUT, `${path}: ${error.message}`)
    throw error
  }
}
