import { join } from 'node:path'
import ts from 'typescript'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { cellsOf, codeIn, root } from '../prose/snippets.js'
import { JavaPeer, type JavaInterface } from './java-peer.js'

/** Interfaces of Java that have another name here. */
const names: Readonly<Record<string, string>> = {
  RLongAdder: 'RAdder',
  RDoubleAdder: 'RAdder',
  RShardedTopic: 'RTopic',
}

/** Methods of another meaning than those of the same name that every object of Java has. */
const isOwn = (type: string, method: string): boolean =>
  type === 'RReliableTopic' && method === 'removeListener'

describe.skipIf(inject('javaPeer').missing !== undefined)('the interfaces of Java, and those here', () => {
  /** Those of Java that exist here. */
  let java: ReadonlyMap<string, JavaInterface>
  let here: ReadonlyMap<string, ReadonlySet<string>>

  beforeAll(async () => {
    const peer = await JavaPeer.start()
    here = interfacesHere()
    java = new Map(Object.entries(await peer.interfaces()).filter(([type]) => here.has(names[type] ?? type)))
    await peer.end()
  })

  const exists = (type: string, method: string): boolean =>
    here.get(names[type] ?? type)?.has(method) === true

  const missingOf = (type: string): string[] =>
    java.get(type)?.methods.filter((method) => !exists(type, method)) ?? []

  /** The getters of objects that are not here. */
  const missingObjects = (): string[] =>
    missingOf('RedissonClient').filter((method) => /^(?:get|create)/.test(method))

  /** The interfaces that a row of the guide is about: the one that it names, or those that extend it. */
  const subjectsOf = (type: string): string[] =>
    java.has(type)
      ? [type]
      : [...java].filter(([, { parents }]) => parents.includes(type)).map(([each]) => each)

  /** The methods that the guide says are missing, with the interface that it names. */
  const listed = cellsOf('docs/guide/java-interop.md').flatMap(([types = '', methods = '']) =>
    codeIn(types).flatMap((type) =>
      codeIn(methods).map((method) => ({ type, method: method.replace('()', '') })),
    ),
  )

  it('are compared, all that a client hands out', () => {
    expect([...java.keys()]).toEqual(
      expect.arrayContaining([
        'RedissonClient',
        'RLock',
        'RMap',
        'RList',
        'RScoredSortedSet',
        'RTopic',
        'RBatch',
      ]),
    )
    expect(java.get('RLock')?.parents).toContain('Lock')
  })

  it('differ by no method that the guide does not list', () => {
    const objects = missingObjects()
    const unlisted = [...java].flatMap(([type, { parents }]) =>
      missingOf(type)
        .filter((method) => !objects.includes(method))
        .filter(
          (method) => !listed.some((row) => row.method === method && [type, ...parents].includes(row.type)),
        )
        .map((method) => `${type}.${method}()`),
    )
    expect(unlisted).toEqual([])
  })

  it('differ by every method that the guide lists', () => {
    const wrong = listed.filter(({ type, method }) => {
      const subjects = subjectsOf(type).filter((each) => java.get(each)?.methods.includes(method))
      return subjects.length === 0 || subjects.some((each) => exists(each, method) && !isOwn(each, method))
    })
    expect(wrong).toEqual([])
  })

  describe('of the client', () => {
    const rows = cellsOf('docs/guide/objects.md').flatMap(([getters = '', answer = '']) =>
      codeIn(getters).map((getter) => ({ getter, answer })),
    )
    const isMissing = (answer: string): boolean => /^(?:coming|PRO|server module|Java)\b/.test(answer)

    it('differ by objects that the page of all objects lists with the reason', () => {
      const missing = rows.filter(({ answer }) => !answer.startsWith('[here]')).map(({ getter }) => getter)
      expect(missingObjects().filter((getter) => !missing.includes(getter))).toEqual([])
    })

    it('have every object that the page calls "here", and none that it says is missing', () => {
      const wrong = rows.filter(
        ({ getter, answer }) =>
          (answer.startsWith('[here]') && !exists('RedissonClient', getter)) ||
          (isMissing(answer) && exists('RedissonClient', getter)),
      )
      expect(wrong).toEqual([])
    })
  })
})

/** The methods and properties of each interface that the library exports, inherited ones too. */
function interfacesHere(): Map<string, Set<string>> {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), (file) => ts.sys.readFile(file)) as {
    config: { readonly compilerOptions: object }
  }
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root)
  const entry = join(root, 'src/index.ts')
  const program = ts.createProgram([entry], options)
  const checker = program.getTypeChecker()
  const source = program.getSourceFile(entry)
  const exported = source && checker.getSymbolAtLocation(source)
  if (exported === undefined) throw new Error(`Expected ${entry} to be a module`)
  return new Map(
    checker.getExportsOfModule(exported).map((symbol) => [
      symbol.name,
      new Set(
        checker
          .getDeclaredTypeOfSymbol(symbol)
          .getProperties()
          .map(({ name }) => name),
      ),
    ]),
  )
}
