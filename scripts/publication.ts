/** A `package.json`, as far as it matters here. */
export interface Manifest {
  readonly name: string
  readonly version: string
  readonly repository?: string | { readonly url: string } | undefined
  readonly [field: string]: unknown
}

/** What only those need who work on the package. */
const OURS = ['scripts', 'devDependencies', 'allowScripts']

/**
 * Returns the address of the sources on the web, which whoever publishes fills in as `repository`.
 *
 * @throws `Error` without it, or where it is no such address
 */
export function sourcesOf({ repository }: Manifest): string {
  const given = typeof repository === 'string' ? repository : repository?.url
  const web = given?.replace(/^git\+/, '').replace(/\.git$/, '')
  if (web !== undefined && /^https:\/\/[^/]+\/[^/]+\/./.test(web)) return web
  throw new Error(
    'Expected `repository` in package.json to be the address of the sources, such as https://github.com/owner/name, got ' +
      `${String(given)}: links of the published README lead there`,
  )
}

/** Returns the manifest that is published. */
export function publishedManifest(manifest: Manifest): Manifest {
  const web = sourcesOf(manifest)
  const kept = Object.entries(manifest).filter(([field]) => !OURS.includes(field))
  return {
    ...(Object.fromEntries(kept) as unknown as Manifest),
    repository: { url: `git+${web}.git` },
    homepage: `${web}#readme`,
    bugs: `${web}/issues`,
  }
}

/** Returns a page whose links to files of the sources are absolute, since it is read without them. */
export function withAbsoluteLinks(page: string, web: string): string {
  return page.replace(/\]\((?!https?:|#)([^)\s]+)\)/g, `](${web}/blob/HEAD/$1)`)
}
