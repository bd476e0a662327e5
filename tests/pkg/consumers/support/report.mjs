/** In a page: reports to the test the result of `run` for the `entry` of the page's URL. */
export async function report(run) {
  let outcome
  try {
    outcome = await run(new URLSearchParams(location.search).get('entry'))
  } catch (error) {
    outcome = error instanceof Error ? `${error.name}: ${error.message}` : `not an Error: ${error}`
  }
  document.body.dataset.outcome = outcome
}
