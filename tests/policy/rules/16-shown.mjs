// What is shown of a text: thinking, calls and results in tags are not, and markup that is quoted in Markdown code is.
const CALL = '<function_calls>\n<invoke name="run">\n<parameter name="command">ls</parameter>\n</invoke>\n</function_calls>'
const RESULT = '<function_results><result>a.md</result></function_results>'
const RUN = [['run', { command: 'ls' }]]

const TEXTS = [
  { name: 'a call', text: `I look.${CALL}Done.`, shown: 'I look.Done.', calls: RUN },
  { name: 'a call with a prefix', text: `I look.${CALL.replaceAll(/<(\/?)/g, '<$1ant\u006dl:')}Done.`, shown: 'I look.Done.', calls: RUN },
  { name: 'a call without a section', text: 'I look.<invoke name="run"><parameter name="command">ls</parameter></invoke>Done.', shown: 'I look.Done.', calls: RUN },
  { name: 'a result', text: `I looked.${RESULT}Done.`, shown: 'I looked.Done.', calls: [] },
  { name: 'thinking', text: '<think>Hm.</think>Done.', shown: 'Done.', reasoning: 'Hm.', calls: [] },
  { name: 'a call in thinking', text: `<thinking>Hm.${CALL}</thinking>Done.`, shown: 'Done.', reasoning: 'Hm.', calls: [] },
  { name: 'a call that is cut off', text: 'I look.<function_calls><invoke name="run"><parameter name="command">l', shown: 'I look.', calls: [] },
  { name: 'all of them', text: `<think>Hm.</think>I look.${CALL}${RESULT}Done.`, shown: 'I look.Done.', reasoning: 'Hm.', calls: RUN },
  { name: 'other tags', text: 'Use <b>this</b> & <invoice>.', shown: 'Use <b>this</b> & <invoice>.', calls: [] },
]
const QUOTED = [
  { name: 'a call in inline code', text: 'Write `<invoke name="run"></invoke>` first.' },
  { name: 'thinking in a fence', text: 'So:\n```\n<think>hm</think>\n```\nDone.' },
  { name: 'a call in a fence', text: `So:\n\`\`\`xml\n${CALL}\n\`\`\`\nDone.` },
]

const PLAIN = ['readReply', 'visibleText', 'VisibleTextStream']

export default {
  rule: 16,
  title: 'What is shown of a reply is what BlockParser shows, whichever way it comes',
  *ask(door) {
    const isPlain = PLAIN.includes(door.name)
    if (door.says === undefined && !isPlain) return
    const inputs = (text) => (door.says === undefined ? [text] : [door.says([text]), door.says([...text])])
    for (const { name, text, shown, calls, reasoning = '' } of TEXTS) {
      for (const input of inputs(text)) {
        // A provider's text may only repeat a call; that of a source of text is all that the model wrote.
        yield { name, input, expected: { text: shown, reasoning, calls: isPlain ? calls : [], ...(isPlain ? {} : { finishReason: 'stop' }) } }
        if (calls.length > 0 && !door.onlyText && !isPlain) yield { name: `${name}, with callsInText`, input, options: { callsInText: true }, expected: { text: shown, reasoning, calls, finishReason: 'tool-calls' } }
      }
    }
    for (const { name, text } of QUOTED) for (const input of inputs(text)) yield { name, input, expected: { text, reasoning: '', calls: [] } }
  },
  atLeast: 500,
}
