import { readReply } from 'tokenweir/reply'

export async function ask(messages: object[]) {
  const request = (more: object) =>
    fetch('http://localhost:8000/v1/chat/completions', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'qwen3', stream: true, messages, ...more }),
    })
  let reply = await readReply(request({})).result()
  for (let times = 0; times < 3 && reply.finishReason === 'length' && reply.message !== undefined; times++) {
    const goesOn = { messages: [...messages, reply.message], continue_final_message: true, add_generation_prompt: false }
    reply = await readReply(request(goesOn), { continues: reply }).result()
  }
  return reply.text
}
