// A model's reply in a component, as it is written:
//
//     const { text, thinking, toolCalls, status, error, stop } = useModelStream('/api/reply')
//
// A new source starts over and stops the previous one; so does unmounting. To read
// the same URL again, give the component another `key`.
import { useMemo, useSyncExternalStore } from 'react'
import { type ModelReply, type ModelSource, idle, modelStream } from './modelStream.ts'

export function useModelStream(source: ModelSource | null): ModelReply & { stop: () => void } {
  const stream = useMemo(() => (source === null ? idle : modelStream(source)), [source])
  const reply = useSyncExternalStore(stream.subscribe, stream.getSnapshot, stream.getSnapshot)
  return { ...reply, stop: stream.stop }
}
