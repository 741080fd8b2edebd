import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Redisson, type RedissonClient } from '../../../src/index.js'
import { failOverSlot, newOwnerOf, ownerOf, slotOf } from '../../support/cluster.js'
import { eventually } from '../../support/eventually.js'
import type { ClusterTopology } from '../../support/launch/topology.js'
import { startCluster } from '../../support/servers.js'

const INCREMENT =
  "redis.register_function('increment', function(keys) return redis.call('incr', keys[1]) end)"

describe('functions of a cluster whose masters are replaced', () => {
  let cluster: ClusterTopology
  let client: RedissonClient

  beforeAll(async () => {
    cluster = await startCluster({ nodeTimeoutMs: 1_000 })
    const settings = {
      timeout: 500,
      retryDelay: 200,
      reconnectionDelay: 50,
      retryAttempts: 60,
      scanInterval: 500,
    }
    client = await Redisson.create(cluster.options(settings))
  })

  afterAll(async () => {
    await client.shutdown()
    await cluster.stop()
  })

  const increment = () => client.getFunction().call('READ_WRITE', 'increment', 'INTEGER', ['counted'])

  it('are there at a replica that takes over, and are listed and deleted', { timeout: 60_000 }, async () => {
    const fn = client.getFunction()
    await fn.load('counting', INCREMENT)
    expect(await increment()).toBe(1)
    await failOverSlot(cluster, await slotOf(cluster, 'counted'))
    expect(await increment()).toBe(2)
    expect(await fn.list()).toHaveLength(1)
    await fn.delete('counting')
    expect(await fn.list()).toEqual([])
    await expect(increment()).rejects.toMatchObject({ code: 'NO_SUCH_OBJECT', mayHaveRun: false })
  })

  it(
    'are loaded while a master is dead, also at the one that takes its place',
    { timeout: 60_000 },
    async () => {
      const fn = client.getFunction()
      const slot = await slotOf(cluster, 'counted')
      const old = await ownerOf(cluster, slot)
      await old.kill()
      const loaded = fn.loadAndReplace('counting', INCREMENT)
      await newOwnerOf(cluster, slot, old)
      await loaded
      expect(await fn.list()).toHaveLength(1)
      await eventually(async () => {
        expect(await increment()).toBeGreaterThan(0)
      })
      await old.restart()
    },
  )
})
