import { describe, expect, it } from 'vitest'
import { jsonCodec, type Codec, type RedissonClient } from '../../src/index.js'
import { twoClients } from '../support/clients.js'
import { noLeaks } from '../support/no-leaks.js'
import { single } from '../support/topologies.js'

const MANY = 12_000

/** Twice what is decoded before others get a turn: a tick may come just before such a part ends. */
const MOST_IN_A_TURN = 2_000

const ALL = Array.from({ length: MANY }, (_, index) => index)

const json = jsonCodec()

/** A codec that notes how many values are decoded in one turn of the event loop at most. */
class CountingCodec implements Codec<unknown> {
  readonly name = 'counting'
  #inThisTurn = 0
  #most = 0

  get most(): number {
    return this.#most
  }

  encode(value: unknown): Uint8Array | string {
    return json.encode(value)
  }

  decode(bytes: Uint8Array): unknown {
    if (this.#inThisTurn === 0)
      setImmediate(() => {
        this.#inThisTurn = 0
      })
    this.#inThisTurn += 1
    this.#most = Math.max(this.#most, this.#inThisTurn)
    return json.decode(bytes)
  }
}

type Fill = (client: RedissonClient, codec: Codec<unknown>) => Promise<() => Promise<unknown>>

const mapOf = async (client: RedissonClient, codec: Codec<unknown>) => {
  const map = client.getMap<unknown>('large', { codec: { key: json, value: codec } })
  await map.putAll(ALL.map((n) => [n, n]))
  return map
}

const setOf = async (client: RedissonClient, codec: Codec<unknown>) => {
  const set = client.getScoredSortedSet('large', { codec })
  await set.addAll(ALL.map((n) => [n, n]))
  return set
}

const listOf = async (client: RedissonClient, codec: Codec<unknown>) => {
  const list = client.getList('large', { codec })
  await list.addAll(ALL)
  return list
}

const pairs = ALL.map((n) => [n, n])

const reads: Readonly<Record<string, readonly [Fill, unknown]>> = {
  'map.getAll()': [
    async (...given) => {
      const map = await mapOf(...given)
      return async () => [...(await map.getAll(ALL))]
    },
    pairs,
  ],
  'map.readAllMap()': [
    async (...given) => {
      const map = await mapOf(...given)
      return async () => [...(await map.readAllMap())].sort(([one], [other]) => Number(one) - Number(other))
    },
    pairs,
  ],
  'scoredSortedSet.entryRange()': [
    async (...given) => {
      const set = await setOf(...given)
      return () => set.entryRange(0, -1)
    },
    pairs,
  ],
  'scoredSortedSet.valueRange()': [
    async (...given) => {
      const set = await setOf(...given)
      return () => set.valueRange(0, -1)
    },
    ALL,
  ],
  'list.readAll()': [
    async (...given) => {
      const list = await listOf(...given)
      return () => list.readAll()
    },
    ALL,
  ],
  'list.readSort()': [
    async (...given) => {
      const list = await listOf(...given)
      return () => list.readSort()
    },
    ALL,
  ],
  'set.readAll()': [
    async (client, codec) => {
      const set = client.getSet('large', { codec })
      await set.addAll(ALL)
      return async () => (await set.readAll()).sort((one, other) => Number(one) - Number(other))
    },
    ALL,
  ],
}

describe('a large read', () => {
  noLeaks(single)
  const clients = twoClients(single)

  it.each(Object.entries(reads))(
    'decodes in several turns of the event loop: %s',
    async (_, [fill, expected]) => {
      const codec = new CountingCodec()
      const read = await fill(clients.mine, codec)
      expect(await read()).toEqual(expected)
      expect(codec.most).toBeLessThanOrEqual(MOST_IN_A_TURN)
      await clients.mine.getKeys().delete('large')
    },
  )

  it('is completed if the client is shut down while it decodes', async () => {
    const list = await listOf(clients.other, json)
    const began = Promise.withResolvers<void>()
    const codec: Codec<unknown> = {
      name: 'telling',
      encode: (value) => json.encode(value),
      decode: (bytes) => {
        began.resolve()
        return json.decode(bytes)
      },
    }
    const read = clients.other.getList('large', { codec }).readAll()
    await began.promise
    await clients.other.shutdown()
    expect(await read).toEqual(ALL)
    await clients.mine.getKeys().delete(list.name)
  })
})
