// A route handler in the edge runtime.
import { runEntry } from '../../scenario/imports.mjs'

export const runtime = 'edge'

export async function GET(request) {
  return new Response(String(await runEntry(new URL(request.url).searchParams.get('entry'))))
}
