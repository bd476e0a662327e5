// A reply in pieces, as a provider of chat completions sends it.
export const dynamic = 'force-dynamic'

export function GET() {
  const pieces = ['<thi', 'nk>Hm.</think>\n\nIt is 5 <', ' 7 degrees.']
  const events = pieces.map((content) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`)
  const body = new ReadableStream({
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve, 20))
      const event = events.shift()
      if (event === undefined) controller.close()
      else controller.enqueue(new TextEncoder().encode(event))
    },
  })
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
}
