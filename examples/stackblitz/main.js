// A local model's reply, as Qwen 3 writes it, in chunks of three characters: thinking, text and a call come apart, and
// no part of a tag is shown. In place of `chunks` take `fetch(…)` of a server that streams.
import { readReply } from 'tokenweir'

const REPLY = `<think>Porto, so I need the weather.</think>

I look at the weather in **Porto**.
<tool_call>
{"name": "weather", "arguments": {"city": "Porto", "days": 2}}
</tool_call>`

const weather = { type: 'object', properties: { city: { type: 'string' }, days: { type: 'integer' } }, required: ['city'] }
const PACE = Number(new URLSearchParams(location.search).get('pace') ?? 40)

/** @param {string} id @param {string} text */
const show = (id, text) => document.getElementById(id)?.append(text)

async function* chunks() {
  for (let from = 0; from < REPLY.length; from += 3) {
    await new Promise((resolve) => setTimeout(resolve, PACE))
    const chunk = REPLY.slice(from, from + 3)
    show('raw', chunk)
    yield chunk
  }
}

async function play() {
  for (const element of document.querySelectorAll('pre')) element.textContent = ''
  const reply = readReply(chunks(), { model: 'qwen3', tools: { weather } })
  for await (const emission of reply) {
    if (emission.kind !== 'content') continue
    const { type, visible } = emission.meta
    if (visible) show('text', emission.text)
    else if (type === 'thinking') show('thinking', emission.text)
  }
  for (const { toolName, input } of (await reply.result()).toolCalls) show('calls', `${toolName} ${input}\n`)
}

document.querySelector('button')?.addEventListener('click', play)
await play()
// What a test reads.
document.body.dataset.outcome = ['thinking', 'text', 'calls'].map((id) => document.getElementById(id)?.textContent?.trim()).join(' | ')
