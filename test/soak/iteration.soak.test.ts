import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { stringCodec } from '../../src/index.js'
import type { RedissonClient } from '../../src/api/redisson-client.js'
import { Redisson } from '../../src/client/redisson.js'
import { collectGarbage } from '../support/collect-garbage.js'
import type { SingleTopology } from '../support/launch/topology.js'
import { startSingle } from '../support/servers.js'
import { full } from './size.js'

const MEMBERS = full ? 1_000_000 : 100_000

/** How often the heap is weighed. */
const WEIGHED_EACH = MEMBERS / 10

/** A member that was kept would take a hundred bytes at least. */
const MOST_BYTES = MEMBERS * 10

/** How many members one script adds. */
const PART = 50_000

const text = { codec: stringCodec() }

interface Collection {
  readonly kind: string
  /** Adds the members from one number to another, on the server. */
  readonly fill: string
  readonly iterate: (client: RedissonClient, name: string) => AsyncIterable<unknown>
}

const collections: readonly Collection[] = [
  {
    kind: 'a map',
    fill: `redis.call('hset', KEYS[1], index, 'value of ' .. index)`,
    iterate: (client, name) => client.getMap(name, text).entries({ count: 1000 }),
  },
  {
    kind: 'a set',
    fill: `redis.call('sadd', KEYS[1], 'member ' .. index)`,
    iterate: (client, name) => client.getSet(name, text).values({ count: 1000 }),
  },
  {
    kind: 'a set that several may iterate over together',
    fill: `redis.call('sadd', KEYS[1], 'member ' .. index)`,
    iterate: (client, name) => client.getSet(name, text).distributedIterator({ count: 1000 }),
  },
  {
    kind: 'a scored sorted set',
    fill: `redis.call('zadd', KEYS[1], index, 'member ' .. index)`,
    iterate: (client, name) => client.getScoredSortedSet(name, text).entries({ count: 1000 }),
  },
  {
    kind: 'a lex sorted set',
    fill: `redis.call('zadd', KEYS[1], 0, 'member ' .. index)`,
    iterate: (client, name) => client.getLexSortedSet(name).values({ count: 1000 }),
  },
  {
    kind: 'a sorted set',
    fill: `redis.call('rpush', KEYS[1], index)`,
    iterate: (client, name) => client.getSortedSet<number>(name).values({ count: 1000 }),
  },
  {
    kind: 'a list',
    fill: `redis.call('rpush', KEYS[1], 'element ' .. index)`,
    iterate: (client, name) => client.getList(name, text).values({ count: 1000 }),
  },
]

describe(`iterating over ${String(MEMBERS)} members`, () => {
  let topology: SingleTopology
  let client: RedissonClient

  beforeAll(async () => {
    topology = await startSingle()
    client = await Redisson.create(topology.options())
  })
  afterAll(async () => {
    await client.shutdown()
    await topology.stop()
  })

  it.each(collections)('keeps none of $kind', { timeout: 120_000 }, async ({ kind, fill, iterate }) => {
    for (let first = 1; first <= MEMBERS; first += PART) await fillPart(topology, { kind, fill }, first)
    let seen = 0
    const weights: number[] = []
    for await (const _ of iterate(client, kind)) if (++seen % WEIGHED_EACH === 0) weights.push(heapUsed())
    expect(seen).toBe(MEMBERS)
    const [first = NaN] = weights
    expect(Math.max(...weights) - first).toBeLessThan(MOST_BYTES)
    await client.getKeys().delete(kind)
  })
})

async function fillPart(
  topology: SingleTopology,
  { kind, fill }: Pick<Collection, 'kind' | 'fill'>,
  first: number,
): Promise<void> {
  const lua = `for index = tonumber(ARGV[1]), tonumber(ARGV[2]) do ${fill} end`
  await topology.nodes[0].command('EVAL', lua, 1, kind, first, first + PART - 1)
}

function heapUsed(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed
}
