// An independent reader and writer of dot paths, to compare with the parser's.

/** The steps of a dot path: keys as strings, indexes as numbers. */
export function stepsOf(path) {
  const steps = []
  let at = 0
  while (at < path.length) {
    if (path.startsWith('["', at)) {
      let end = at + 2
      while (path[end] !== '"') end += path[end] === '\\' ? 2 : 1
      steps.push(JSON.parse(path.slice(at + 1, end + 1)))
      at = end + 2
    } else if (path[at] === '[') {
      const end = path.indexOf(']', at)
      steps.push(Number(path.slice(at + 1, end)))
      at = end + 1
    } else {
      const start = path[at] === '.' ? at + 1 : at
      for (at = start; at < path.length && path[at] !== '.' && path[at] !== '['; ) at++
      steps.push(path.slice(start, at))
    }
  }
  return steps
}

/** The dot path of some steps, with `star` for each index, if given. */
export function dotPath(steps, star) {
  let path = ''
  for (const step of steps) {
    if (typeof step === 'number') path += `[${star ?? step}]`
    else if (step === '' || step === '*' || /[.[\]]/.test(step) || (path === '' && step.startsWith('/'))) path += `[${JSON.stringify(step)}]`
    else path += path === '' ? step : `.${step}`
  }
  return path
}

/** The value at the end of some steps, or undefined. Only own members count. */
export function valueAt(root, steps) {
  let value = root
  for (const step of steps) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    value = value[step]
  }
  return value
}

/** Every value below a root with its steps, children before their parents. */
export function* valuesBelow(root, steps = []) {
  if (typeof root !== 'object' || root === null) return
  for (const key of Object.keys(root)) {
    const at = [...steps, Array.isArray(root) ? Number(key) : key]
    yield* valuesBelow(root[key], at)
    yield [at, root[key]]
  }
}
