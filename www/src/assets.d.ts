// What build.mjs makes of files that are no programs.

declare module '*.txt' {
  const text: string
  export default text
}

declare module '*.xml' {
  const text: string
  export default text
}

/** The text of a case of the tests: `case:` and its file and name, as in `case:block/calls#two-invokes`. */
declare module 'case:*' {
  const text: string
  export default text
}
