// The public names of YAML.
export { withYaml } from '../yaml/reader.js'
