// A server component: its result is in the HTML.
import { runEntry } from '../../scenario/imports.mjs'

export default async function Page({ searchParams }) {
  const { entry } = await searchParams
  return <main data-outcome={await runEntry(entry)}>tokenweir in a server component</main>
}
