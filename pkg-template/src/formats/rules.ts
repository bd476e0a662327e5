// What any prompt says of calls.

/** What a model has to keep to; `one` is what a call is. */
export function rules(one: string): string {
  return `Write each call as its own ${one}, and nothing between one call and the next.
Use only the tools above, with arguments that fit their schemas, and make no argument up: ask if you miss one.
After your calls stop and wait for the results. If no tool helps, just answer.`
}
