// The border of all parsers but blocks, and of the readers of whole texts.

import type { Exports } from '../generated/tokenweir.js'
import { Border } from './border.js'

export const engine = new Border<Exports>()
