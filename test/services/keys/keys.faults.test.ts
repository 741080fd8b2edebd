import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Redisson, type RedissonClient } from '../../../src/index.js'
import { testLostReplies, type CountingCall } from '../../contracts/values/lost-replies.js'
import { allOf } from '../../support/all-of.js'
import type { ServerNode, SingleTopology } from '../../support/launch/topology.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import { single } from '../../support/topologies.js'

const there = (client: RedissonClient, name: string) => client.getBucket(name).set('there')
const look = (client: RedissonClient, name: string) => client.getBucket(name).get()

const calls: readonly CountingCall[] = [
  {
    what: 'delete',
    prepare: there,
    call: (client, name, exactlyOnce) => client.getKeys({ exactlyOnce }).delete(name),
    answer: 1,
    states: ['there', undefined],
  },
  {
    what: 'unlink',
    prepare: there,
    call: (client, name, exactlyOnce) => client.getKeys({ exactlyOnce }).unlink(name),
    answer: 1,
    states: ['there', undefined],
  },
]

testLostReplies('keys', calls, look)

describe('keys of a client whose connection breaks', () => {
  let door: Proxied<SingleTopology<ServerNode>>
  let client: RedissonClient
  let straight: RedissonClient
  const names = Array.from({ length: 2_000 }, (_, n) => `walked-${String(n)}`)

  beforeAll(async () => {
    door = await proxied(single)
    client = await Redisson.create(
      door.options({ timeout: 300, retryDelay: 20, reconnectionDelay: 10, retryAttempts: 10 }),
    )
    straight = await Redisson.create(single.options())
    await straight.getBuckets().set(names.map((name) => [name, 1] as const))
  })

  afterAll(async () => {
    await straight.getKeys().flushdb()
    await Promise.all([client.shutdown(), straight.shutdown()])
    await door.stop()
  })

  it('are all walked through, again from the beginning', async () => {
    const seen: string[] = []
    let cuts = 0
    for await (const name of client.getKeys().getKeys({ count: 100 })) {
      seen.push(name)
      if (seen.length % 500 !== 0 || cuts === 2) continue
      cuts += 1
      for (const proxy of door.proxies) proxy.cut()
    }
    expect(cuts).toBe(2)
    expect(new Set(seen)).toEqual(new Set(names))
    expect(seen.length).toBeGreaterThan(names.length)
  })

  it('are all flushed and counted, with a request sent again', async () => {
    for (const proxy of door.proxies) proxy.cut()
    expect(await client.getKeys().count()).toBe(names.length)
  })

  it('end a walk that begins after the shutdown', async () => {
    const closed = await Redisson.create(single.options())
    const walk = closed.getKeys()
    await closed.shutdown()
    await expect(allOf(walk)).rejects.toMatchObject({ code: 'CLOSED' })
    await expect(walk.flushdb()).rejects.toMatchObject({ code: 'CLOSED' })
  })
})
