// Named imports, as in a program: a bundler drops the rest, but must keep the start of the WebAssembly.
import { ParseError, ResponseError, readReply, version, visibleText } from 'tokenweir'
import { mainScenario } from '../scenario.mjs'

export const run = () => mainScenario({ ParseError, ResponseError, readReply, version, visibleText })
