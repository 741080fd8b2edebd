import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import ts from 'typescript'
import { beforeAll, describe, expect, it } from 'vitest'
import { addressOf } from '../support/launch/topology.js'
import { noLeaks } from '../support/no-leaks.js'
import { single } from '../support/topologies.js'
import { compile, makeConsumer, packPackage, runConsumer, type Package } from './pack.js'

/** A build, a pack and a compiler run on a machine that may be busy. */
const PATIENCE_MS = 120_000

/** The Node that runs the tests, and the oldest one that the package promises to run on, where that is at hand. */
const nodes = [process.execPath, process.env['REDISSON_TEST_OLDEST_NODE']].filter(
  (node) => node !== undefined,
)

describe('the package', () => {
  let packed: Package

  noLeaks(single)

  beforeAll(async () => {
    packed = await packPackage()
  }, PATIENCE_MS)

  const read = (file: string) => readFileSync(join(packed.folder, file), 'utf8')
  const some = (pattern: RegExp) => packed.files.filter((file) => pattern.test(file))

  it('has what its users need, and nothing else', () => {
    const wanted =
      /^(CHANGELOG\.md|LICENSE|NOTICE|README\.md|package\.json|dist\/.+\.(js|d\.ts)(\.map)?|src\/.+\.(ts|lua))$/
    expect(packed.files.filter((file) => !wanted.test(file))).toEqual([])
    expect(packed.files).toEqual(
      expect.arrayContaining(['LICENSE', 'NOTICE', 'README.md', 'dist/index.js', 'dist/index.d.ts']),
    )
  })

  it('mirrors its sources', () => {
    const sources = some(/^src\/.+\.ts$/).filter((file) => file !== 'src/lua.d.ts')
    const declarations = some(/^dist\/.+\.d\.ts$/)
    expect(declarations).toEqual(sources.map((file) => file.replace(/^src(.+)\.ts$/, 'dist$1.d.ts')).sort())
    const built = some(/^dist\/.+\.js$/).map((file) => file.replace(/^dist(.+?)(\.lua)?\.js$/, 'src$1'))
    expect(
      built.filter((path) => !packed.files.some((file) => [`${path}.ts`, `${path}.lua`].includes(file))),
    ).toEqual([])
  })

  it('has source maps that lead to its own sources', () => {
    const lost = some(/\.map$/).flatMap((map) => {
      const { sources } = JSON.parse(read(map)) as { readonly sources: readonly string[] }
      const found = sources.map((source) => resolve(packed.folder, dirname(map), source))
      return found.filter((source) => !source.startsWith(packed.folder) || !existsSync(source))
    })
    expect(lost).toEqual([])
  })

  it('imports nothing that it does not declare', () => {
    const imported = some(/^dist\/.+\.js$/).flatMap((file) =>
      ts.preProcessFile(read(file)).importedFiles.map(({ fileName }) => fileName),
    )
    const foreign = new Set(imported.filter((name) => !/^(\.|node:)/.test(name)))
    expect([...foreign].sort()).toEqual(Object.keys(packed.manifest.dependencies).sort())
  })

  it('does not show what is internal', () => {
    expect(some(/^dist\/.+\.d\.ts$/).filter((file) => read(file).includes('@internal'))).toEqual([])
  })

  it.each(['esm', 'commonjs'])(
    'can be used by a project in TypeScript: %s',
    async (kind) => {
      const project = makeConsumer(kind, packed)
      await compile(project)
      for (const node of nodes) {
        const output = await runConsumer(project, `redis://${addressOf(single.nodes[0])}`, node)
        expect(output).toBe('counted 3, refused true, held false\n')
      }
    },
    PATIENCE_MS,
  )
})
