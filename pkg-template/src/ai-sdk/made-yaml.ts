// What makes the middleware of calls in YAML, with what reads it.

import { writableFormat } from '../formats/writable.js'
import { withYaml } from '../yaml/reader.js'
import { YAML_XML } from './format-protocols.js'
import { ofFormat } from './made-format.js'
import type { ToolMiddleware } from './types.js'

export function yamlXml(): ToolMiddleware {
  return ofFormat({ format: withYaml(writableFormat('yamlXmlToolMiddleware', YAML_XML)) })
}
