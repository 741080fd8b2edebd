import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { Redisson, type LockHold, type RedissonClient, type RLock } from '../../../src/index.js'
import { channelsOf } from '../../support/channels.js'
import { eventually } from '../../support/eventually.js'
import type { ClientTopology, ServerNode } from '../../support/launch/topology.js'
import { Monitor } from '../../support/monitor.js'
import { noLeaks } from '../../support/no-leaks.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import type { Act, Trap } from '../../support/proxy/trap.js'
import { PATIENT_WATCHDOG_MS, untilFree, WATCHDOG_MS, type LockFixture } from '../lock-fixture.js'

/** Long enough that what is not released stays. */
const leaseMs = 60_000

const waitMs = 15_000

/** Every way to ask that takes a signal and waits. */
const forms = [
  ['lock', (lock: RLock, signal: AbortSignal) => lock.lock({ signal, leaseMs })],
  ['tryLock', (lock: RLock, signal: AbortSignal) => lock.tryLock({ signal, leaseMs, waitMs })],
  ['acquire', (lock: RLock, signal: AbortSignal) => lock.acquire({ signal, leaseMs })],
  ['tryAcquire', (lock: RLock, signal: AbortSignal) => lock.tryAcquire({ signal, leaseMs, waitMs })],
  ['withLock', (lock: RLock, signal: AbortSignal) => lock.withLock(() => undefined, { signal, leaseMs })],
] as const

const reason = new Error('no longer wanted')

