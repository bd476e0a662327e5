'use client'
// `useReply` in a client component: the server renders it idle, the browser reads a reply that a route sends.
import { useEffect } from 'react'
import { useReply } from 'tokenweir/react'

export default function Page() {
  const { text, thinking, status, error, send } = useReply()
  useEffect(() => {
    send((signal) => fetch('/reply/stream', { signal }))
  }, [])
  const isOver = status === 'done' || status === 'error'
  return <main {...(isOver && { 'data-outcome': `${status}: ${error?.message ?? `${text} (${thinking})`}` })}>{status}</main>
}
