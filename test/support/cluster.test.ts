import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { failOverSlot, mastersOf, migrateSlot, newOwnerOf, ownerOf, replicasOf, slotOf } from './cluster.js'
import { eventually } from './eventually.js'
import type { ClusterTopology, RunningNode } from './launch/topology.js'
import { roleOf } from './sentinel-set.js'
import { startCluster } from './servers.js'

describe('a cluster', { tags: ['timed'] }, () => {
  let cluster: ClusterTopology
  let slot: number
  beforeAll(async () => {
    cluster = await startCluster({ nodeTimeoutMs: 500 })
    slot = await slotOf(cluster, 'key')
  })
  afterAll(() => cluster.stop())

  it('has three masters, with a replica each', async () => {
    const masters = await mastersOf(cluster)
    expect(masters).toEqual(cluster.nodes.slice(0, 3))
    expect(await replicasOf(cluster, slot)).toHaveLength(1)
  })

  it('sends clients to the owner of a slot', async () => {
    const owner = await ownerOf(cluster, slot)
    const other = (await mastersOf(cluster)).find((node) => node !== owner)
    expect(await owner.command('SET', 'key', 'value')).toBe('OK')
    const moved = `MOVED ${slot} 127.0.0.1:${owner.port}`
    await expect(other?.command('GET', 'key')).rejects.toThrow(moved)
  })

  it('moves a slot with its keys', async () => {
    const owner = await ownerOf(cluster, slot)
    const target = (await mastersOf(cluster)).find((node) => node !== owner) as RunningNode
    let midway: unknown
    await migrateSlot(cluster, slot, target, {
      midway: async () => {
        midway = await owner.command('GET', 'key').catch((error: unknown) => error)
      },
    })
    expect(String(midway)).toContain(`ASK ${slot}`)
    expect(await target.command('GET', 'key')).toBe('value')
  })

  it('fails over when it is asked to', async () => {
    const old = await ownerOf(cluster, slot)
    const [replica] = await replicasOf(cluster, slot)
    expect(await failOverSlot(cluster, slot)).toBe(replica)
    await eventually(async () => {
      expect(await roleOf(old)).toBe('slave')
    })
  })

  it('fails over when a master is killed, which is a replica when it returns', async () => {
    const old = await ownerOf(cluster, slot)
    await old.kill()
    const owner = await newOwnerOf(cluster, slot, old)
    expect(await owner.command('GET', 'key')).toBe('value')
    await old.restart()
    await eventually(async () => {
      expect(await roleOf(old)).toBe('slave')
    })
  })
})
