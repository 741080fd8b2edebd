import { inspect, isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  CodecError,
  jsonCodec,
  Redisson,
  stringCodec,
  type Codec,
  type RedissonClient,
} from '../../src/index.js'
import { twoClients } from '../support/clients.js'
import { noLeaks } from '../support/no-leaks.js'
import { single, slottedTopologies } from '../support/topologies.js'
import { has, subjects, type AnySubject } from './subjects.js'

const CANARY = 'canary-in-a-value'
const UNREADABLE = `{${CANARY}`
const READABLE = `"${CANARY}-too"`
const ofTexts = { codec: stringCodec() }

/** Some of the values that subjects are filled with. */
const isUnreadable = (value: unknown) => value === 'a' || value === 'one' || value === 'two'

/** As a program without types calls. */
type Untyped = Readonly<Record<string, (...args: readonly unknown[]) => Promise<unknown>>>

const json = jsonCodec()
/** Reads other values only. */
const shortSighted: Codec<unknown> = {
  name: 'short-sighted',
  encode: (value) => json.encode(value),
  decode: (bytes) => {
    const value = json.decode(bytes)
    if (isUnreadable(value)) throw new Error('It cannot be read')
    return value
  },
}

/** The calls of all objects with values. */
const calls = Object.entries(subjects).flatMap(([kind, subject]) =>
  Object.entries(subject.fill !== undefined && subject.takesSignal === true ? subject.methods : {})
    .filter(([method, { refuses }]) => refuses === 'by rejecting' && has(subject, method))
    .map(([method, { forms }]) => ({ kind, subject, method, forms })),
)

/** The values in the result of a call, where numbers are scores. An entry of a time series is an object, and so is a delivery. */
const valuesIn = (result: unknown): readonly unknown[] => {
  if (result instanceof Map) return valuesIn([...result.values()])
  if (Array.isArray(result)) return result.flatMap(valuesIn)
  if (typeof result === 'object' && result !== null && 'value' in result)
    if ('timestamp' in result || 'deliveries' in result) return [result.value]
  return typeof result === 'number' ? [] : [result]
}

describe('a value that the codec cannot read', () => {
  noLeaks(single)
  const [server] = single.nodes
  const name = 'unreadable'
  let client: RedissonClient
  let other: RedissonClient

  beforeAll(async () => {
    client = await Redisson.create({ ...single.options(), codec: shortSighted })
    other = await Redisson.create({ ...single.options(), codec: json })
  })

  afterAll(() => Promise.all([client.shutdown(), other.shutdown()]))

  /** All that the object has in Redis, but for its time to live. */
  const contents = async () => {
    const keys = ((await server.command('KEYS', `*${name}*`)) as string[]).sort()
    for (const key of keys) await server.command('PERSIST', key)
    return [keys, await server.command('DEBUG', 'DIGEST-VALUE', ...keys)]
  }

  /** What a call of a filled object comes to, and whether it has changed the contents. */
  const outcomeOf = async (
    caller: RedissonClient,
    { make, ...subject }: AnySubject,
    call: (object: Untyped) => Promise<unknown>,
  ) => {
    await subject.fill?.(await make(other, name))
    const before = await contents()
    const outcome = await call((await make(caller, name)) as Untyped).catch((reason: unknown) => reason)
    const isChanged = !isDeepStrictEqual(await contents(), before)
    await other.getKeys().flushall()
    return { outcome, isChanged }
  }

  it.each(calls)(
    'is in the error of the call that has taken it, with the others: $method() of $kind',
    async ({ kind, subject, method, forms }) => {
      for (const form of forms) {
        const call = async (object: Untyped) => await object[method]?.(...form.map(({ sound }) => sound))
        const { outcome, isChanged } = await outcomeOf(client, subject, call)
        if (!(outcome instanceof CodecError)) {
          // Lex sorted sets have a codec of their own.
          expect(isChanged && kind !== 'lexSet' && valuesIn(outcome).some(isUnreadable)).toBe(false)
          continue
        }
        const read = await outcomeOf(other, subject, call)
        // The name of a queue may stand beside its element.
        const taken = isChanged ? valuesIn(read.outcome).filter((value) => value !== name) : []
        expect(outcome.unreadable().map((bytes) => json.decode(bytes))).toEqual(taken.filter(isUnreadable))
        expect(valuesIn(outcome.taken())).toEqual(taken.filter((value) => !isUnreadable(value)))
        expect(outcome.mayHaveRun).toBe(true)
      }
    },
  )
})

const set = (client: RedissonClient, name: string) => client.getSet(name)
const sorted = (client: RedissonClient, name: string) => client.getScoredSortedSet(name)

describe.each(slottedTopologies)('a value that cannot be read ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)
  let names = 0

  const withName = async <R>(use: (name: string) => Promise<R>): Promise<R> => {
    const name = `unreadable-${topology.kind}-${String(names++)}`
    try {
      return await use(name)
    } finally {
      await clients.mine.getKeys().delete(name, walkOf(name))
    }
  }

  /** Where Redis keeps how far a walk of several is. */
  const walkOf = (name: string) => `{${name}}:walk`

  const failureOf = async (call: Promise<unknown>): Promise<CodecError> => {
    const error: unknown = await call.then(
      () => undefined,
      (reason: unknown) => reason,
    )
    expect(error).toBeInstanceOf(CodecError)
    return error as CodecError
  }

  it('is not shown by the error of the call that has taken it', async () => {
    await withName(async (name) => {
      await clients.other.getSet<string>(name, ofTexts).addAll([READABLE, UNREADABLE])
      const error = await failureOf(set(clients.mine, name).removeRandom(2))
      expect([...error.taken(), ...error.unreadable().map(String)]).toEqual([`${CANARY}-too`, UNREADABLE])
      expect(Reflect.ownKeys(error)).not.toContain('taken')
      for (const text of [inspect(error, { showHidden: true, depth: 9 }), JSON.stringify(error)])
        expect(text).not.toContain(CANARY)
    })
  })

  it.each(['set', 'sorted set'])('comes after the others of its page: %s', async (kind) => {
    await withName(async (name) => {
      const texts = ['1', '2', UNREADABLE, '3', `${UNREADABLE}-too`]
      if (kind === 'set') await clients.other.getSet<string>(name, ofTexts).addAll(texts)
      else
        await clients.other
          .getScoredSortedSet<string>(name, ofTexts)
          .addAll(texts.map((text) => [text, 1] as const))
      const walked: unknown[] = []
      const walk = async () => {
        const of = kind === 'set' ? set(clients.mine, name) : sorted(clients.mine, name)
        for await (const value of of.distributedIterator({ iteratorName: walkOf(name) })) walked.push(value)
      }
      const error = await failureOf(walk())
      expect(walked.toSorted()).toEqual([1, 2, 3])
      expect(error.taken()).toEqual([])
      expect(error.unreadable().map(String).toSorted()).toEqual([UNREADABLE, `${UNREADABLE}-too`])
      await walk() // the page was taken
      expect(walked).toHaveLength(3)
    })
  })

  it('is left out of a walk that several make, if that is wanted', async () => {
    await withName(async (name) => {
      await clients.other.getSet<string>(name, ofTexts).addAll(['1', UNREADABLE])
      const walked: unknown[] = []
      for await (const value of set(clients.mine, name).distributedIterator({
        iteratorName: walkOf(name),
        onInvalid: 'skip',
      }))
        walked.push(value)
      expect(walked).toEqual([1])
    })
  })
})
