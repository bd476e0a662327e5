// The public names of robust XML.
export { RXMLCoercionError, RXMLDuplicateStringTagError, RXMLParseError } from '../rxml/errors.js'
export { RXMLStringifyError } from '../rxml/stringify-error.js'
export { parse } from '../rxml/parse.js'
export type { RXMLParseOptions } from '../rxml/parse.js'
export { RXML, rxml } from '../rxml/rxml.js'
export { stringify } from '../rxml/stringify.js'
export type { RXMLStringifyOptions } from '../rxml/stringify.js'
