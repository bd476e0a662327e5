// The types of assets that build.mjs loads.

declare module '*.txt' {
  const text: string
  export default text
}

declare module '*.xml' {
  const text: string
  export default text
}

/** The text of a test case: `case:` and its file and name, as in `case:block/calls#two-invokes`. */
declare module 'case:*' {
  const text: string
  export default text
}
