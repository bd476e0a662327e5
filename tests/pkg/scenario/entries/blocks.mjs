import { BlockParser, ParseError, visibleText } from 'tokenweir/blocks'
import { scenario } from '../scenario.mjs'

export const run = () => scenario({ BlockParser, ParseError, visibleText })
