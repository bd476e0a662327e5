// The search of the site: pages come before the signatures in the reference, and what a reader wants to do before both.
import { tasks } from './pages.mjs'

/** What each page is the answer to, in the words of someone who searches; more words for the same after a colon. */
const TASKS = {
  'getting-started': ['Install: begin, first program', 'Speak a reply: voice, aloud, sentence by sentence'],
  'from-fetch-to-screen': ['Show a reply while it streams: text, response', 'Hide thinking: reasoning, think tags', 'Stop a stream: cancel, abort', 'Proxy a provider: error, key, server'],
  'agent-loop': ['Run a tool call: execute, calls, agent, loop', 'Send tool results: answer of a tool'],
  'continue-retry-resume': ['Continue a reply that was cut: length, max_tokens, prefill', 'Retry after an error: overloaded, 529, 503, interrupted'],
  args: ['Show tool arguments while they stream: streaming, partial arguments', 'Show a file while the model writes it: file preview', 'Approve a call before its end: ask, approval', 'Show the progress of a list'],
  edits: ['Show edits while they stream: patch, diff, coding agent'],
  fields: ['Show JSON while it streams: partial, live, fill a form', 'Structured output: schema, validate, answer'],
  reload: ['Reload the page in the middle of a reply: refresh, come back'],
  'resumable-streams': ['Resume a stream: restart, reconnect, lost connection, Redis, snapshot'],
  respond: ['Answer useChat: UI messages, AG-UI, CopilotKit, protocol'],
  'openai-proxy': ['Serve an OpenAI endpoint: base URL of a local model, chat completions'],
  guard: ['Redact keys and card numbers: secrets, moderation, stop phrases'],
  'reasoning-models': ['Show thinking: reasoning of a model'],
  'local-models': ['Use a local model: llama.cpp, Ollama, vLLM, LM Studio, parse tool calls'],
  frameworks: ['Show a reply in React, Vue or Svelte: hook, component', 'A stop button: abort in a component'],
  'custom-tags': ['Read artifacts, citations and mentions: custom tags'],
  'tool-calls': ['Parse tool calls: middleware of the AI SDK', 'Repair a tool call: malformed, broken arguments'],
  segments: ['Run commands of a coding agent: files, ask before, approve'],
}

const README = tasks()

/** The same for README's tasks, which are found by their names, too. */
function fromReadme(page) {
  return README.flatMap(({ page: of, task, names }) => (of === page ? [`${[...names, task].join(' · ')}: ${task}`] : []))
}

/** A page as the search reads it: each task is a section of its own, whose link leads to the page's start. */
function render(source, env, md) {
  const page = env.relativePath.replace(/\.md$/, '')
  const sections = [...fromReadme(page), ...(TASKS[page] ?? [])].map((task) => {
    const [title, words = title] = task.split(': ')
    const anchor = `task-${title.toLowerCase().replaceAll(/\W+/g, '-')}`
    return `\n<h2 id="${anchor}">${title} <a class="header-anchor" href="#${anchor}"></a></h2>\n<p>${words}</p>\n`
  })
  return md.render(source, env) + sections.join('')
}

// The functions below run in the reader's browser: VitePress sends their text there, so they use nothing outside.

/** How much a section counts: tasks and guides first, then what few readers look for, then the reference, where a symbol is found by its name. */
function weightOf(id, term, { title }) {
  if (id.includes('/api/')) {
    if (title.toLowerCase().replace(/\W+$/, '') !== term) return 0.02
    return /\/(membrane|agently|autobyteus|ai-sdk-tool-parser)/.test(id) ? 0.1 : 0.2
  }
  if (id.includes('#task-')) return 1.5
  return /\/(migration-|membrane-and|adversarial|benchmarks|proof|sizes|rust|limits)/.test(id) ? 0.3 : 1
}

/** The words of a question that say nothing about its answer. */
function wordOf(term) {
  const word = term.toLowerCase()
  return ['a', 'an', 'the', 'it', 'is', 'of', 'to', 'in', 'how', 'do', 'i', 'my', 'me', 'with', 'while', 'for', 'and'].includes(word) ? null : word
}

/** The search of VitePress' theme. */
export const search = {
  provider: 'local',
  options: { _render: render, miniSearch: { searchOptions: { boostDocument: weightOf, processTerm: wordOf } } },
}
