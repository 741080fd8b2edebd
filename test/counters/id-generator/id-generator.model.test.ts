import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isRedissonError, Redisson, type RedissonClient } from '../../../src/index.js'
import { takeIds } from '../../../src/counters/id-generator/id-generator.scripts.js'
import { noLeaks } from '../../support/no-leaks.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import type { ServerNode, SingleTopology } from '../../support/launch/topology.js'
import { single } from '../../support/topologies.js'
import { withinTime } from '../../support/within-time.js'

const RUNS = { numRuns: 60 }
const LIMIT_MS = 8_000

const CLIENTS = 3
const NAME = 'model-ids'

/** Few attempts, so that some requests fail in the end. */
const SETTINGS = { timeout: 100, retryDelay: 5, reconnectionDelay: 5, retryAttempts: 2 }

/** What clients do, and what the network does to them. */
const move = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      what: fc.constant('ask' as const),
      client: fc.nat(CLIENTS - 1),
      count: fc.integer({ min: 1, max: 30 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ what: fc.constantFrom('loseReply', 'loseRequest', 'freeze') }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('cut') }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('wait'), ms: fc.nat(15) }) },
)

type Move = typeof move extends fc.Arbitrary<infer M> ? M : never

/** Ids as one client has got them, in the order of its calls. */
type Got = readonly (readonly number[])[]

describe('ids of several clients that lose requests and replies', () => {
  let door: Proxied<SingleTopology<ServerNode>>
  let clients: readonly RedissonClient[]

  noLeaks(single)

  beforeAll(async () => {
    door = await proxied(single)
    clients = await Promise.all(
      Array.from({ length: CLIENTS }, () => Redisson.create(door.options(SETTINGS))),
    )
  })

  afterAll(async () => {
    await Promise.all(clients.map((client) => client.shutdown()))
    await door.stop()
  })

  const inflict = (what: string): void => {
    for (const proxy of door.proxies) {
      if (what === 'loseReply') proxy.loseReplyTo(takeIds.sha)
      if (what === 'loseRequest') proxy.onRequest(takeIds.sha, (passing) => passing.cut())
      if (what === 'freeze') proxy.onReply(takeIds.sha, (passing) => passing.freeze())
      if (what === 'cut') proxy.cut()
    }
  }

  const play = async (moves: readonly Move[], exactlyOnce: boolean): Promise<Got> => {
    const calls: Promise<number | undefined>[][] = clients.map(() => [])
    for (const each of moves) {
      if ('ms' in each) await sleep(each.ms)
      else if (!('client' in each)) inflict(each.what)
      else
        for (let count = 0; count < each.count; count += 1)
          calls[each.client]?.push(idOf(clients[each.client] as RedissonClient, exactlyOnce))
    }
    const settled = await Promise.all(calls.map((ofClient) => Promise.all(ofClient)))
    return settled.map((ofClient) => ofClient.filter((id) => id !== undefined))
  }

  it.each([false, true])(
    'are handed out once each (exactlyOnce: %o)',
    { timeout: 60_000, tags: ['timed'] },
    async (once) => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(move, { minLength: 1, maxLength: 25 }),
          fc.integer({ min: 1, max: 12 }),
          fc.integer({ min: -30, max: 30 }),
          (moves, size, first) => run({ moves, size, first, once }),
        ),
        RUNS,
      )
    },
  )

  const run = withinTime<{ moves: readonly Move[]; size: number; first: number; once: boolean }>(
    LIMIT_MS,
    async ({ moves, size, first, once }) => {
      await Promise.all(door.proxies.map((proxy) => proxy.heal()))
      for (const client of clients) await client.getIdGenerator(NAME, { exactlyOnce: true }).delete()
      const generator = (clients[0] as RedissonClient).getIdGenerator(NAME, { exactlyOnce: true })
      expect(await generator.tryInit(first, size)).toBe(true)
      const got = await play(moves, once)
      const all = got.flat()
      expect(new Set(all).size).toBe(all.length)
      const next = Number(await single.nodes[0].command('GET', NAME))
      for (const id of all) expect(id >= first && id < next).toBe(true)
      expect(ownersOf(got, first, size)).toEqual([])
      for (const ofClient of got) expect(ofClient).toEqual([...ofClient].sort((a, b) => a - b))
      await generator.delete()
    },
  )
})

/** One id; undefined if it could not be had, which is an error of this library. */
async function idOf(client: RedissonClient, exactlyOnce: boolean): Promise<number | undefined> {
  try {
    return await client.getIdGenerator(NAME, { exactlyOnce }).nextId()
  } catch (error) {
    if (!isRedissonError(error)) throw error
    return undefined
  }
}

/** The blocks of which more than one client has got ids. */
function ownersOf(got: Got, first: number, size: number): number[] {
  const owners = new Map<number, number>()
  return got.flatMap((ids, client) =>
    ids.flatMap((id) => {
      const block = Math.floor((id - first) / size)
      const owner = owners.get(block) ?? client
      owners.set(block, owner)
      return owner === client ? [] : [block]
    }),
  )
}
