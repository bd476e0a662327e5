// What a model writes, in a component, while it writes:
//
//     const { text, thinking, toolCalls, status, error, stop } = useModelStream('/api/reply')
//
// A new source begins anew and stops the one before; so does unmounting. For the
// same address once more, give the component another `key`.
import { useMemo, useSyncExternalStore } from 'react'
import { type ModelReply, type ModelSource, idle, modelStream } from './modelStream.ts'

export function useModelStream(source: ModelSource | null): ModelReply & { stop: () => void } {
  const stream = useMemo(() => (source === null ? idle : modelStream(source)), [source])
  const reply = useSyncExternalStore(stream.subscribe, stream.getSnapshot, stream.getSnapshot)
  return { ...reply, stop: stream.stop }
}
