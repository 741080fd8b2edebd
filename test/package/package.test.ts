import { readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { basename, join, resolve } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { addressOf } from '../support/launch/topology.js'
import { noLeaks } from '../support/no-leaks.js'
import { single } from '../support/topologies.js'
import { sumOf } from '../../src/util/collections/sum-of.js'
import { compile, makeConsumer, packPackage, runConsumer, runLine, type Package } from './pack.js'

const root = resolve(import.meta.dirname, '../..')

/** What the package had room for when it had no queues, and what each kind of object that came later may add. */
const WITHOUT_QUEUES = 350_000
const QUEUES = {
  blocking: 20_000,
  delayed: 6_000,
  reliable: 24_000,
  streams: 12_000,
  reliableTopics: 10_000,
  priority: 7_000,
  bounded: 5_000,
  transfer: 5_000,
}
const CACHES = {
  maps: 10_000,
  limiters: 8_000,
  sets: 4_000,
  multimaps: 4_000,
  localMaps: 9_000,
  localMapCaches: 4_000,
  nativeMaps: 6_000,
  nativeMultimaps: 2_000,
  severalMaps: 2_500,
  loads: 14_000,
  clientSide: 4_000,
}
const WORK = 9_000

/** What the package may grow to. */
const LARGEST = { files: 40, bytes: WITHOUT_QUEUES + sumOf(Object.values({ ...QUEUES, ...CACHES })) + WORK }

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
    const wanted = /^(LICENSE|NOTICE|README\.md|package\.json|dist\/[\w-]+\.(js|cjs|d\.ts|d\.cts))$/
    expect(packed.files.filter((file) => !wanted.test(file))).toEqual([])
    const doors = ['dist/index.cjs', 'dist/index.d.cts', 'dist/index.d.ts', 'dist/index.js']
    expect(packed.files).toEqual(expect.arrayContaining(['LICENSE', 'NOTICE', 'README.md', ...doors]))
  })

  it('is small', () => {
    expect(packed.files.length).toBeLessThanOrEqual(LARGEST.files)
    expect(statSync(packed.tarball).size).toBeLessThanOrEqual(LARGEST.bytes)
  })

  it('loads few files of its own when it is imported, and no parser of YAML', async () => {
    const project = makeConsumer('esm', packed)
    const loaded = `Object.keys(require.cache).filter((file) => /ioredisson|yaml/.test(path.relative('.', file)))`
    const list = `import('ioredisson').then(() => console.log(JSON.stringify(${loaded})))`
    const files = JSON.parse(await runLine(project, list)) as readonly string[]
    const names = files.map((file) => basename(file))
    expect(names.sort()).toEqual(['core.cjs', 'index.cjs', 'rolldown-runtime.cjs']) // and `index.js`, which is no CommonJS
  })

  it('loads with an ioredis that has none of the internal files', async () => {
    const project = makeConsumer('commonjs', packed)
    const line = `const Module = require('node:module')
      const resolve = Module._resolveFilename
      Module._resolveFilename = (name, ...rest) => {
        if (name.startsWith('ioredis/')) throw new Error('no such file')
        return resolve(name, ...rest)
      }
      console.log(typeof require('ioredisson').Redisson.create)`
    expect((await runLine(project, line)).trim()).toBe('function')
  })

  it('begins the stack of a forgotten hold with the program', async () => {
    const project = makeConsumer('commonjs', packed)
    const address = `redis://${addressOf(single.nodes[0])}`
    const line = `const { Redisson } = require('ioredisson')
      const address = '${address}'
      process.on('warning', ({ detail }) => { console.log(detail) })
      async function forgets() {
        const client = await Redisson.create({ singleServerConfig: { address }, holdWarningMs: 1 })
        const hold = await client.getLock('forgotten').acquire()
        await require('node:events').once(process, 'warning')
        await hold.unlock()
        await client.shutdown()
      }
      forgets()`
    expect(await runLine(project, line)).toMatch(/^It was acquired\n +at forgets /)
  })

  it('is imported in little more time and memory than ioredis alone', { tags: ['timed'] }, async () => {
    const project = makeConsumer('esm', packed)
    const measure = async (name: string) => {
      const line = `const begin = performance.now()
        import('${name}').then(() => console.log(performance.now() - begin, process.memoryUsage().heapUsed))`
      const [ms = NaN, heap = NaN] = (await runLine(project, line)).split(' ').map(Number)
      return { ms, heap }
    }
    const pairs: Record<'ioredis' | 'own', { readonly ms: number; readonly heap: number }>[] = []
    for (let i = 0; i < 10; i += 1) {
      pairs.push({ ioredis: await measure('ioredis'), own: await measure('ioredisson') })
    }
    const ratio = (of: 'ms' | 'heap') =>
      median(pairs.map(({ own }) => own[of])) / median(pairs.map(({ ioredis }) => ioredis[of]))
    expect(ratio('ms')).toBeLessThanOrEqual(1.5)
    expect(ratio('heap')).toBeLessThanOrEqual(1.3)
  })

  it('has one set of classes, whichever door a program takes', async () => {
    const project = makeConsumer('esm', packed)
    const differing = `Object.keys(required).filter((name) => required[name] !== imported[name])`
    const compare = `const required = require('ioredisson')
      import('ioredisson').then((imported) => {
        const { RedissonError, LockLostError } = required
        const names = Object.keys(imported).filter((name) => name !== 'default' && name !== 'module.exports')
        console.log(JSON.stringify({
          differing: ${differing},
          missing: Object.keys(required).filter((name) => !names.includes(name)),
          surplus: names.filter((name) => !(name in required)),
          related: LockLostError.prototype instanceof imported.RedissonError,
          named: [RedissonError.name, LockLostError.name],
        }))
      })`
    for (const node of nodes) {
      expect(JSON.parse(await runLine(project, compare, { node }))).toEqual({
        differing: [],
        missing: [],
        surplus: [],
        related: true,
        named: ['RedissonError', 'LockLostError'],
      })
    }
  })

  it('calls each class of errors by its name, also in stacks', async () => {
    const project = makeConsumer('commonjs', packed)
    const list = `const library = require('ioredisson'); const { inspect } = require('node:util')
      const errors = Object.entries(library).filter(([, each]) => each?.prototype instanceof Error)
      const shown = (of) => /\\w+[$\\w]*: shown/.exec(inspect(Reflect.construct(Error, ['shown'], of)))?.[0]
      console.log(JSON.stringify(errors.map(([name, of]) => [name, of.name, shown(of)])))`
    const errors = JSON.parse(await runLine(project, list)) as readonly (readonly string[])[]
    expect(errors.length).toBeGreaterThan(50)
    expect(errors).toEqual(errors.map(([name = '']) => [name, name, `${name}: shown`]))
  })

  it('finds the parser of MessagePack that its program has installed', async () => {
    const project = makeConsumer('esm', packed)
    const decode = `const { msgpackCodec } = require('ioredisson'); const codec = msgpackCodec()
      console.log(codec.decode(codec.encode({ a: 1 })).a)`
    await expect(runLine(project, decode)).rejects.toThrow('msgpackr')
    symlinkSync(join(root, 'node_modules/msgpackr'), join(project, 'node_modules/msgpackr'))
    expect(await runLine(project, decode)).toBe('1\n')
  })

  it('reads a file of settings, for which it loads the parser', async () => {
    const project = makeConsumer('commonjs', packed)
    writeFileSync(join(project, 'a.yaml'), 'noSuchSetting: 1')
    const create = `require('ioredisson').Redisson.create('a.yaml').catch(({ message }) => console.log(message))`
    expect(await runLine(project, create)).toContain('Unknown setting `noSuchSetting`')
  })

  it('names the version of Node that it needs on one that is too old', async () => {
    const project = makeConsumer('commonjs', packed)
    const older = `Object.defineProperty(process.versions, 'node', { value: '20.20.2' })`
    const load = `${older}; try { require('ioredisson') } catch ({ message }) { console.log(message) }`
    expect(await runLine(project, load)).toBe('ioredisson needs Node.js 22.12 or later, got 20.20.2\n')
  })

  it('loads nothing that it does not declare', () => {
    const loaded = some(/^dist\/.+\.c?js$/).flatMap((file) =>
      [...read(file).matchAll(/(?:\brequire\(|\bfrom |\bimport\()["']([^"']+)["']/g)].map(
        ([, name = '']) => name,
      ),
    )
    const foreign = new Set(
      loaded.filter((name) => !/^\.|^node:/.test(name) && !isBuiltin(name)).map((name) => name.split('/')[0]),
    )
    expect([...foreign].sort()).toEqual(Object.keys(packed.manifest.dependencies).sort())
  })

  it('does not show what is internal', () => {
    expect(some(/^dist\/.+\.d\.c?ts$/).filter((file) => read(file).includes('@internal'))).toEqual([])
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

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN
}
