/** A plugin of typedoc: pages of the guide have the titles that they begin with, and stand in groups by task. */

/** The pages of each group, as their files are called. A test compares them with the files. */
export const groups: Readonly<Record<string, readonly string[]>> = {
  'Start here': ['getting-started', 'objects', 'recipes', 'http-services', 'testing', 'migration'],
  Locks: [
    'ownership',
    'waiting',
    'fair-locks',
    'read-write-locks',
    'fenced-locks',
    'multi-locks-and-red-locks',
    'spin-and-non-reentrant-locks',
    'synchronizers',
  ],
  Data: [
    'values',
    'maps',
    'multimaps',
    'lists',
    'queues',
    'blocking-queues',
    'sets',
    'sorted-sets',
    'lex-sorted-sets',
    'natural-sorted-sets',
    'geo',
    'time-series',
    'bit-sets',
    'bloom-filters',
    'binary-streams',
    'snowflakes',
    'topics',
    'keys',
    'scripts',
    'batches',
    'codecs',
    'lost-replies',
  ],
  Operation: [
    'production',
    'topologies-and-configuration',
    'permissions',
    'shutting-down',
    'diagnostics',
    'when-locks-fail',
    'stuck-locks',
    'troubleshooting',
  ],
  'With Java': ['java-interop', 'wire-format'],
}

/** A page, as far as it is changed. The types of typedoc need those of browsers. */
interface Page {
  name: string
  readonly content: readonly { text: string }[]
  readonly frontmatter: Record<string, unknown>
}

interface Application {
  readonly converter: {
    on(event: 'createDocument', listener: (context: unknown, page: Page) => void): unknown
  }
}

/** Called by typedoc. */
export function load(app: Application): void {
  app.converter.on('createDocument', (_, page) => {
    const [first] = page.content
    const heading = /^\s*# (.+)\n/.exec(first?.text ?? '')
    const file = page.name.split('/').at(-1) ?? page.name // typedoc names pages by their paths
    const group = Object.keys(groups).find((name) => groups[name]?.includes(file))
    page.frontmatter['group'] = group ?? 'Background'
    if (first === undefined || heading?.[1] === undefined) return
    page.name = heading[1]
    first.text = first.text.slice(heading[0].length) // the site prints the name above the page
  })
}
