// What reads YAML, alone: a file that is loaded when it is needed.
export { withYaml } from 'tokenweir/ai-sdk-tool-parser'
