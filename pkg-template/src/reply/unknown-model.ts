// Warns of a model that no format is known for: if it writes markers of its own, they show.

/** Names of models whose servers read what they write, so that nothing is missing. */
const HOSTED = /^(?:.*[/.])?(?:gpt-\d|chatgpt|o\d|claude|gemini|grok|nova-)/i

/** The models that were warned of. Names that a program makes must not pile up. */
const given = new Set<string>()
const MOST_GIVEN = 256

/** Warns once of a model. */
export function warnOfModel(place: string, model: string | { readonly chatTemplate: string }): void {
  const name = typeof model === 'string' ? JSON.stringify(model) : 'with this chat template'
  if (given.has(name) || given.size >= MOST_GIVEN || (typeof model === 'string' && HOSTED.test(model))) return
  given.add(name)
  console.warn(
    `tokenweir: ${place}: no format is known for the model ${name}, so only the usual tags are read, and markers of ` +
      `its own would show; give its format, or leave model out`,
  )
}
