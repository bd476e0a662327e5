// The wasm that reads blocks, whichever that is: apart from its machine, so that an entry that only starts it doesn't load that.

import type { Exports } from '../generated/blocks.js'
import { Border } from './border.js'

export const blockBorder = new Border<Exports>()
