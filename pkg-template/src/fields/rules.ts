// The names of the rules by which text that is no JSON is read all the same, in
// the order of `Rule::ALL` in src/json/tolerance.rs (tests/field/wire.rs compares them).

const RULES: readonly string[] = [
  'comment',
  'trailing-comma',
  'single-quotes',
  'unquoted-key',
  'hex-number',
  'plus-sign',
  'bare-point',
  'non-finite',
  'line-continuation',
  'json5-escape',
  'json5-whitespace',
  'raw-control',
  'python-word',
  'triple-quotes',
  'missing-comma',
  'doubled-comma',
  'stray-closer',
]

/** The names of a set of rules, one bit each, sorted. */
export function ruleNames(bits: number): string[] {
  return RULES.filter((_, at) => (bits >>> at) & 1).sort()
}
