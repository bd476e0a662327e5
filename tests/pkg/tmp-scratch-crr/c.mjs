import { readReply } from 'tokenweir/reply'
const g = await readReply([{ candidates: [{ index: 0, content: { role: 'model', parts: [{ text: 'Hel' }] }, finishReason: 'CONTINUATION' }], continuationToken: 'tok' }]).result()
console.log(JSON.stringify(g))
console.log(JSON.stringify(await readReply([{ candidates: [{ index: 0, content: { role: 'model', parts: [{ text: 'lo' }] }, finishReason: 'STOP' }] }], { continues: g }).result()))
// abort
const c = new AbortController()
const src = async function* () { yield { choices: [{ index: 0, delta: { content: 'Hel' } }] }; await new Promise((r) => setTimeout(r, 5000)) }
setTimeout(() => c.abort(), 50)
await readReply(src(), { signal: c.signal }).result().catch((e) => console.log(e.name, JSON.stringify(e.partial)))
process.exit()
