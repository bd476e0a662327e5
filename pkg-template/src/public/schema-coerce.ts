// The public names of coercion by a schema.
import '../rxml/xml-in-strings.js'

export { coerceBySchema, getSchemaType, schemaIsUnconstrained, unwrapJsonSchema } from '../schema/coerce-by-schema.js'
