/**
 * Formats whose calls are written in YAML.
 *
 * @packageDocumentation
 */
export * from '../public/yaml.js'
