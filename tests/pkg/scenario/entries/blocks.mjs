import { BlockParser, hasUnclosedXmlBlock, IncrementalXmlParser, ParseError, visibleText } from 'tokenweir/blocks'
import { scenario } from '../scenario.mjs'

export const run = () => scenario({ BlockParser, hasUnclosedXmlBlock, IncrementalXmlParser, ParseError, visibleText })
