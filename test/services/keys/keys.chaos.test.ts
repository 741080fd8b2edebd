import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Redisson, type RedissonClient } from '../../../src/index.js'
import {
  failOverSlot,
  mastersOf,
  migrateSlot,
  newOwnerOf,
  openSlot,
  ownerOf,
  slotOf,
  type OpenSlot,
} from '../../support/cluster.js'
import { strike } from '../../support/faults.js'
import type { ClusterTopology, RunningNode } from '../../support/launch/topology.js'
import { proxied } from '../../support/proxied.js'
import type { Passing } from '../../support/proxy/trap.js'
import { startCluster } from '../../support/servers.js'

const MANY = 6_000

describe('the keys of a cluster that changes', () => {
  let cluster: ClusterTopology
  let client: RedissonClient
  const names = Array.from({ length: MANY }, (_, n) => `key-${String(n)}`)

  beforeAll(async () => {
    cluster = await startCluster({ nodeTimeoutMs: 1000 })
    const settings = {
      timeout: 500,
      retryDelay: 200,
      reconnectionDelay: 50,
      retryAttempts: 60,
      scanInterval: 500,
    }
    client = await Redisson.create(cluster.options(settings))
    await client.getBuckets().set(names.map((name) => [name, name] as const))
  })

  afterAll(async () => {
    await client.shutdown()
    await cluster.stop()
  })

  /** Walks through all keys, and has something happen after the first thousand. */
  const walkThrough = async (fault: () => Promise<unknown>) => {
    const seen = new Set<string>()
    let struck = false
    for await (const name of client.getKeys().getKeys({ count: 100 })) {
      seen.add(name)
      if (struck || seen.size < 1_000) continue
      struck = true
      await fault()
    }
    return seen
  }

  const otherThan = async (owner: RunningNode) =>
    (await mastersOf(cluster)).find((node) => node !== owner) as RunningNode

  it('are all walked through while replicas take over by plan', { timeout: 60_000 }, async () => {
    const failOverAll = async () => {
      for (const key of ['key-1', 'key-2', 'key-3']) await failOverSlot(cluster, await slotOf(cluster, key))
    }
    expect(await walkThrough(failOverAll)).toEqual(new Set(names))
  })

  it('are all walked through when a master is killed', { timeout: 60_000 }, async () => {
    const slot = await slotOf(cluster, 'key-1')
    const seen = await walkThrough(async () => {
      const old = await ownerOf(cluster, slot)
      await old.kill()
      await newOwnerOf(cluster, slot, old)
      await old.restart()
    })
    expect(seen).toEqual(new Set(names))
  })

  it('are counted when a master is killed', { timeout: 60_000 }, async () => {
    const slot = await slotOf(cluster, 'key-1')
    const old = await ownerOf(cluster, slot)
    await old.kill()
    const counted = client.getKeys().count()
    await newOwnerOf(cluster, slot, old)
    expect(await counted).toBe(MANY)
    await old.restart()
  })

  it('are removed while their slot moves', { timeout: 60_000 }, async () => {
    const tagged = ['{open}a', '{open}b', '{open}c']
    await client.getBuckets().set(tagged.map((name) => [name, 1] as const))
    const slot = await slotOf(cluster, '{open}')
    const opened = await openSlot(cluster, slot, await otherThan(await ownerOf(cluster, slot)))
    await opened.move('{open}a')
    expect(await client.getKeys().delete(...tagged)).toBe(3)
    await opened.close()
  })

  it(
    'are removed once if their slot begins to move when the reply is lost',
    { timeout: 60_000 },
    async () => {
      const door = await proxied(cluster)
      const remover = await Redisson.create(
        door.options({ timeout: 500, retryDelay: 100, retryAttempts: 60 }),
      )
      const keys = remover.getKeys({ exactlyOnce: true })
      const tagged = ['{lost}a', '{lost}b']
      await keys.delete('{lost}warm', '{lost}warm too') // so that the server knows the script
      await client.getBuckets().set(tagged.map((name) => [name, 'old'] as const))
      const slot = await slotOf(cluster, '{lost}')
      const target = await otherThan(await ownerOf(cluster, slot))
      const refused = Promise.withResolvers<void>()
      const opening = Promise.withResolvers<OpenSlot>()
      strike(door.proxies, '{lost}b', [
        'is answered, and the answer cut off when the slot is open',
        'reply',
        async (passing) => {
          opening.resolve(await openSlot(cluster, slot, target))
          await client.getBucket('{lost}a').set('new')
          const noticeRefusal = ({ reply = '' }: Passing) => {
            if (reply.startsWith('-TRYAGAIN ')) refused.resolve()
          }
          for (const proxy of door.proxies) proxy.onReply('{lost}b', noticeRefusal, { times: Infinity })
          passing.cut()
        },
      ])
      const removed = keys.delete(...tagged)
      const opened = await opening.promise
      await refused.promise
      await opened.moveAll()
      await opened.close()
      expect(await removed).toBe(2)
      expect(await client.getBucket('{lost}a').get()).toBe('new')
      await remover.shutdown()
      await door.stop()
    },
  )

  it('are removed by pattern after their slot has moved', { timeout: 60_000 }, async () => {
    const slot = await slotOf(cluster, '{moved}')
    await client.getBucket('{moved}a').set(1)
    await migrateSlot(cluster, slot, await otherThan(await ownerOf(cluster, slot)))
    expect(await client.getKeys().deleteByPattern('{moved}*')).toBe(1)
  })
})
