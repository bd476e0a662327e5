// A route handler in Node.
import { runEntry } from '../../scenario/imports.mjs'

export async function GET(request) {
  return new Response(String(await runEntry(new URL(request.url).searchParams.get('entry'))))
}
