// Which calls are the program's.

/** What says whose a call is: of a block, or of the metadata of a chunk. */
interface Origin {
  readonly insideThinking?: unknown
  readonly hosted?: unknown
  readonly inText?: unknown
}

/** Whether a call is the program's: outside of thinking, not run by the provider, not only repeated by the model. */
export function isMeant({ insideThinking, hosted, inText }: Origin, runsCallsInText = false): boolean {
  return insideThinking !== true && hosted !== true && (inText !== true || runsCallsInText)
}
