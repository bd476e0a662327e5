'use client'
// A client component: it runs in the browser. The server renders it too, where it does nothing.
import { useEffect } from 'react'
import { report } from '../../report.mjs'
import { runEntry } from '../../scenario/imports.mjs'

export default function Page() {
  useEffect(() => {
    report(runEntry)
  }, [])
  return <main>tokenweir in a client component</main>
}
