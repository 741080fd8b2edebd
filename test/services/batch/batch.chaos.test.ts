import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Redisson, type BatchOptions, type RedissonClient } from '../../../src/index.js'
import { mastersOf, migrateSlot, openSlot, ownerOf, slotOf } from '../../support/cluster.js'
import type { ClusterTopology, RunningNode } from '../../support/launch/topology.js'
import { startCluster } from '../../support/servers.js'

const modes: readonly Omit<BatchOptions, 'skipResult'>[] = [
  {},
  { exactlyOnce: true },
  { mode: 'atomic' },
  { mode: 'atomic', exactlyOnce: true },
  { syncedReplicas: 1 },
]

describe.each(modes)('a batch whose slot moves, as %j', (options) => {
  let cluster: ClusterTopology
  let client: RedissonClient

  beforeAll(async () => {
    cluster = await startCluster()
    client = await Redisson.create(cluster.options({ retryAttempts: 8, retryDelay: 100 }))
  })

  afterAll(async () => {
    await client.shutdown()
    await cluster.stop()
  })

  const other = async (slot: number): Promise<RunningNode> => {
    const owner = await ownerOf(cluster, slot)
    return (await mastersOf(cluster)).find((node) => node !== owner) as RunningNode
  }

  const count = (name: string) =>
    client.batch(
      (batch) => [
        batch.getAtomicLong(`{${name}}a`).incrementAndGet(),
        batch.getBucket(`{${name}}b`).compareAndSet(undefined, 1),
        batch.getAtomicLong(`{${name}}a`).incrementAndGet(),
        batch.getAtomicLong(`{${name}}c`).incrementAndGet(),
      ],
      options,
    )

  it('takes effect once at its new owner', { timeout: 60_000 }, async () => {
    expect(await count('moved')).toEqual([1, true, 2, 1])
    const slot = await slotOf(cluster, '{moved}')
    await migrateSlot(cluster, slot, await other(slot))
    expect(await count('moved')).toEqual([3, false, 4, 2])
    await migrateSlot(cluster, slot, await other(slot))
    expect(await count('moved')).toEqual([5, false, 6, 3])
  })

  it('takes effect once while its keys are at two owners', { timeout: 60_000 }, async () => {
    expect(await count('open')).toEqual([1, true, 2, 1])
    const slot = await slotOf(cluster, '{open}')
    const opened = await openSlot(cluster, slot, await other(slot))
    await opened.move('{open}a')
    const counted = count('open')
    await sleep(150)
    await opened.moveAll()
    await opened.close()
    expect(await counted).toEqual([3, false, 4, 2])
  })

  it('keeps its order while its keys are at two owners', { timeout: 60_000 }, async () => {
    const counter = client.getAtomicLong('{order}')
    await counter.set(0)
    const slot = await slotOf(cluster, '{order}')
    const opened = await openSlot(cluster, slot, await other(slot))
    const counted = client.batch(
      (batch) => Array.from({ length: 50 }, () => batch.getAtomicLong('{order}').incrementAndGet()),
      options,
    )
    await sleep(150)
    await opened.moveAll()
    await opened.close()
    expect(await counted).toEqual(Array.from({ length: 50 }, (_, at) => at + 1))
  })
})
