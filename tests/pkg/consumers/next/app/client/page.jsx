'use client'
// A client component: it runs in the browser. The server renders it too, where it does nothing.
import { useEffect } from 'react'
import { report } from '../../report.mjs'
import { runEntry } from '../../scenario/imports.mjs'

export default function Page() {
  useEffect(() => {
    report(async (entry) => {
      if (entry !== 'tokenweir/slim') return runEntry(entry)
      const { runSlim } = await import('../../scenario/slim.mjs')
      return runSlim(new URL('tokenweir/tokenweir.wasm', import.meta.url))
    })
  }, [])
  return <main>tokenweir in a client component</main>
}
