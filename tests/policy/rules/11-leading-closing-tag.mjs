// A closing tag of thinking that nothing opened, at the start of a reply or after another.

export default {
  rule: 11,
  title: 'A closing tag of thinking that comes first in a reply is markup',
  *ask({ family, thinking, write }) {
    if (!['rows', 'protocols', 'middleware', 'segments'].includes(family) || thinking === undefined) return
    for (const close of new Set([thinking[1], '</think>', '</thinking>'])) {
      // Where the prompt has closed the thinking.
      const options = family === 'rows' ? { prefill: '' } : undefined
      yield { name: `leading ${close}`, input: `${close}The answer.`, options, expected: { text: 'The answer.', calls: [] } }
      yield { name: `leading ${close} after white space`, input: `\n\n${close}\n\nThe answer.`, options, expected: { text: 'The answer.' } }
      yield { name: `leading ${close}, twice`, input: `${close}\n${close}The answer.`, options, expected: { text: 'The answer.' } }
      yield { name: `${close} in a text`, input: `The tag ${close} ends it.`, options, expected: { shows: ['The tag'] } }
    }
    const [open, close] = thinking
    if (open === undefined) return
    yield { name: 'a second closing tag', input: `${open}Hm.${close}\n${close}\n\nDone.`, expected: { text: 'Done.', reasoning: 'Hm.' } }
    const call = write.call('run', { command: 'ls' })
    if (call) yield { name: 'a second closing tag, then a call', input: `${open}Hm.${close}${close}\n${call}`, expected: { text: '', reasoning: 'Hm.', calls: [['run', { command: 'ls' }]] } }
  },
  atLeast: 400,
}
