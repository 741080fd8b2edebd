import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { Redisson, type RedissonClient } from '../../../src/index.js'
import type { ClientTopology, ServerNode } from '../../support/launch/topology.js'
import { noLeaks } from '../../support/no-leaks.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import { untilAborted } from '../../support/until-aborted.js'
import { untilFree, WATCHDOG_MS, type LockFixture } from '../lock-fixture.js'
import { takeBriefly } from '../take-briefly.js'
import { standStill } from '../../support/stand-still.js'

export function carriedByHolds(bench: LockFixture): void {
  describe('a hold believes in itself', () => {
    noLeaks(bench.topology)

    let behind: Proxied<ClientTopology<ServerNode>>
    let client: RedissonClient
    beforeAll(async () => {
      behind = await proxied(bench.topology)
      client = await Redisson.create({ ...behind.options(), lockWatchdogTimeout: WATCHDOG_MS })
    })
    afterEach(async () => {
      await Promise.all(behind.proxies.map((proxy) => proxy.heal()))
    })
    afterAll(async () => {
      await client.shutdown()
      await behind.stop()
    })

    if (!bench.inSteps) {
      it('from before its request was sent, not from the answer', async () => {
        const leaseMs = 600
        const slowMs = 300
        for (const proxy of behind.proxies) proxy.delay(slowMs, 'replies')
        let askedAt = 0
        const hold = await takeBriefly(() => {
          askedAt = performance.now()
          return bench.lockOf(client, bench.name).acquire({ leaseMs })
        })
        expect(performance.now() - askedAt).toBeGreaterThanOrEqual(slowMs)
        standStill(askedAt + leaseMs + slowMs / 2 - performance.now())
        expect(hold.isHeld).toBe(false)
        await untilFree(bench.theirs)
      })
    }

    it('until its own clock says no, although Redis is silent', { tags: ['timed'] }, async () => {
      const hold = await bench.lockOf(client, bench.name).acquire()
      for (const proxy of behind.proxies) proxy.stall()
      expect(hold.isHeld).toBe(true)
      await untilAborted(hold.signal)
      expect(hold.signal.reason).toMatchObject({ code: 'LOCK_LOST', reason: 'expired' })
      await untilFree(bench.theirs)
    })

    it('on a monotonic clock', async () => {
      await using hold = await bench.lock.acquire({ leaseMs: 60_000 })
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 })
      try {
        expect([hold.isHeld, hold.signal.aborted]).toEqual([true, false])
      } finally {
        vi.useRealTimers()
      }
    })
  })
}
