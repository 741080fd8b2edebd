import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { groups, load } from '../../scripts/typedoc-guide.js'
import { pages, root, textOf } from './snippets.js'

const guide = pages.filter((page) => page.startsWith('docs/guide/'))

describe('the site', () => {
  const settings = JSON.parse(readFileSync(join(root, 'typedoc.json'), 'utf8')) as {
    readonly projectDocuments: readonly string[]
  }

  it('has every page of the guide', () => {
    const listed = settings.projectDocuments.filter((page) => page.startsWith('docs/guide/'))
    expect([...listed].sort()).toEqual([...guide].sort())
  })

  it('has each page in one group, in the order of the list', () => {
    const listed = settings.projectDocuments.filter((page) => page.startsWith('docs/guide/'))
    expect(Object.values(groups).flatMap(Object.keys)).toEqual(listed.map((page) => basename(page, '.md')))
  })

  it('calls a page by its heading, and puts it into its group', () => {
    const page = { name: 'guide/fair-locks', content: [{ text: '# Fair locks\n\nText\n' }], frontmatter: {} }
    loadPlugin().createDocument(page)
    expect(page).toEqual({
      name: 'Fair locks',
      content: [{ text: '\nText\n' }],
      frontmatter: { group: 'Locks' },
    })
  })

  it('has an overview with a line for every page of the guide', () => {
    const plugin = loadPlugin()
    const titles = guide.map((path) => {
      const page = { name: path.replace('.md', ''), content: [{ text: textOf(path) }], frontmatter: {} }
      plugin.createDocument(page)
      return page.name
    })
    const overview = plugin.overviewOf([...titles, 'RedissonClient', 'RedissonOptions', 'RLock'])
    expect(overview).toMatch(/^# ioredisson\n\n> Redisson for Node\.js[^\n[]+\n\n## Start here\n\n- \[/)
    expect(overview).toMatch(/## Locks\n\n- \[Ownership]\(pages\/Ownership\.html\): who holds a lock/)
    const lines = overview.split('\n')
    const missing = titles.filter(
      (title) => !lines.some((line) => line.startsWith(`- [${title}](pages/${title}.html): `)),
    )
    expect(missing).toEqual([])
  })

  it('has the API in groups, the lock first', () => {
    const blockTags: object[] = []
    const lock = { name: 'RLock', comment: { blockTags } }
    const children = [{ name: 'LockHold' }, lock, { name: 'RFencedLock' }]
    const module = { name: 'index', children: [lock], groups: [{ children }] }
    loadPlugin().resolve({ children: [module] })
    expect(module.name).toBe('API')
    expect(blockTags).toEqual([{ tag: '@group', content: [{ kind: 'text', text: 'Locks' }] }])
    expect(children.map(({ name }) => name)).toEqual(['RLock', 'LockHold', 'RFencedLock'])
  })

  it.each(guide)('has a title for %s', (page) => {
    expect(textOf(page)).toMatch(/^# [^`\n]+\n/)
  })
})

/** The plugin, with a typedoc that does only what is asked of it. */
function loadPlugin() {
  const listeners: Record<string, (first: unknown, second?: unknown) => void> = {}
  const on = (event: string, listener: never): void => {
    listeners[event] = listener
  }
  load({ converter: { on }, renderer: { on } })
  return {
    createDocument: (page: object) => listeners['createDocument']?.(undefined, page),
    resolve: (project: object) => {
      for (const event of ['resolveBegin', 'resolveEnd']) listeners[event]?.({ project })
    },
    overviewOf: (names: readonly string[]): string => {
      const outputDirectory = mkdtempSync(join(tmpdir(), 'site-'))
      const pages = names.map((name) => ({ url: `pages/${name}.html`, model: { name } }))
      listeners['endRender']?.({ outputDirectory, pages })
      const overview = readFileSync(join(outputDirectory, 'llms.txt'), 'utf8')
      rmSync(outputDirectory, { recursive: true })
      return overview
    },
  }
}

describe('the page of all objects', () => {
  it('has every object of a client', () => {
    const getters = globSync('src/*/*.api.ts', { cwd: root })
      .flatMap((file) => [...textOf(file).matchAll(/^ {2}(get\w+)[<(]/gm)])
      .map(([, getter = '']) => getter)
    expect(getters).toContain('getLock')
    const page = textOf('docs/guide/objects.md')
    expect([...new Set(getters)].filter((getter) => !page.includes(`\`${getter}`))).toEqual([])
  })
})
