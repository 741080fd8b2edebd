import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bytesCodec, Redisson, stringCodec, type RedissonClient } from '../../../src/index.js'
import { single } from '../../support/topologies.js'

const codec = bytesCodec()
const NAME = 'given-bytes'

/** A call that is given bytes, by a script that the server does not know at first, so that it is sent twice. */
const calls: readonly [
  what: string,
  call: (client: RedissonClient, bytes: Uint8Array) => Promise<unknown>,
  look: (client: RedissonClient) => Promise<unknown>,
][] = [
  [
    'set() of a bucket',
    (client, bytes) => client.getBucket(NAME, { codec, exactlyOnce: true }).set(bytes),
    (client) => client.getBucket(NAME, { codec }).get(),
  ],
  [
    'put() of a map',
    (client, bytes) => client.getMap(NAME, { codec: { key: stringCodec(), value: codec } }).put('k', bytes),
    (client) => client.getMap(NAME, { codec: { key: stringCodec(), value: codec } }).get('k'),
  ],
  [
    'put() of a multimap',
    (client, bytes) =>
      client.getListMultimap(NAME, { codec: { key: stringCodec(), value: codec } }).put('k', bytes),
    async (client) =>
      (await client.getListMultimap(NAME, { codec: { key: stringCodec(), value: codec } }).getAll('k'))[0],
  ],
  [
    'add() of a list',
    (client, bytes) => client.getList(NAME, { codec, exactlyOnce: true }).add(bytes),
    (client) => client.getList(NAME, { codec }).get(0),
  ],
  [
    'addFirst() of a deque',
    (client, bytes) => client.getDeque(NAME, { codec, exactlyOnce: true }).addFirst(bytes),
    (client) => client.getDeque(NAME, { codec }).getFirst(),
  ],
  [
    'setByteArray() of a bit set',
    (client, bytes) => client.getBitSet(NAME, { exactlyOnce: true }).setByteArray(bytes),
    async (client) => Buffer.from(await client.getBitSet(NAME).toByteArray()),
  ],
]

describe('bytes that the program changes while a call is under way', () => {
  let client: RedissonClient

  beforeAll(async () => {
    client = await Redisson.create(single.options())
  })

  afterAll(() => client.shutdown())

  it.each(calls)('are stored as they were given: %s', async (_, call, look) => {
    try {
      await client.getScript().scriptFlush()
      const bytes = Buffer.from('given')
      const done = call(client, bytes)
      bytes.fill('x')
      await done
      expect(await look(client)).toEqual(Buffer.from('given'))
    } finally {
      await client.getKeys().flushdb()
    }
  })
})
