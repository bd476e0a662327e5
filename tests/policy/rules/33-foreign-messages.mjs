// Messages of another role, where a reply is a sequence of messages.

const OTHERS = ['functions.run to=assistant<|channel|>commentary', 'user', 'system', 'developer']

export default {
  rule: 33,
  title: 'A message of another role is no text',
  *ask({ family, row }) {
    if (family !== 'rows' || row?.turn?.other?.includes('<|start|>') !== true) return
    for (const other of OTHERS) {
      const input = `<|channel|>analysis<|message|>Hm.<|end|><|start|>${other}<|message|>for3ign<|end|><|start|>assistant<|channel|>final<|message|>Hi.<|return|>`
      yield { name: other, input, expected: { calls: [], text: 'Hi.', reasoning: 'Hm.', problems: ['foreign-message'] } }
    }
  },
  atLeast: 4,
}
