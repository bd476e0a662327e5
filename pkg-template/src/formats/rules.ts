// What any prompt says of calls.

/** What a model has to keep to; `one` is what a call is. */
export function rules(one: string): string {
  return `Write each call as its own ${one}, with nothing between one call and the next.
Use only the tools above, with arguments that fit their schemas. Don't make up arguments; ask if one is missing.
After your calls, stop and wait for the results. If no tool helps, just answer.`
}
