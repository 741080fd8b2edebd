import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { LockLostEvent } from '../../../src/api/events.js'
import type { LockHold } from '../../../src/locks/shared/lock.api.js'
import type { RedissonClient } from '../../../src/api/redisson-client.js'
import { Redisson } from '../../../src/client/redisson.js'
import { mastersOf, ownerOf, slotOf } from '../../support/cluster.js'
import { noLeaks } from '../../support/no-leaks.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import { cluster } from '../../support/topologies.js'

const WATCHDOG_MS = 3000

/** The default. */
const LONG_WATCHDOG_MS = 30_000

describe('the watchdog of a cluster (T-3)', { tags: ['timed'] }, () => {
  let door: Proxied<typeof cluster>
  let client: RedissonClient
  let lost: LockLostEvent[] = []

  noLeaks(cluster, { withinMs: 10_000 })

  beforeAll(async () => {
    door = await proxied(cluster)
    client = await Redisson.create({ ...door.options({ timeout: 1000 }), lockWatchdogTimeout: WATCHDOG_MS })
    client.on('lockLost', (event) => lost.push(event))
  })

  afterEach(async () => {
    lost = []
    await Promise.all(door.proxies.map((proxy) => proxy.heal()))
  })

  afterAll(async () => {
    await client.shutdown()
    await door.stop()
  })

  it('renews the locks of other nodes while one node is silent', async () => {
    const masters = await mastersOf(cluster)
    const holds = new Map<string, LockHold>()
    for (let n = 0; holds.size < masters.length; n++) {
      const owner = await ownerOf(cluster, await slotOf(cluster, `spread-${String(n)}`))
      const key = String(owner.port)
      if (!holds.has(key)) holds.set(key, await client.getLock(`spread-${String(n)}`).acquire())
    }
    const [silent] = masters
    const [mute, ...others] = [...holds]
      .sort(([key]) => (key === String(silent?.port) ? -1 : 1))
      .map(([, hold]) => hold)
    const proxy = door.proxies.find(({ target }) => target.port === silent?.port)
    proxy?.stall()
    await sleep(1.5 * WATCHDOG_MS)
    expect(mute?.isHeld).toBe(false)
    expect(others.map((hold) => hold.isHeld)).toEqual([true, true])
    expect(lost.map(({ lock }) => lock)).toEqual([mute?.name])
    await proxy?.heal()
    await Promise.all(others.map((hold) => hold.unlock()))
    await mute?.unlock().catch(() => undefined) // renewals that went through at last may have kept it
  })

  it(
    'renews fifty thousand locks in as many slots as there are within a period',
    { timeout: 90_000 },
    async () => {
      await using many = await Redisson.create({
        ...cluster.options({}),
        lockWatchdogTimeout: LONG_WATCHDOG_MS,
      })
      many.on('lockLost', (event) => lost.push(event))
      const names = Array.from({ length: 50_000 }, (_, n) => `many-${String(n)}`)
      const holds: LockHold[] = []
      for (let start = 0; start < names.length; start += 5000) {
        const batch = names.slice(start, start + 5000)
        holds.push(...(await Promise.all(batch.map((name) => many.getLock(name).acquire()))))
      }
      await sleep(0.6 * LONG_WATCHDOG_MS) // what was not renewed since then, by the period of a third, has less than 0.4 left
      let leastMs = Infinity
      for (let start = 0; start < names.length; start += 5000) {
        const batch = names.slice(start, start + 5000)
        const lefts = await Promise.all(batch.map((name) => many.getLock(name).remainTimeToLive()))
        leastMs = Math.min(leastMs, ...lefts)
      }
      expect(leastMs).toBeGreaterThan(0.4 * LONG_WATCHDOG_MS)
      expect(lost.map(({ lock }) => lock)).toEqual([])
      for (let start = 0; start < holds.length; start += 5000) {
        await Promise.all(holds.slice(start, start + 5000).map((hold) => hold.unlock()))
      }
    },
  )
})
