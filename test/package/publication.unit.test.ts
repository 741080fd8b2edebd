import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { publishedManifest, sourcesOf, withAbsoluteLinks, type Manifest } from '../../scripts/publication.js'

const root = resolve(import.meta.dirname, '../..')
const manifest = JSON.parse(readFileSync(`${root}/package.json`, 'utf8')) as Manifest
const web = 'https://github.com/owner/name'

describe('a published package', () => {
  it.each([web, `git+${web}.git`, { url: `git+${web}.git` }])('leads to its sources: %o', (repository) => {
    expect(sourcesOf({ ...manifest, repository })).toBe(web)
    expect(publishedManifest({ ...manifest, repository })).toMatchObject({
      name: 'ioredisson',
      repository: { url: `git+${web}.git` },
      homepage: `${web}#readme`,
      bugs: `${web}/issues`,
      exports: manifest['exports'],
      dependencies: manifest['dependencies'],
    })
  })

  it.each([undefined, '', 'owner/name', 'https://github.com/owner', 'git@github.com:owner/name.git'])(
    'is refused without an address of its sources: %s',
    (repository) => {
      expect(() => sourcesOf({ ...manifest, repository })).toThrow('Expected `repository` in package.json')
    },
  )

  it('is for its users', () => {
    const { scripts, devDependencies } = publishedManifest({ ...manifest, repository: web })
    expect([scripts, devDependencies]).toEqual([undefined, undefined])
    expect(manifest['scripts']).toMatchObject({ prepublishOnly: expect.stringContaining('exit 1') as string })
  })

  it('has a README without relative links', () => {
    const readme = readFileSync(`${root}/README.md`, 'utf8')
    const links = [...withAbsoluteLinks(readme, web).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link)
    expect(links).toContain(`${web}/blob/HEAD/docs/guide/waiting.md`)
    expect(links.filter((link) => !/^(?:https?:|#)/.test(link ?? ''))).toEqual([])
  })
})
