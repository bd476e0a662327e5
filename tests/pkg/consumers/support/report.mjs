/** In a page: reports what `run` gives for the `entry` of the page's address, where the test looks. */
export async function report(run) {
  let outcome
  try {
    outcome = await run(new URLSearchParams(location.search).get('entry'))
  } catch (error) {
    outcome = error instanceof Error ? `${error.name}: ${error.message}` : `not an Error: ${error}`
  }
  document.body.dataset.outcome = outcome
}
