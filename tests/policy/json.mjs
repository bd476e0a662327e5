// Reads JSON that was emitted. Rule 7: no object has a key twice.
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g

/** The value of a JSON text whose keys come once each; throws for any other. */
export function valueOf(json) {
  const value = JSON.parse(json)
  const keys = []
  let last
  for (const [token] of json.matchAll(TOKEN)) {
    if (token === '{' || token === '[') keys.push(new Set())
    else if (token === '}' || token === ']') keys.pop()
    else if (token === ':') {
      if (keys.at(-1).has(last)) throw new Error(`the key ${last} comes twice in ${json}`)
      keys.at(-1).add(last)
    }
    last = token
  }
  return value
}
