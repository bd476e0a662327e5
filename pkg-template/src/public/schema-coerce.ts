// What coercion by a schema gives away, by name.
import '../rxml/xml-in-strings.js'

export { coerceBySchema, getSchemaType, schemaIsUnconstrained, unwrapJsonSchema } from '../schema/coerce-by-schema.js'
