// What in-browser-model.html uses of transformers.js 4.3.2, for its test: a model that writes the replies of
// `globalThis.replies` in order, token by token, with the streamer's rules.
/** Texts that are one token of their own, which a streamer shows immediately or leaves out. */
const SPECIAL = /(<\|[^|]*\|>|<\/?(?:tool_call|think)>)/

export const AutoTokenizer = {
  async from_pretrained(id) {
    if (!Object.hasOwn(globalThis.configs, id)) throw new Error(`There is no ${id}.`)
    return new Tokenizer(globalThis.configs[id])
  },
}

class Tokenizer {
  constructor(config) {
    this.config = config
  }

  get_chat_template() {
    return this.config.chat_template
  }

  /** ChatML with whatever the configuration has the prompt end with. */
  apply_chat_template(messages, { tools, tokenize = true, add_generation_prompt = false }) {
    const turns = messages.map((message) => `<|im_start|>${message.role}\n${message.content}<|im_end|>\n`)
    const text = `${JSON.stringify(tools)}\n${turns.join('')}${add_generation_prompt ? `<|im_start|>assistant\n${this.config.opens ?? ''}` : ''}`
    return tokenize ? { input_ids: text, attention_mask: messages } : text
  }
}

export const AutoModelForCausalLM = {
  async from_pretrained(_, { dtype, device }) {
    if (dtype !== 'q4f16' || device !== 'webgpu') throw new Error('not a type of a browser')
    return new Model()
  },
}

class Model {
  generation_config = { eos_token_id: [7, 8] }

  async generate({ input_ids, attention_mask: messages, max_new_tokens, streamer, stopping_criteria }) {
    globalThis.asked.push({ prompt: input_ids, messages: structuredClone(messages) })
    const tokens = globalThis.replies.shift().split(SPECIAL).flatMap((text) => (SPECIAL.test(text) ? [text] : text.match(/\s*[^\s]+|\s+/g) ?? []))
    for (const token of tokens.slice(0, max_new_tokens)) {
      await new Promise((resolve) => setTimeout(resolve, 1))
      if (stopping_criteria.interrupted) break
      streamer.put(token)
    }
    streamer.end()
  }
}

export class InterruptableStoppingCriteria {
  interrupted = false

  interrupt() {
    this.interrupted = true
  }
}

/** Text is shown up to the last space, a special token immediately. */
export class TextStreamer {
  #pending = ''

  constructor(_, { skip_prompt = false, skip_special_tokens = true, callback_function, token_callback_function }) {
    if (!skip_prompt) throw new Error('the prompt would be shown')
    Object.assign(this, { skip_special_tokens, callback_function, token_callback_function })
  }

  put(token) {
    this.token_callback_function([token === '<|im_end|>' ? 7n : 1n])
    if (SPECIAL.test(token)) {
      if (this.skip_special_tokens) return
      this.end()
      this.#show(token)
      return
    }
    this.#pending += token
    const end = this.#pending.endsWith('\n') ? this.#pending.length : this.#pending.lastIndexOf(' ') + 1
    this.#show(this.#pending.slice(0, end))
    this.#pending = this.#pending.slice(end)
  }

  end() {
    this.#show(this.#pending)
    this.#pending = ''
  }

  #show(text) {
    if (text !== '') this.callback_function(text)
  }
}
