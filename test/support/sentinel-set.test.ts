import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from './eventually.js'
import type { SentinelTopology } from './launch/topology.js'
import { failOverSet, masterOf, newMasterOf, roleOf } from './sentinel-set.js'
import { startSentinel } from './servers.js'

describe('a master that a sentinel watches', { tags: ['timed'] }, () => {
  let set: SentinelTopology
  beforeAll(async () => {
    set = await startSentinel({ sentinels: 1, downAfterMs: 500, failoverTimeoutMs: 1_000, pace: 'hurried' })
  })
  afterAll(() => set.stop())

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
