// What a parser gives for a chunk.

/** The last events: the source is stopped before its end. With an error, it is thrown after them. */
export class LastEvents<Event> {
  constructor(
    readonly events: readonly Event[],
    readonly failure?: { readonly error: unknown } | undefined,
  ) {}
}

/** The events of a chunk. */
export type Parsed<Event> = readonly Event[] | LastEvents<Event>
