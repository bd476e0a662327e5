// The last items of a long list, and the number of earlier ones: a page that showed
// all would be slow, whatever the parser.

import type { ComponentChildren } from 'preact'

interface LastProps<Item> {
  readonly of: readonly Item[]
  readonly most: number
  /** The plural name of the items. */
  readonly name: string
  children(item: Item, index: number): ComponentChildren
}

export function Last<Item>({ of: items, most, name, children }: LastProps<Item>) {
  const from = Math.max(0, items.length - most)
  return (
    <>
      <Before count={from} name={name} />
      {items.slice(from).map((item, index) => children(item, from + index))}
    </>
  )
}

export function Before({ count, name }: { readonly count: number; readonly name: string }) {
  return count === 0 ? null : (
    <p class="note">
      {count} {name} before these are not shown.
    </p>
  )
}
