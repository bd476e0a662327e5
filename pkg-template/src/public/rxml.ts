// The public names of robust XML.
export { RXMLCoercionError, RXMLDuplicateStringTagError, RXMLParseError } from '../rxml/errors.js'
export { RXMLStringifyError } from '../rxml/stringify-error.js'
export { parse, type RXMLParseOptions } from '../rxml/parse.js'
export { RXML, rxml } from '../rxml/rxml.js'
export { stringify, type RXMLStringifyOptions } from '../rxml/stringify.js'
