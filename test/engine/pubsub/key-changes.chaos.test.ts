import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askOwner } from '../../support/ask-owner.js'
import { mastersOf, migrateSlot, newOwnerOf, ownerOf, slotOf } from '../../support/cluster.js'
import { eventually } from '../../support/eventually.js'
import type { ClusterTopology, RunningNode } from '../../support/launch/topology.js'
import { masterOf, newMasterOf } from '../../support/sentinel-set.js'
import { startCluster, startSentinel } from '../../support/servers.js'
import { Taking } from './taking.js'

describe('a taker that waits at a cluster', () => {
  let cluster: ClusterTopology
  let taking: Taking

  beforeAll(async () => {
    cluster = await startCluster()
    taking = await Taking.at(cluster.options({ scanInterval: 500 }))
  })

  afterAll(async () => {
    await taking[Symbol.asyncDispose]()
    await cluster.stop()
  })

  /** Has a taker wait while something happens to the node of its key, and an element come after it. */
  const follows = async (key: string, harm: (owner: RunningNode, slot: number) => Promise<unknown>) => {
    const taken = taking.take(key)
    await eventually(() => taking.isWaiting(key))
    const slot = await slotOf(cluster, key)
    await harm(await ownerOf(cluster, slot), slot)
    await askOwner(cluster, key, 'RPUSH', 'a')
    expect(await taken).toBe('a')
    const next = taking.take(key)
    await askOwner(cluster, key, 'RPUSH', 'b')
    expect(await next).toBe('b')
  }

  it('gets its element from the new owner of a slot that has moved, although the key was not there', async () => {
    await follows('moved', async (owner, slot) => {
      const target = (await mastersOf(cluster)).find((node) => node !== owner) as RunningNode
      await migrateSlot(cluster, slot, target)
    })
  })

  it('gets its element from the replica that takes over', async () => {
    await follows('failed', async (owner, slot) => {
      await owner.kill()
      await newOwnerOf(cluster, slot, owner)
    })
  })
})

describe('a taker that waits at servers with sentinels', () => {
  it('gets its element from the replica that takes over', async () => {
    const set = await startSentinel()
    const taking = await Taking.at(set.options())
    const taken = taking.take('failed')
    await eventually(() => taking.isWaiting('failed'))
    const master = await masterOf(set)
    await master.kill()
    const next = await newMasterOf(set, master)
    await next.command('RPUSH', 'failed', 'a')
    expect(await taken).toBe('a')
    await taking[Symbol.asyncDispose]()
    await set.stop()
  })
})
