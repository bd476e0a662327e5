// The same thinking in two forms, in deltas of a chat: rule 34 asks for all others.
import { NativeBlocks } from 'tokenweir'

const full = (text) => ({ reasoning_content: text })
const short = (text) => ({ reasoning_summary: text })
const details = (text) => ({ reasoning_details: [{ type: 'reasoning.text', text }] })
const STREAMS = {
  'interleaved, in full first': [full('The'), short('The'), full(' user asks.'), short(' user asks.')],
  'interleaved, the summary first': [short('The'), full('The'), short(' user'), full(' user asks.'), short(' asks.')],
  'a summary that says something else': [full('The user'), short('Thinking about'), full(' asks.'), short(' it.')],
  'all of it again in another field': [full('The user'), full(' asks.'), details('The user asks.')],
  'a field that goes on alone': [{ ...full('The user'), ...details('The user') }, details(' asks.')],
  'another field that goes on': [full('The user'), details(' asks.')],
  'all of it again after the text': [full('The user asks.'), { content: 'Hi' }, details('The user asks.')],
}

function thinkingOf(deltas) {
  let thinking = ''
  const blocks = new NativeBlocks({ onChunk: (text, { type }) => type === 'thinking' && (thinking += text) })
  for (const delta of deltas) blocks.openai({ choices: [{ index: 0, delta }] })
  blocks.flush()
  return thinking
}

export default {
  rule: 36,
  title: 'The same thinking in two forms counts once',
  *ask({ name }) {
    if (name !== 'native openai') return
    for (const [how, deltas] of Object.entries(STREAMS)) {
      const thinking = thinkingOf(deltas)
      yield { name: how, check: () => (thinking === 'The user asks.' ? undefined : JSON.stringify(thinking)) }
    }
    const late = thinkingOf([short('It thinks.'), full('The user asks.')])
    yield { name: 'in full after a summary that was emitted', check: () => (late === 'It thinks.' ? undefined : JSON.stringify(late)) }
  },
  atLeast: 8,
}
