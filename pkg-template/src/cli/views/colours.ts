// Whether output is coloured: the option decides first, then the environment,
// then whether the output is a terminal.
//
// Source: no-color.org; nodejs.org, `FORCE_COLOR`.

/** Whether to use colours. `asked` is `--color` or `--no-color`. */
export function hasColours(
  asked: boolean | undefined,
  stream: { readonly isTTY?: boolean },
  environment: Readonly<Record<string, string | undefined>>,
): boolean {
  if (asked !== undefined) return asked
  const { NO_COLOR: none, FORCE_COLOR: forced, TERM: terminal } = environment
  if (none !== undefined && none !== '') return false
  if (forced !== undefined) return forced !== '0' && forced !== 'false'
  return stream.isTTY === true && terminal !== 'dumb'
}
