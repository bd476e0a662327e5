// The checksum of a snapshot: written here as it is in the package, to change snapshots that pass it.
export function checksum({ v, parser, format = null, engine, options, given, keepText, state }) {
  const text = JSON.stringify([v, parser, format, engine, typeof options === 'object' && options !== null && !Array.isArray(options) ? Object.entries(options).sort(([a], [b]) => (a < b ? -1 : 1)) : options, given, keepText, state])
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return (hash >>> 0).toString(36)
}
