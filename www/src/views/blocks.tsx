// Blocks as nested cards: thinking is folded, calls and results are grouped, and a
// nested call is in the card of the outer one.

import { type Block, argumentsOf } from '../readings/block-list'
import { Card, CardHead, CardText } from './card'
import { ArgumentForm } from './form'
import { Repaired } from './faults'
import { Before } from './last'
import { type CardTree, nested } from './nested'
import { Empty, Pane } from './pane'
import type { Shown } from './emitted'

/** The maximum number of blocks shown. */
const MOST = 60

interface BlocksProps extends Shown {
  readonly title: string
  readonly reading: { readonly blocks: readonly Block[] }
}

export function Blocks({ title, reading: { blocks } }: BlocksProps) {
  const from = Math.max(0, blocks.length - MOST)
  return (
    <Pane name="structure" title={title} note={`blocks: ${blocks.length}`}>
      {blocks.length === 0 && <Empty>No block has started.</Empty>}
      <Before count={from} name="blocks" />
      {nested(blocks.slice(from)).map((tree) => (
        <Tree key={tree.key} tree={tree} />
      ))}
    </Pane>
  )
}

function Tree({ tree: { block, children } }: { readonly tree: CardTree }) {
  const inner = children.map((child) => <Tree key={child.key} tree={child} />)
  if (block === undefined) {
    return (
      <Card kind="group" label="Tools">
        {inner}
      </Card>
    )
  }
  switch (block.type) {
    case 'text':
      return (
        <Card kind="text" label="Text" state={stateOf(block)}>
          <CardText text={block.text} />
        </Card>
      )
    case 'thinking':
      return <Thinking block={block} />
    case 'tool_call':
      return (
        <Card kind="call" label="Call" name={block.name} id={block.id} state={stateOf(block)} isWrong={block.isIncomplete}>
          {block.name !== undefined && <ArgumentForm label={`Arguments of ${block.name} ${block.id ?? ''}`.trim()} value={argumentsOf(block)} />}
          {block.text !== '' && <CardText text={block.text} />}
          <Repaired of={block.repairs} />
          {inner}
        </Card>
      )
    case 'tool_result':
      return (
        <Card kind="result" label="Result" id={block.id} state={block.isError ? 'error' : stateOf(block)} isWrong={block.isError}>
          <CardText text={block.text} />
        </Card>
      )
  }
}

function Thinking({ block }: { readonly block: Block }) {
  return (
    <details class="card card-thinking">
      <summary>
        <CardHead label="Thinking" name={`${block.text.length} characters`} state={stateOf(block)} isWrong={false} />
      </summary>
      <CardText text={block.text} />
    </details>
  )
}

function stateOf(block: Block): string {
  if (!block.isDone) return 'open'
  return block.isIncomplete ? 'cut off' : 'done'
}
