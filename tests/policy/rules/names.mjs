import { loadNames } from '../../formats/names.mjs'

/** How packers, gateways, clouds and files write a name that its maker gave. */
const FORMS = {
  'as it is': (name) => name,
  'in capitals': (name) => name.toUpperCase(),
  'with a maker': (name) => `some-org/${name}`,
  'quantised by a packer': (name) => `unsloth/${name}-GGUF`,
  'with the maker glued on': (name) => `bartowski/Maker_${name}-GGUF`,
  'a file': (name) => `${name}-Q4_K_M.gguf`,
  'a file with a dot': (name) => `/srv/models/${name}.i1-Q4_K_M.gguf`,
  'a file with the maker': (name) => `Maker_${name}-IQ3_XXS-00001-of-00002.gguf`,
  'a path of Windows': (name) => ['C:', '.lmstudio', 'models', 'maker', `${name}-GGUF`, `${name}-Q8_0.gguf`].join('\\'),
  'by Ollama of Hugging Face': (name) => `hf.co/bartowski/Maker_${name}-GGUF:Q4_K_M`,
  'by Fireworks': (name) => `accounts/fireworks/models/${name.toLowerCase().replace(/(\d)\.(?=\d)/g, '$1p')}`,
  'by Groq': (name) => `groq/${name.toLowerCase()}`,
  'by Cloudflare': (name) => `@cf/maker/${name.toLowerCase()}-fp8`,
  'by Bedrock': (name) => `maker.${name.toLowerCase()}-v1:0`,
  'by Bedrock, in a region': (name) => `us.maker.${name.toLowerCase()}-v1:0`,
  'by Azure': (name) => `azureml://registries/azureml-maker/models/${name}/versions/3`,
  'by Databricks': (name) => `databricks-${name.toLowerCase()}`,
  'by Vertex': (name) => `publishers/maker/models/${name.toLowerCase()}-maas`,
  'by OpenRouter': (name) => `openrouter/maker/${name.toLowerCase()}:free`,
  'with a date': (name) => `${name}-20260115`,
  'of MLX': (name) => `mlx-community/${name}-4bit`,
  'by AWQ': (name) => `maker/${name}-AWQ`,
  'with underscores for dashes': (name) => name.replaceAll('-', '_'),
  'changed by another': (name) => `Huihui-${name}-abliterated`,
  'changed by another of two words': (name) => `Some_Josiefied-Own-${name}-v1`,
  'with underscores for points': (name) => name.replace(/(\d)\.(?=\d)/g, '$1_'),
}

/** Of Ollama's names, which have tags. */
const TAGGED = {
  'as it is': (name) => name,
  'with a quantisation': (name) => `${name}-q4_K_M`,
  'in a registry': (name) => `registry.ollama.ai/library/${name}`,
}

const isTagged = (name) => /^[^/]*:/.test(name)
/** As its maker gave it, without anything of a packer, a gateway or a file. Names without a number may mean one model. */
const isPlain = (name) => !/[:/\\_]|gguf$|^databricks-|^[a-z]+\.[a-z]/i.test(name) && /\d/.test(name)
const formsOf = (name) => (isTagged(name) ? TAGGED : isPlain(name) ? FORMS : { 'as it is': FORMS['as it is'] })

export default {
  rule: 101,
  title: 'A model has one row, however its name is written',
  *ask({ write }) {
    if (!write.model) return
    for (const { row, name } of loadNames()) {
      for (const [how, form] of Object.entries(formsOf(name))) {
        yield { name: `${name} ${how}`, input: write.model(form(name)), expected: { row } }
      }
    }
  },
  atLeast: 5_000,
}
