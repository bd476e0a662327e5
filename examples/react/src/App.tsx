import { useState } from 'react'
import { FilePreview } from './FilePreview.tsx'
import { type Call, readCalls } from './readCalls.ts'
import type { ModelSource } from './modelStream.ts'
import { useModelStream } from './useModelStream.ts'

const pace = new URLSearchParams(location.search).get('pace') ?? '20'

export function App() {
  const [{ turn, source }, setAsked] = useState<{ turn: number; source: ModelSource | null }>({ turn: 0, source: null })
  const ask = (source: ModelSource | null) => setAsked({ turn: turn + 1, source })
  return (
    <main>
      <h1>A model's reply in React</h1>
      <p>
        <button onClick={() => ask(`/api/reply?pace=${pace}`)}>Ask the model</button> <button onClick={() => ask(recording())}>Play a recording</button>{' '}
        <button onClick={() => ask(null)}>Close</button>
      </p>
      {source !== null && <Reply key={turn} source={source} />}
      <Files />
    </main>
  )
}

/** Files that a model writes, each shown while it is written. */
function Files() {
  const [{ calls, end }, setReply] = useState<{ calls: readonly Call[]; end: string }>({ calls: [], end: '' })
  const write = () => {
    setReply({ calls: [], end: 'streaming' })
    readCalls(fetch(`/api/file?pace=${pace}`), (call) => setReply(({ calls }) => ({ calls: [...calls, call], end: 'streaming' }))).then(
      () => setReply(({ calls }) => ({ calls, end: 'done' })),
      (error: Error) => setReply(({ calls }) => ({ calls, end: `error: ${error.message}` })),
    )
  }
  return (
    <div className="files">
      <button disabled={end === 'streaming'} onClick={write}>
        Write a file
      </button>{' '}
      {end}
      {calls.map((call) => (call.dynamic ? <p key={call.id}>There is no {call.toolName}.</p> : <FilePreview key={call.id} call={call.args} />))}
    </div>
  )
}

function Reply({ source }: { source: ModelSource }) {
  const { text, thinking, toolCalls, status, error, stop } = useModelStream(source)
  return (
    <article aria-busy={status === 'streaming'}>
      {thinking !== '' && (
        <details>
          <summary>Thinking</summary>
          <p className="thinking">{thinking}</p>
        </details>
      )}
      <p className="text">{text}</p>
      {toolCalls.map(({ name, inputText, input }, index) => (
        <section key={index}>
          <b>{name}</b> {input === undefined ? (status === 'streaming' ? '…' : '(cut off)') : '(ready)'}
          <pre>{inputText}</pre>
        </section>
      ))}
      <p role="status">{error === undefined ? status : `error: ${error.message}`}</p>
      {status === 'streaming' && <button onClick={stop}>Stop</button>}
    </article>
  )
}

/** A stream that the page creates, of text in small chunks. */
function recording() {
  const pieces = 'A recording. <thinking>It was made before.</thinking>It needs no server.'.match(/.{1,3}/gs) ?? []
  return new ReadableStream<string>(
    {
      async pull(controller) {
        const piece = pieces.shift()
        if (piece === undefined) return controller.close()
        await new Promise((resolve) => setTimeout(resolve, Number(pace)))
        controller.enqueue(piece)
      },
    },
    { highWaterMark: 0 },
  )
}
