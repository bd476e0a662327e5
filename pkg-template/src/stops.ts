// What ends text that needs no reading.

/** Finds any of some characters. */
export function anyOf(stops: string): RegExp {
  return stops === '' ? /$^/ : new RegExp(`[${stops.replace(/[\\\]^-]/g, '\\$&')}]`)
}
