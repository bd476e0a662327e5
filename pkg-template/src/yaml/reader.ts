// Formats whose calls are written in YAML. Only what imports this module has the package
// `yaml` in its bundle.

import type { Format } from '../formats/types.js'
import { YAML_READER } from '../arguments/yaml-reader.js'
import { yamlArguments } from './arguments.js'

/**
 * A format whose body is YAML, with what reads it. It is a copy; other formats stay as they are.
 *
 * @example
 * ```ts
 * import { withYaml } from 'tokenweir/ai-sdk-tool-parser'
 *
 * console.log(withYaml({ id: 'mine', call: { body: 'yaml' } }).call?.body) // yaml
 * ```
 */
export function withYaml<Row extends Format>(format: Row): Row {
  if (format.call?.body !== 'yaml') return format
  return Object.freeze({ ...format, [YAML_READER]: yamlArguments })
}
