// What coercion by a schema gives away, by name.
export { coerceBySchema, getSchemaType, schemaIsUnconstrained, unwrapJsonSchema } from '../schema/coerce-by-schema.js'
