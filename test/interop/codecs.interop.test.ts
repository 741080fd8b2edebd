import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { doubleCodec, jacksonCodec, longCodec, stringCodec, type Codec } from '../../src/index.js'
import type { SingleTopology } from '../support/launch/topology.js'
import { startSingle } from '../support/servers.js'
import { JavaPeer, type JavaThread } from './java-peer.js'

const START_WITHIN_MS = 120_000

const JACKSON_2 = 'org.redisson.codec.JsonJacksonCodec'
const JACKSON_3 = 'org.redisson.codec.JsonJackson3Codec'

/** The codecs that both sides have, and values that Java can get as JSON. */
const codecs: readonly (readonly [java: string, node: Codec<unknown>, values: readonly unknown[]])[] = [
  ['org.redisson.client.codec.StringCodec', stringCodec(), ['é😀', '5']],
  ['org.redisson.client.codec.LongCodec', longCodec(), [5, -7]],
  ['org.redisson.client.codec.DoubleCodec', doubleCodec(), [1.5, -0.25]],
  [
    JACKSON_2,
    jacksonCodec(),
    ['é😀\u001f/', 5, 1.5, true, [1, 'a', [2.5, null]], { z: 1, a: ['x'], c: { d: false } }],
  ],
  [
    JACKSON_3,
    jacksonCodec({ jackson: 3 }),
    ['é😀\u001f/', 5, 1.5, true, [1, 'a', [2.5, null]], { z: 1, a: ['x'], c: { d: false } }],
  ],
]

describe.skipIf(inject('javaPeer').missing !== undefined)('values of Node and Java', () => {
  let server: SingleTopology
  let redis: Redis
  let peer: JavaPeer
  const threads = new Map<string, JavaThread>()

  beforeAll(async () => {
    ;[server, peer] = await Promise.all([startSingle(), JavaPeer.start()])
    redis = new Redis(server.nodes[0].port, server.nodes[0].host)
    for (const [codec] of codecs) {
      const client = await peer.open(server, { codec })
      threads.set(codec, client.thread('values'))
    }
  }, START_WITHIN_MS)

  afterAll(async () => {
    redis.disconnect()
    await peer.end()
    await server.stop()
  })

  const inJava = async (codec: string, ...call: [string, ...unknown[]]) =>
    threads.get(codec)?.call(['getBucket', 'value'], call)

  describe.each(codecs)('%s', (java, codec, values) => {
    it.each(values.map((value) => [value]))('reads %j of Node', async (value) => {
      await redis.set('value', Buffer.from(codec.encode(value)))
      expect(await inJava(java, 'get')).toEqual(value)
    })

    it.each(values.map((value) => [value]))(
      'writes %j with the bytes of Node, which reads it',
      async (value) => {
        await inJava(java, 'set', value)
        const bytes = await redis.getBuffer('value')
        expect(bytes?.toString()).toBe(Buffer.from(codec.encode(value)).toString())
        expect(codec.decode(bytes ?? Buffer.of())).toEqual(value)
      },
    )
  })

  describe.each([JACKSON_2, JACKSON_3])('classes, to %s', (java) => {
    it.each<[value: unknown, seen: unknown]>([
      [2n ** 40n, 2 ** 40],
      [new Set(['a']), ['a']],
      [Buffer.of(1, 2), Buffer.of(1, 2).toString('base64')],
      [new Date(0), expect.stringContaining('1970')],
    ])('%o of Node is one of its class in Java', async (value, seen) => {
      await redis.set('value', Buffer.from(jacksonCodec().encode([value])))
      expect(await inJava(java, 'get')).toEqual([seen])
    })

    it('enums and numbers of Java are of their class once Node has changed what is beside them', async () => {
      const items =
        '["java.util.concurrent.TimeUnit","SECONDS"],["java.lang.Thread$State","NEW"],["java.lang.Short",3]'
      const codec = jacksonCodec<unknown[]>()
      const list = codec.decode(Buffer.from(`["java.util.ArrayList",[${items}]]`))
      expect(list).toEqual(['SECONDS', 'NEW', 3])
      const written = Buffer.from(codec.encode(Object.assign(list, { 3: 1 })))
      expect(written.toString()).toBe(`["java.util.ArrayList",[${items},1]]`)
      await redis.set('value', written)
      expect(await inJava(java, 'get')).toEqual(['SECONDS', 'NEW', 3, 1])
    })
  })
})
