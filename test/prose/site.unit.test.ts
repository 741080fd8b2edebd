import { globSync, readFileSync } from 'node:fs'
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
    expect(Object.values(groups).flat()).toEqual(listed.map((page) => basename(page, '.md')))
  })

  it('calls a page by its heading, and puts it into its group', () => {
    const page = { name: 'guide/fair-locks', content: [{ text: '# Fair locks\n\nText\n' }], frontmatter: {} }
    load({
      converter: {
        on: (_, listener) => {
          listener(undefined, page)
        },
      },
    })
    expect(page).toEqual({
      name: 'Fair locks',
      content: [{ text: '\nText\n' }],
      frontmatter: { group: 'Locks' },
    })
  })

  it.each(guide)('has a title for %s', (page) => {
    expect(textOf(page)).toMatch(/^# [^`\n]+\n/)
  })
})

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
