// Named imports, as in a program: a bundler drops the rest, but must keep the start of the WebAssembly.
import { NativeBlocks, ParseError, ResponseError, SentenceStream, readReply, sentences, version, visibleText } from 'tokenweir'
import { mainScenario } from '../scenario.mjs'

export const run = () => mainScenario({ NativeBlocks, ParseError, ResponseError, SentenceStream, readReply, sentences, version, visibleText })
