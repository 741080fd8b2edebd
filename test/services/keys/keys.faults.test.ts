import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { Redisson, type RedissonClient } from '../../../src/index.js'
import { testLostReplies, type CountingCall } from '../../contracts/values/lost-replies.js'
import { allOf } from '../../support/all-of.js'
import { strike } from '../../support/faults.js'
import type { ClusterTopology, ServerNode, SingleTopology } from '../../support/launch/topology.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import type { Passing } from '../../support/proxy/trap.js'
import { cluster, single } from '../../support/topologies.js'

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

describe('keys whose slot begins to move when a reply about them is lost', () => {
  const tagged = ['{moving}a', '{moving}b']
  const isAboutBoth = (request: string) => tagged.every((name) => request.includes(name))
  let door: Proxied<ClusterTopology<ServerNode>>
  let client: RedissonClient
  let straight: RedissonClient

  beforeAll(async () => {
    door = await proxied(cluster)
    client = await Redisson.create(
      door.options({ timeout: 2_000, retryDelay: 20, reconnectionDelay: 10, retryAttempts: 20 }),
    )
    straight = await Redisson.create(cluster.options())
  })

  afterEach(async () => {
    await Promise.all(door.proxies.map((proxy) => proxy.heal()))
    await straight.getKeys().delete(...tagged)
  })

  afterAll(async () => {
    await Promise.all([client.shutdown(), straight.shutdown()])
    await door.stop()
  })

  /**
   * Loses the reply to the next request about both keys, and has later ones refused as by a node that has only one of them. Returns how many
   * were refused so far.
   */
  const moveOnLoss = (times: number, meanwhile: () => Promise<unknown> = () => Promise.resolve()) => {
    let refused = 0
    const refuse = (passing: Passing) => {
      refused += 1
      passing.refuse('TRYAGAIN Multiple keys request during rehashing of slot')
    }
    const { struck } = strike(door.proxies, '{moving}b', [
      'is answered, and the answer cut off when the slot has begun to move',
      'reply',
      async (passing) => {
        await meanwhile()
        for (const proxy of door.proxies) proxy.onRequest(isAboutBoth, refuse, { times })
        passing.cut()
      },
    ])
    return { struck, refused: () => refused }
  }

  it.each(['delete', 'unlink'] as const)('are removed once with exactlyOnce, by %s()', async (remove) => {
    const keys = client.getKeys({ exactlyOnce: true })
    await keys[remove]('{moving}warm', '{moving}warm too') // so that the server knows the script
    for (const name of tagged) await straight.getBucket(name).set('old')
    const { struck } = moveOnLoss(1, () => straight.getBucket('{moving}a').set('new'))
    expect(await keys[remove](...tagged)).toBe(2)
    await struck
    expect(await straight.getBucket('{moving}a').get()).toBe('new')
  })

  it('may have been removed, where their slot keeps moving', async () => {
    const keys = client.getKeys({ exactlyOnce: true })
    await keys.delete('{moving}warm', '{moving}warm too')
    for (const name of tagged) await straight.getBucket(name).set('old')
    const { struck } = moveOnLoss(Infinity, () => straight.getBucket('{moving}a').set('new'))
    await expect(keys.delete(...tagged)).rejects.toMatchObject({ mayHaveRun: true })
    await struck
    expect(await straight.getBucket('{moving}a').get()).toBe('new')
  })

  it('are counted one by one at once, as that changes nothing', async () => {
    for (const name of tagged) await straight.getBucket(name).set('there')
    const { struck, refused } = moveOnLoss(Infinity)
    expect(await client.getKeys().countExists(...tagged)).toBe(2)
    await struck
    // None where ioredis gives up before it has found the node again, which is taken for a slot that moves as well.
    expect(refused()).toBeLessThanOrEqual(1)
  })
})
