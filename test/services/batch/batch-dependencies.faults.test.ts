import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  BatchError,
  Redisson,
  type BatchOptions,
  type RBatch,
  type RedissonClient,
} from '../../../src/index.js'
import type { ServerNode, SingleTopology } from '../../support/launch/topology.js'
import { noLeaks } from '../../support/no-leaks.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import { single } from '../../support/topologies.js'

const SETTINGS = { timeout: 1_000, retryDelay: 10, reconnectionDelay: 10, retryAttempts: 20 }

type Options = Omit<BatchOptions, 'skipResult'>

const modes: readonly Options[] = [
  {},
  { exactlyOnce: true },
  { mode: 'atomic' },
  { mode: 'atomic', exactlyOnce: true },
]

/** A call that would have another result, or another effect, after the calls behind it. */
interface Dependent {
  readonly what: string
  /** The request whose reply is lost, with those of all that come after it. */
  readonly request: RegExp
  readonly prepare: (client: RedissonClient) => Promise<unknown>
  readonly calls: (batch: RBatch) => readonly Promise<unknown>[]
  /** What each call returns if it returns anything. */
  readonly results: readonly unknown[]
  /** What is there if all calls have taken effect. */
  readonly look: (client: RedissonClient) => Promise<unknown>
  readonly found: unknown
}

const ofMultimap = (
  what: string,
  later: (batch: RBatch) => Promise<unknown>,
  result: unknown,
): Dependent => ({
  what: `reads of a key of a multimap before ${what}`,
  request: /^(?:smembers|exec)/i,
  prepare: (client) => client.getSetMultimap('m').putAll('a', ['x']),
  calls: (batch) => [
    batch.getSetMultimap('m').getAll('a'),
    batch.getSetMultimap('m').containsKey('a'),
    batch.getSetMultimap('m').containsEntry('a', 'x'),
    later(batch),
  ],
  results: [['x'], true, true, result],
  look: (client) => client.getSetMultimap('m').getAll('a'),
  found: [],
})

const dependents: readonly Dependent[] = [
  ofMultimap('delete()', (batch) => batch.getSetMultimap('m').delete(), true),
  ofMultimap('clear()', (batch) => batch.getSetMultimap('m').clear(), undefined),
  ofMultimap('rename()', (batch) => batch.getSetMultimap('m').rename('n'), undefined),
  ofMultimap('fastRemoveValue()', (batch) => batch.getSetMultimap('m').fastRemoveValue('x'), 1),
  {
    what: 'sortTo() before a change of what it has written',
    request: /^(?:sort|evalsha .*sort|exec)/i,
    prepare: (client) => client.getSet('s').addAll([5, 4]),
    calls: (batch) => [batch.getSet('s').sortTo('dest'), batch.getList('dest', { exactlyOnce: true }).add(9)],
    results: [2, true],
    look: (client) => client.getList('dest').readAll(),
    found: [4, 5, 9],
  },
  {
    what: 'sortTo() before a removal of what it has written',
    request: /^(?:sort|evalsha .*sort|exec)/i,
    prepare: (client) => client.getSet('s').addAll([5, 4]),
    calls: (batch) => [batch.getSet('s').sortTo('dest'), batch.getList('dest').delete()],
    results: [2, true],
    look: (client) => client.getList('dest').readAll(),
    found: [],
  },
  {
    what: 'a read before sortTo()',
    request: /^(?:lrange|exec)/i,
    prepare: (client) => Promise.all([client.getSet('s').addAll([5, 4]), client.getList('dest').add(1)]),
    calls: (batch) => [batch.getList('dest').readAll(), batch.getSet('s').sortTo('dest')],
    results: [[1], 2],
    look: (client) => client.getList('dest').readAll(),
    found: [4, 5],
  },
  {
    what: 'mergeWith() before a change of what it has read',
    request: /^(?:pfmerge|evalsha .*pfmerge|exec)/i,
    prepare: (client) =>
      Promise.all([
        client.getHyperLogLog('today').addAll(['a', 'b']),
        client.getHyperLogLog('third').addAll(Array.from({ length: 100 }, (_, n) => n)),
      ]),
    calls: (batch) => [
      batch.getHyperLogLog('before').mergeWith(['today']),
      batch.getHyperLogLog('today').mergeWith(['third']),
    ],
    results: [undefined, undefined],
    look: (client) => client.getHyperLogLog('before').count(),
    found: 2,
  },
]

describe.each(modes)('calls of a batch that depend on each other by further keys, as %j', (options) => {
  let door: Proxied<SingleTopology<ServerNode>>
  let client: RedissonClient
  let straight: RedissonClient

  noLeaks(single)

  beforeAll(async () => {
    door = await proxied(single)
    client = await Redisson.create(door.options(SETTINGS))
    straight = await Redisson.create(single.options())
  })

  afterAll(async () => {
    await Promise.all([client.shutdown(), straight.shutdown()])
    await door.stop()
  })

  it.each(dependents)('have no results of later ones where replies are lost: $what', async (dependent) => {
    const { request, prepare, calls, results, look, found } = dependent
    try {
      await prepare(straight)
      await client.batch(calls, options) // loads the scripts
      await straight.getKeys().flushdb()
      await prepare(straight)
      using _trap = door.proxies[0]?.onReply(request, (passing) => {
        passing.cut()
      })
      const outcome = await client.batch(calls, options).catch((error: unknown) => error)
      const settled =
        outcome instanceof BatchError
          ? outcome.results
          : (outcome as readonly unknown[]).map((value) => ({ status: 'fulfilled', value }) as const)
      for (const [index, one] of settled.entries())
        if (one.status === 'fulfilled') expect(one.value, `result ${String(index)}`).toEqual(results[index])
        else expect(one.reason).toMatchObject({ mayHaveRun: true })
      if (settled.at(-1)?.status === 'fulfilled') expect(await look(straight)).toEqual(found)
    } finally {
      await straight.getKeys().flushdb()
    }
  })
})

it('reads a key of a multimap again although another key is changed later', async () => {
  const door = await proxied(single)
  const client = await Redisson.create(door.options(SETTINGS))
  const straight = await Redisson.create(single.options())
  const calls = (batch: RBatch) =>
    [batch.getSetMultimap('m').get('a').size(), batch.getSetMultimap('m').put('b', 'y')] as const
  try {
    await client.batch(calls, { exactlyOnce: true }) // loads the script
    await straight.getKeys().flushdb()
    await straight.getSetMultimap('m').put('a', 'x')
    using _trap = door.proxies[0]?.onReply(/^scard/i, (passing) => {
      passing.cut()
    })
    expect(await client.batch(calls, { exactlyOnce: true })).toEqual([1, true])
  } finally {
    await straight.getKeys().flushdb()
    await Promise.all([client.shutdown(), straight.shutdown()])
    await door.stop()
  }
})

it('refuses to sort by other keys, as nothing says whether another call changes them', async () => {
  const client = await Redisson.create(single.options())
  for (const options of [{ by: 'weight:*' }, { get: ['#', 'name:*'] }])
    await expect(client.batch((batch) => [batch.getSet('s').readSort(options)])).rejects.toMatchObject({
      code: 'NOT_IN_BATCH',
    })
  expect(await client.batch((batch) => [batch.getSet('s').readSort({ by: 'none', get: ['#'] })])).toEqual([
    [],
  ])
  await client.shutdown()
})
