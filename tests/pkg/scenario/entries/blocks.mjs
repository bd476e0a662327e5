import { BlockParser, hasUnclosedXmlBlock, IncrementalXmlParser, ParseError, visibleText } from 'tokenweir/blocks'
import { NativeBlocks } from 'tokenweir/reply'
import { scenario } from '../scenario.mjs'

export const run = () => scenario({ BlockParser, hasUnclosedXmlBlock, IncrementalXmlParser, NativeBlocks, ParseError, visibleText })
