// Shrinks a text that shows a difference by removing pieces.

/** The smallest text found for which `differs` still holds. */
export async function shrink(text, differs) {
  let small = text
  for (let size = Math.ceil(small.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < small.length; ) {
      const shorter = small.slice(0, at) + small.slice(at + size)
      if (await differs(shorter)) small = shorter
      else at += size
    }
  }
  return small
}
