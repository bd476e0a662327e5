import { BlockParser, hasUnclosedXmlBlock, IncrementalXmlParser, NativeBlocks, ParseError, visibleText } from 'tokenweir/blocks'
import { scenario } from '../scenario.mjs'

export const run = () => scenario({ BlockParser, hasUnclosedXmlBlock, IncrementalXmlParser, NativeBlocks, ParseError, visibleText })
