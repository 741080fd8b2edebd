import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Redisson, type RedissonClient } from '../../../src/index.js'
import type { SentinelTopology } from '../../support/launch/topology.js'
import { failOverSet } from '../../support/sentinel-set.js'
import { startSentinel } from '../../support/servers.js'

const INCREMENT = "return redis.call('incr', KEYS[1])"

describe('scripts of a client whose master is replaced', () => {
  let set: SentinelTopology
  let client: RedissonClient

  beforeAll(async () => {
    set = await startSentinel({ sentinels: 1 })
    client = await Redisson.create(set.options({ timeout: 500, retryDelay: 200, retryAttempts: 60 }))
  })

  afterAll(async () => {
    await client.shutdown()
    await set.stop()
  })

  it('run at the new one, and are loaded there once they are asked for', { timeout: 60_000 }, async () => {
    const script = client.getScript({ exactlyOnce: true })
    const sha = await script.scriptLoad(INCREMENT)
    expect(await script.eval('READ_WRITE', INCREMENT, 'INTEGER', ['counted'])).toBe(1)
    await failOverSet(set)
    expect(await script.eval('READ_WRITE', INCREMENT, 'INTEGER', ['counted'])).toBe(2)
    expect(await script.scriptLoad(INCREMENT)).toBe(sha)
    expect(await script.scriptExists(sha)).toEqual([true])
    expect(await client.getKeys().count()).toBeGreaterThan(0)
  })
})
