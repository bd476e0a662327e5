// What the page says of the package: its name, and where its docs and its source are.

/** Reads a package.json. A link that is not there is not shown. */
export function linksOf({ name, homepage, repository }) {
  const source = typeof repository === 'string' ? repository : repository?.url
  return { name, docs: web(homepage), source: web(source) }
}

/** The page of an address: npm writes `git+https://…/x.git` for one that is cloned. */
function web(address) {
  const page = address?.replace(/^git\+/, '').replace(/\.git$/, '')
  return page !== undefined && /^https?:\/\//.test(page) ? page : undefined
}
