// Markdown as elements. What a model writes may be hostile: HTML in it stays text,
// a link leads to http or https alone, and an image is its words.

import { type Token, type Tokens, lexer } from 'marked'
import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'

/** A part of the text that is not Markdown: it replaces as many characters as it says, and is shown in its place. */
export interface Insert {
  readonly at: number
  readonly length: number
  readonly shown: ComponentChildren
}

/** A longer text is shown as it is written: it is read again each time that it has grown. */
const LONGEST = 5_000
/** Deeper nesting is shown as it is written. */
const DEEPEST = 12
/** Quotes in quotes, which the lexer reads again at each depth. */
const TOO_DEEP = new RegExp(`^[ \\t]*(?:>[ \\t]*){${DEEPEST}}`, 'm')

interface MarkdownProps {
  readonly text: string
  /** In the order of their places. */
  readonly inserts?: readonly Insert[]
}

export function Markdown({ text, inserts = [] }: MarkdownProps) {
  const source = withPlaces(text, inserts)
  const leaf = (written: string): ComponentChildren => written.split(PLACE).map((part, index) => (index % 2 === 0 ? part : inserts[Number(part)]?.shown))
  const tokens = useMemo(() => tokensOf(source), [source])
  return <>{blocks(tokens, leaf, 0)}</>
}

type Leaf = (written: string) => ComponentChildren

/** A place is a number between two characters that no text has here. */
const PLACE = /\uE000(\d+)\uE001/

function withPlaces(text: string, inserts: readonly Insert[]): string {
  let source = ''
  let from = 0
  for (const [index, { at, length }] of inserts.entries()) {
    source += `${plain(text.slice(from, at))}\uE000${index}\uE001`
    from = at + length
  }
  return source + plain(text.slice(from))
}

function plain(text: string): string {
  return text.replaceAll(/[\uE000\uE001]/g, '\uFFFD')
}

function tokensOf(source: string): Token[] {
  const plainly = [{ type: 'text', raw: source, text: source }]
  if (source.length > LONGEST || TOO_DEEP.test(source)) return plainly
  try {
    return lexer(source, { gfm: true, breaks: true })
  } catch {
    return plainly
  }
}

function blocks(tokens: readonly Token[], leaf: Leaf, depth: number): ComponentChildren {
  return tokens.map((token, index) => <Block key={index} token={token} leaf={leaf} depth={depth} />)
}

interface TokenProps {
  readonly token: Token
  readonly leaf: Leaf
  readonly depth: number
}

function Block({ token, leaf, depth }: TokenProps) {
  if (depth > DEEPEST) return <p>{leaf(token.raw)}</p>
  const inside = (tokens: readonly Token[] = []): ComponentChildren => inline(tokens, leaf, depth + 1)
  switch (token.type) {
    case 'space':
    case 'def':
      return null
    case 'hr':
      return <hr />
    case 'code':
      return (
        <pre>
          <code>{leaf(token.text)}</code>
        </pre>
      )
    case 'blockquote':
      return <blockquote>{blocks(token.tokens ?? [], leaf, depth + 1)}</blockquote>
    case 'list': {
      const { ordered, start, items } = token as Tokens.List
      const lines = items.map((item, index) => <li key={index}>{blocks(item.tokens, leaf, depth + 1)}</li>)
      return ordered ? <ol start={Number(start)}>{lines}</ol> : <ul>{lines}</ul>
    }
    case 'table': {
      const { header, rows } = token as Tokens.Table
      return (
        <table>
          <thead>
            <tr>
              {header.map((cell, index) => (
                <th key={index}>{inside(cell.tokens)}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              <tr key={index}>
                {row.map((cell, column) => (
                  <td key={column}>{inside(cell.tokens)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )
    }
    case 'checkbox':
      return <span>{(token as Tokens.Checkbox).checked ? '☑ ' : '☐ '}</span>
    case 'heading':
      // The page has its own outline.
      return <p class="heading">{inside(token.tokens)}</p>
    case 'text':
      return <span>{token.tokens === undefined ? leaf(token.text) : inside(token.tokens)}</span>
    case 'paragraph':
      return <p>{inside(token.tokens)}</p>
    default:
      return <p>{leaf(token.raw.trimEnd())}</p>
  }
}

function inline(tokens: readonly Token[], leaf: Leaf, depth: number): ComponentChildren {
  return tokens.map((token, index) => <Inline key={index} token={token} leaf={leaf} depth={depth} />)
}

function Inline({ token, leaf, depth }: TokenProps) {
  if (depth > DEEPEST) return <>{leaf(token.raw)}</>
  const inside = (): ComponentChildren => inline('tokens' in token ? (token.tokens ?? []) : [], leaf, depth + 1)
  switch (token.type) {
    case 'strong':
      return <strong>{inside()}</strong>
    case 'em':
      return <em>{inside()}</em>
    case 'del':
      return <s>{inside()}</s>
    case 'codespan':
      return <code>{leaf(token.text)}</code>
    case 'br':
      return <br />
    case 'link':
      return /^https?:/i.test(token.href) ? (
        <a href={token.href} target="_blank" rel="noopener noreferrer nofollow">
          {inside()}
        </a>
      ) : (
        <>{inside()}</>
      )
    case 'text':
    case 'escape':
    case 'image':
      return <>{leaf(token.text)}</>
    default:
      return <>{leaf(token.raw)}</>
  }
}
