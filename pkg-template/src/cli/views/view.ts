// The output formats: JSON, lines, colours, or plain text.

import type { Front } from '../front.js'
import { Screen, printable, Pairs } from './screen.js'

/** Formats events for stdout. */
export interface View<Event> {
  show(events: readonly Event[]): string
  /** The end: closes an open line. */
  finish(): string
}

/** One JSON object per line. */
export function jsonView<Event>(front: Front<Event>): View<Event> {
  return {
    show: (events) => events.map((event) => `${JSON.stringify(front.json(event))}\n`).join(''),
    finish: () => '',
  }
}

/** One event per line, for people. */
export function lineView<Event>(front: Front<Event>): View<Event> {
  return {
    show: (events) => events.map((event) => `${front.line(event)}\n`).join(''),
    finish: () => '',
  }
}

/** Plain text, for programs; in a terminal the last line is ended. */
export function textView(isTerminal: boolean): View<string> {
  let isLineOpen = false
  const pairs = new Pairs()
  return {
    show(texts) {
      const text = pairs.take(texts.join(''))
      if (text !== '') isLineOpen = !text.endsWith('\n')
      return isTerminal ? printable(text) : text
    },
    finish: () => pairs.finish() + (isTerminal && isLineOpen ? '\n' : ''),
  }
}

/** Text as it arrives, in colours. */
export function colourView<Event>(front: Front<Event>): View<Event> {
  const screen = new Screen()
  return {
    show(events) {
      for (const event of events) front.paint(event, screen)
      return screen.take()
    },
    finish() {
      screen.endLine()
      return screen.take()
    },
  }
}
