// The public names of coercion by a schema.
export { coerceBySchema, getSchemaType, schemaIsUnconstrained, unwrapJsonSchema } from '../rxml/coerce-by-schema.js'
