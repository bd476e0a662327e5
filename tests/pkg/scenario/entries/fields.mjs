import { FieldStream, ParseError, parseFields, parsePartial, StreamingJSONParser } from 'tokenweir/fields'
import { fieldScenario } from '../scenario.mjs'

export const run = () => fieldScenario({ FieldStream, ParseError, parseFields, parsePartial, StreamingJSONParser })
