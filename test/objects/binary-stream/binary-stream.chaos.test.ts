import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Redisson, type RedissonClient } from '../../../src/index.js'
import { failOverSlot, mastersOf, migrateSlot, ownerOf, slotOf } from '../../support/cluster.js'
import type { ClusterTopology, RunningNode } from '../../support/launch/topology.js'
import { startCluster } from '../../support/servers.js'

describe('the streams of a binary stream in a cluster that changes', () => {
  let cluster: ClusterTopology
  let client: RedissonClient

  beforeAll(async () => {
    cluster = await startCluster()
    client = await Redisson.create(cluster.options({ retryAttempts: 20, retryDelay: 100 }))
  })

  afterAll(async () => {
    await client.shutdown()
    await cluster.stop()
  })

  const otherThan = async (owner: RunningNode): Promise<RunningNode> =>
    (await mastersOf(cluster)).find((node) => node !== owner) as RunningNode

  it.each([
    [
      'moves',
      async (slot: number, midway: () => Promise<void>) => {
        await migrateSlot(cluster, slot, await otherThan(await ownerOf(cluster, slot)), { midway })
      },
    ],
    [
      'gets another master',
      async (slot: number, midway: () => Promise<void>) => {
        await failOverSlot(cluster, slot)
        await midway()
      },
    ],
  ])('go on when its slot %s', { timeout: 60_000 }, async (what, change) => {
    const stream = client.getBinaryStream(`bytes that ${what}`)
    const slot = await slotOf(cluster, stream.name)
    const chunk = (letter: string) => Buffer.from(letter.repeat(1_000))
    const writer = stream.writable().getWriter()
    await writer.write(chunk('a'))
    const reader = stream.readable({ highWaterMark: 1_000 }).getReader()
    expect((await reader.read()).value).toEqual(new Uint8Array(chunk('a')))
    let next: Promise<void> | undefined
    await change(slot, () => {
      next = writer.write(chunk('b'))
      return Promise.resolve()
    })
    await next
    expect((await reader.read()).value).toEqual(new Uint8Array(chunk('b')))
    await writer.write(chunk('c'))
    await writer.close()
    expect((await reader.read()).value).toEqual(new Uint8Array(chunk('c')))
    expect(await reader.read()).toEqual({ done: true, value: undefined })
    expect(await stream.size()).toBe(3_000)
    await stream.delete()
  })
})
