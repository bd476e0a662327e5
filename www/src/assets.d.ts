// The types of what build.mjs loads.

/** What build.mjs reads from the package's own package.json. */
declare const PACKAGE: { readonly name: string; readonly docs?: string; readonly source?: string }

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
