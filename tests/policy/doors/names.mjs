// What finds the wire format of a model by its name.
import { formatFor } from 'tokenweir/formats'

export default [
  {
    name: 'formatFor',
    family: 'names',
    write: { model: (name) => name },
    cuts: 'none',
    read: (pieces) => ({ row: formatFor(pieces.join(''))?.id ?? 'none' }),
  },
]
