// Whether output is coloured: what was asked for first, then the environment,
// then whether somebody looks at it.
//
// Source: no-color.org; nodejs.org, `FORCE_COLOR`.

/** Whether to write colours. `asked` is `--color` or `--no-color`. */
export function hasColours(asked: boolean | undefined, stream: { readonly isTTY?: boolean }, environment: Readonly<Record<string, string | undefined>>): boolean {
  if (asked !== undefined) return asked
  const { NO_COLOR: none, FORCE_COLOR: forced, TERM: terminal } = environment
  if (none !== undefined && none !== '') return false
  if (forced !== undefined) return forced !== '0' && forced !== 'false'
  return stream.isTTY === true && terminal !== 'dumb'
}
