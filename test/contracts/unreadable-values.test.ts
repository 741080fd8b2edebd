import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { CodecError, stringCodec, type RedissonClient } from '../../src/index.js'
import { twoClients } from '../support/clients.js'
import { noLeaks } from '../support/no-leaks.js'
import { slottedTopologies } from '../support/topologies.js'

/** A call that takes values from Redis, one of which the codec cannot read. */
interface TakingCall {
  readonly what: string
  /** Writes the texts that are no JSON, and others. */
  readonly prepare: (client: RedissonClient, name: string) => Promise<unknown>
  readonly call: (client: RedissonClient, name: string) => Promise<unknown>
  /** What the error has of the values that can be read. */
  readonly taken: readonly unknown[]
}

const codec = stringCodec()
const CANARY = 'canary-in-a-value'
const UNREADABLE = `{${CANARY}`
const READABLE = `"${CANARY}-too"`

const sorted = (client: RedissonClient, name: string) => client.getScoredSortedSet(name)
const set = (client: RedissonClient, name: string) => client.getSet(name)
const list = (client: RedissonClient, name: string) => client.getList(name)
const map = (client: RedissonClient, name: string) => client.getMap(name)
const bucket = (client: RedissonClient, name: string) => client.getBucket(name)

const inSorted = (client: RedissonClient, name: string) =>
  client.getScoredSortedSet<string>(name, { codec }).addAll({ '1': 1, [UNREADABLE]: 2, [READABLE]: 3 })
const oneInSorted = (client: RedissonClient, name: string) =>
  client.getScoredSortedSet<string>(name, { codec }).add(2, UNREADABLE)
const inSet = (client: RedissonClient, name: string) =>
  client.getSet<string>(name, { codec }).addAll(['1', UNREADABLE])
const inList = (client: RedissonClient, name: string) =>
  client.getList<string>(name, { codec }).add(UNREADABLE)
const inMap = (client: RedissonClient, name: string) =>
  client.getMap<string, string>(name, { codec }).put('k', UNREADABLE)
const inBucket = (client: RedissonClient, name: string) =>
  client.getBucket<string>(name, { codec }).set(UNREADABLE)

const inNatural = (client: RedissonClient, name: string) =>
  client.getList<string>(name, { codec }).addAll(['1', UNREADABLE, READABLE])
const inMultimap = (client: RedissonClient, name: string) =>
  client.getListMultimap<string, string>(name, { codec }).putAll('k', ['1', UNREADABLE, READABLE])

const inOrder = [1, `${CANARY}-too`]

function calling(
  what: string,
  prepare: TakingCall['prepare'],
  call: TakingCall['call'],
  taken: readonly unknown[] = [],
): TakingCall {
  return { what, prepare, call, taken }
}

const calls: readonly TakingCall[] = [
  calling('pollFirst', oneInSorted, (client, name) => sorted(client, name).pollFirst()),
  calling('pollFirst of many', inSorted, (client, name) => sorted(client, name).pollFirst(3), inOrder),
  calling('pollLast of many', inSorted, (client, name) => sorted(client, name).pollLast(3), inOrder),
  calling('pollFirstEntry', oneInSorted, (client, name) => sorted(client, name).pollFirstEntry()),
  calling('pollLastEntry', oneInSorted, (client, name) => sorted(client, name).pollLastEntry()),
  calling('pollFirstEntries', inSorted, (client, name) => sorted(client, name).pollFirstEntries(3), [
    [1, 1],
    [`${CANARY}-too`, 3],
  ]),
  calling('pollLastEntries', inSorted, (client, name) => sorted(client, name).pollLastEntries(2), [
    [`${CANARY}-too`, 3],
  ]),
  calling(
    'pollFirstFromAny of many',
    inSorted,
    (client, name) => sorted(client, name).pollFirstFromAny([], 3),
    inOrder,
  ),
  calling(
    'pollFirstEntriesFromAny',
    inSorted,
    (client, name) => sorted(client, name).pollFirstEntriesFromAny([], 2),
    [[1, 1]],
  ),
  calling('takeFirst', oneInSorted, (client, name) => sorted(client, name).takeFirst()),
  calling('takeLast', oneInSorted, (client, name) => sorted(client, name).takeLast()),
  calling(
    'pollFirst of a sorted set in natural order',
    inNatural,
    (client, name) => client.getSortedSet(name).pollFirst(3),
    inOrder,
  ),
  calling(
    'removeAll of a multimap',
    inMultimap,
    (client, name) => client.getListMultimap(name).removeAll('k'),
    inOrder,
  ),
  calling(
    'replaceValues of a multimap',
    inMultimap,
    (client, name) => client.getListMultimap(name).replaceValues('k', []),
    inOrder,
  ),
  calling('removeRandom of many', inSet, (client, name) => set(client, name).removeRandom(2), [1]),
  calling('removeAt', inList, (client, name) => list(client, name).removeAt(0)),
  calling('set of a list', inList, (client, name) => list(client, name).set(0, 'new')),
  calling('put', inMap, (client, name) => map(client, name).put('k', 'new')),
  calling('putIfExists', inMap, (client, name) => map(client, name).putIfExists('k', 'new')),
  calling('replace', inMap, (client, name) => map(client, name).replace('k', 'new')),
  calling('remove of a map', inMap, (client, name) => map(client, name).remove('k')),
  calling('getAndSet', inBucket, (client, name) => bucket(client, name).getAndSet('new')),
  calling('getAndDelete', inBucket, (client, name) => bucket(client, name).getAndDelete()),
]

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

  it.each(calls.map((call) => [call.what, call] as const))(
    'is in the error of the call that has taken it, with the others: %s',
    async (_, { prepare, call, taken }) => {
      await withName(async (name) => {
        await prepare(clients.other, name)
        const error = await failureOf(call(clients.mine, name))
        expect(error.taken()).toEqual(taken)
        expect(error.unreadable().map(String)).toEqual([UNREADABLE])
        expect(error.mayHaveRun).toBe(true)
        expect(Reflect.ownKeys(error)).not.toContain('taken')
        for (const text of [inspect(error, { showHidden: true, depth: 9 }), JSON.stringify(error)])
          expect(text).not.toContain(CANARY)
      })
    },
  )

  it('is in no error of a call that leaves it where it is', async () => {
    await withName(async (name) => {
      await inMap(clients.other, name)
      for (const call of [
        map(clients.mine, name).get('k'),
        map(clients.mine, name).putIfAbsent('k', 'new'),
      ]) {
        const error = await failureOf(call)
        expect([error.taken(), error.unreadable()]).toEqual([[], []])
      }
    })
  })

  it.each(['set', 'sorted set'])('comes after the others of its page: %s', async (kind) => {
    await withName(async (name) => {
      const texts = ['1', '2', UNREADABLE, '3', `${UNREADABLE}-too`]
      if (kind === 'set') await clients.other.getSet<string>(name, { codec }).addAll(texts)
      else
        await clients.other
          .getScoredSortedSet<string>(name, { codec })
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
      await inSet(clients.other, name)
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
