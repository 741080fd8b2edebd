import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { failOverSlot, mastersOf, migrateSlot, newOwnerOf, ownerOf, replicasOf, slotOf } from './cluster.js'
import { eventually } from './eventually.js'
import { PortTakenError } from './launch/free-ports.js'
import { theLauncher } from './launch/choose-launcher.js'
import { serverPlan } from './launch/server-plans.js'
import type {
  ClusterTopology,
  RunningNode,
  SentinelTopology,
  SingleTopology,
  Topology,
} from './launch/topology.js'
import { failOverSet, masterOf, newMasterOf, roleOf } from './sentinel-set.js'
import { startCluster, startMasters, startSentinel, startSingle } from './servers.js'

describe('a single server', () => {
  let single: SingleTopology
  let node: RunningNode
  beforeAll(async () => {
    single = await startSingle()
    ;[node] = single.nodes
  })
  afterAll(() => stopped(single))

  it('answers', async () => {
    expect(await node.command('SET', 'key', 'value')).toBe('OK')
    expect(await node.command('GET', 'key')).toBe('value')
  })

  it('passes errors on as they are', async () => {
    await expect(node.command('INCR', 'key')).rejects.toThrow(/^ERR value is not an integer/)
  })

  it('tells a client where it is', () => {
    const address = `redis://127.0.0.1:${String(node.port)}`
    expect(single.options({ timeout: 100 })).toEqual({ singleServerConfig: { address, timeout: 100 } })
  })

  it('does not answer while it is paused, and goes on afterwards', async () => {
    await node.pause()
    const answer = node.command('INCR', 'counter')
    expect(await Promise.race([answer, sleep(100, 'nothing yet')])).toBe('nothing yet')
    await node.resume()
    expect(await answer).toBe(1)
  })

  it('is gone when it is killed, and can be restarted without its data', async () => {
    await node.command('SET', 'key', 'value')
    await node.kill()
    await expect(node.command('PING')).rejects.toThrow(`127.0.0.1:${String(node.port)} did not answer PING`)
    await node.restart()
    expect(await node.command('EXISTS', 'key')).toBe(0)
  })

  it('is not mistaken for another that has the port', async () => {
    const launcher = await theLauncher()
    const taken = launcher.launch([serverPlan(launcher, node.port)])
    await expect(taken).rejects.toThrow(PortTakenError)
  })
})

describe('independent masters', () => {
  it('know nothing of each other, and each can be connected to', async () => {
    const masters = await startMasters(3)
    await masters.nodes[0]?.command('SET', 'key', 'value')
    expect(await Promise.all(masters.nodes.map((node) => node.command('EXISTS', 'key')))).toEqual([1, 0, 0])
    const addresses = masters.each.map((master) => master.options())
    expect(addresses).toEqual(
      masters.nodes.map(({ port }) => ({
        singleServerConfig: { address: `redis://127.0.0.1:${String(port)}` },
      })),
    )
    await stopped(masters)
  })
})

describe('a master with sentinels', () => {
  it('has two replicas, and three sentinels that agree', async () => {
    const set = await startSentinel()
    expect(set.sentinels).toHaveLength(3)
    expect(await Promise.all(set.nodes.map(roleOf))).toEqual(['master', 'slave', 'slave'])
    expect(await masterOf(set)).toBe(set.nodes[0])
    await stopped(set)
  })

  describe('watched by one', () => {
    let set: SentinelTopology
    beforeAll(async () => {
      set = await startSentinel({ sentinels: 1, downAfterMs: 500, failoverTimeoutMs: 1_000 })
    })
    afterAll(() => stopped(set))

    it('replicates', async () => {
      const [master, replica] = set.nodes
      await master?.command('SET', 'key', 'value')
      expect(await master?.command('WAIT', 2, 1_000)).toBe(2)
      expect(await replica?.command('GET', 'key')).toBe('value')
    })

    it('fails over when the master is killed, which is a replica when it returns', async () => {
      const old = await masterOf(set)
      await old.kill()
      const master = await newMasterOf(set, old)
      expect(await master.command('GET', 'key')).toBe('value')
      await old.restart()
      await eventually(async () => {
        expect(await roleOf(old)).toBe('slave')
      })
    })

    it('fails over when it is asked to', async () => {
      const old = await masterOf(set)
      const master = await failOverSet(set)
      expect(master).not.toBe(old)
      expect(await master.command('SET', 'key', 'new')).toBe('OK')
    })
  })
})

describe('a cluster', () => {
  let cluster: ClusterTopology
  let slot: number
  beforeAll(async () => {
    cluster = await startCluster({ nodeTimeoutMs: 500 })
    slot = await slotOf(cluster, 'key')
  })
  afterAll(() => stopped(cluster))

  it('has three masters, with a replica each', async () => {
    const masters = await mastersOf(cluster)
    expect(masters).toEqual(cluster.nodes.slice(0, 3))
    expect(await replicasOf(cluster, slot)).toHaveLength(1)
  })

  it('sends clients to the owner of a slot', async () => {
    const owner = await ownerOf(cluster, slot)
    const other = (await mastersOf(cluster)).find((node) => node !== owner)
    expect(await owner.command('SET', 'key', 'value')).toBe('OK')
    const moved = `MOVED ${String(slot)} 127.0.0.1:${String(owner.port)}`
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
    expect(String(midway)).toContain(`ASK ${String(slot)}`)
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

/** Ends a topology, and demands that it is gone. */
async function stopped(topology: Topology): Promise<void> {
  await topology.stop()
  for (const node of topology.nodes) await expect(node.command('PING')).rejects.toThrow('did not answer')
}
