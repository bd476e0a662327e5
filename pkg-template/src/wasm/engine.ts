// The border of all front-ends but blocks, and of the readers of whole texts.

import type { Exports } from '../generated/tokenweir.js'
import { Border } from './border.js'

export const engine = new Border<Exports>()