export function aborting(bench: LockFixture): void {
  describe('aborting a request for it', () => {
    noLeaks(bench.topology)
    const brisk = bench.withWatchdog(WATCHDOG_MS)

    it.each(forms)('that has not been made (%s) sends nothing', async (_, ask) => {
      await using monitor = await Monitor.of(bench.topology.nodes)
      await expect(ask(bench.lock, AbortSignal.abort(reason))).rejects.toBe(reason)
      expect(await monitor.deedsOn(bench.name)).toEqual([])
    })

    it.each(forms)('that waits (%s) ends the waiting', async (_, ask) => {
      const hold = await bench.rival.acquire()
      const abort = new AbortController()
      const waiter = ask(bench.lock, abort.signal)
      await bench.untilWaiting()
      abort.abort(reason)
      await expect(waiter).rejects.toBe(reason)
      await hold.unlock()
      expect(await bench.lock.isLocked()).toBe(false)
    })

    it('that waits with a time limit of the signal ends with its error', async () => {
      const hold = await bench.rival.acquire()
      await expect(bench.lock.lock({ signal: AbortSignal.timeout(50) })).rejects.toMatchObject({
        name: 'TimeoutError',
      })
      await hold.unlock()
    })

    it.each([0, 1, 2])('of number %d in a queue of three delays no other waiter', async (quitter) => {
      const hold = await bench.rival.acquire()
      const aborts = [0, 1, 2].map(() => new AbortController())
      const first = bench.lock.acquire({ signal: aborts[0]?.signal as AbortSignal })
      await bench.untilWaiting()
      const others = aborts.slice(1).map(({ signal }) => bench.lock.acquire({ signal }))
      const waiters = [first, ...others]
      const visits = waiters.map(async (waiter) => {
        await (await waiter).unlock()
      })
      aborts[quitter]?.abort(reason)
      await expect(visits[quitter]).rejects.toBe(reason)
      await hold.unlock()
      await Promise.all(visits.filter((_, index) => index !== quitter))
    })

    it('of all who wait leaves the holder alone', async () => {
      const hold = await bench.rival.acquire()
      const abort = new AbortController()
      const waiters = [1, 2, 3].map(() => bench.lock.acquire({ signal: abort.signal }))
      await bench.untilWaiting()
      abort.abort(reason)
      const outcomes = await Promise.allSettled(waiters)
      expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
      expect(await bench.rival.isHeldByThread(hold.owner)).toBe(true)
      await hold.unlock()
    })

    it('when the lock is held already changes nothing', async () => {
      const abort = new AbortController()
      const hold = await bench.lock.acquire({ signal: abort.signal })
      abort.abort(reason)
      expect([hold.isHeld, hold.signal.aborted]).toEqual([true, false])
      expect(await bench.theirs.isLocked()).toBe(true)
      await hold.unlock()
    })

    it('at any moment leaves no lock, no renewal and no waiter behind', { tags: ['timed'] }, async () => {
      const outcomes = { taken: 0, aborted: 0 }
      const cycle = async () => {
        const signal = AbortSignal.timeout(Math.floor(Math.random() * 4))
        try {
          const hold = await brisk.lock.acquire({ signal })
          outcomes.taken += 1
          await hold.unlock()
        } catch (error) {
          expect(error).toBe(signal.reason)
          outcomes.aborted += 1
        }
      }
      for (let round = 0; round < 60; round += 1) await Promise.all([1, 2, 3, 4, 5].map(cycle))
      expect(outcomes.taken).toBeGreaterThan(0)
      expect(outcomes.aborted).toBeGreaterThan(0)

      await untilFree(brisk.theirs)
      // What was given up may still be given back. A lease would be renewed every third of the watchdog's time, for ever.
      await eventually(
        async () => {
          const scripts = await bench.countScripts()
          await sleep(WATCHDOG_MS / 2)
          return (await bench.countScripts()) === scripts
        },
        { what: 'no more requests' },
      )
      expect(await brisk.theirs.isLocked()).toBe(false)
    })
  })

  describe('aborting a request for it that is under way', () => {
    noLeaks(bench.topology)

    let behind: Proxied<ClientTopology<ServerNode>>
    let client: RedissonClient
    let gate = Promise.withResolvers<void>()
    beforeAll(async () => {
      behind = await proxied(bench.topology)
      client = await Redisson.create({ ...behind.options(), lockWatchdogTimeout: PATIENT_WATCHDOG_MS })
    })
    afterEach(async () => {
      gate.resolve()
      gate = Promise.withResolvers()
      await Promise.all(behind.proxies.map((proxy) => proxy.heal()))
    })
    afterAll(async () => {
      await client.shutdown()
      await behind.stop()
    })

    /** Holds back every matching reply until the gate opens. Resolves when the first of them has come. */
    const holdBack = (
      request: RegExp,
      isMeant: (reply: string) => boolean = () => true,
    ): Promise<unknown> => {
      const { promise, resolve } = Promise.withResolvers<void>()
      const act: Act = async ({ reply = '' }) => {
        if (!isMeant(reply)) return
        resolve()
        await gate.promise
      }
      const traps: Trap[] = behind.proxies.map((proxy) => proxy.onReply(request, act, { times: Infinity }))
      for (const trap of traps) trap.happened.catch(() => undefined)
      return promise
    }

    it.each(forms)('gives back what Redis has given (%s)', async (_, ask) => {
      const caught = holdBack(/^eval/i, isTaken)
      const abort = new AbortController()
      const request = ask(bench.lockOf(client, bench.name), abort.signal)
      await caught
      expect(await bench.theirs.isLocked()).toBe(true)
      abort.abort(reason)
      await expect(request).rejects.toBe(reason)
      gate.resolve()
      await untilFree(bench.theirs)
    })

    it('lets the next one acquire it, with any outcome', async () => {
      const caught = holdBack(/^eval/i, isTaken)
      const abort = new AbortController()
      const request = bench.lockOf(client, bench.name).acquire({ signal: abort.signal, leaseMs })
      await caught
      const next = bench.lockOf(client, bench.name).acquire()
      const there = bench.rival.acquire()
      abort.abort(reason)
      await expect(request).rejects.toBe(reason)
      gate.resolve()
      const giveBack = async (waiter: Promise<LockHold>) => (await waiter).unlock()
      await Promise.all([giveBack(next), giveBack(there)])
    })

    it('as the first in line, when the lock has just become free, passes it on', async () => {
      const hold = await bench.rival.acquire()
      const abort = new AbortController()
      const first = bench.lockOf(client, bench.name).acquire({ signal: abort.signal, leaseMs })
      await bench.untilWaiting()
      const second = bench.lockOf(client, bench.name).acquire()
      const caught = holdBack(/^eval/i, isTaken)
      await hold.unlock()
      await caught
      abort.abort(reason)
      await expect(first).rejects.toBe(reason)
      gate.resolve()
      await (await second).unlock()
    })

    it('as the one to whom the holder is just handing it passes it on', async () => {
      const lock = bench.lockOf(client, bench.name)
      const hold = await bench.rivalOf(client, bench.name).acquire()
      const abort = new AbortController()
      const first = lock.acquire({ signal: abort.signal, leaseMs })
      await bench.untilWaiting()
      const second = lock.acquire()
      await eventually(() => isIdle(bench))
      const caught = holdBack(/^eval/i)
      const givenBack = hold.unlock()
      await caught
      abort.abort(reason)
      await expect(first).rejects.toBe(reason)
      gate.resolve()
      await givenBack
      await (await second).unlock()
    })

    if (bench.waitsBy === 'messages') {
      it('while it subscribes leaves no channel behind', async () => {
        const hold = await bench.rival.acquire()
        const caught = holdBack(/^s?subscribe/i)
        const abort = new AbortController()
        const request = bench.lockOf(client, bench.name).acquire({ signal: abort.signal, leaseMs })
        await caught
        abort.abort(reason)
        await expect(request).rejects.toBe(reason)
        gate.resolve()
        await eventually(async () => (await channelsOf(bench.topology)).length === 0)
        await hold.unlock()
        await (await bench.lockOf(client, bench.name).acquire()).unlock()
      })
    }

    if (bench.waitsBy === 'messages') {
      it('while it subscribes delays no waiter behind it', async () => {
        const hold = await bench.rival.acquire()
        const caught = holdBack(/^s?subscribe/i)
        const abort = new AbortController()
        const first = bench.lockOf(client, bench.name).acquire({ signal: abort.signal, leaseMs })
        await caught
        const second = bench.lockOf(client, bench.name).acquire()
        abort.abort(reason)
        await expect(first).rejects.toBe(reason)
        await hold.unlock()
        gate.resolve()
        await (await second).unlock()
      })
    }
  })
}

/** The reply of a script that has taken a lock is an integer, or begins with the integer 1. */
function isTaken(reply: string): boolean {
  return /^(?:\*\d+\r\n:1|:\d+)\r\n/.test(reply)
}

/** Whether no script runs between two looks. */
async function isIdle(bench: LockFixture): Promise<boolean> {
  const before = await bench.countScripts()
  await sleep(5)
  return (await bench.countScripts()) === before
}
