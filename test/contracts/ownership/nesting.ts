import { once } from 'node:events'
import { describe, expect, it, onTestFinished } from 'vitest'
import { NestedLockError, type RLock } from '../../../src/index.js'
import { elsewhere } from '../../support/elsewhere.js'
import { eventually } from '../../support/eventually.js'
import { LimitedResource } from '../../support/limited-resource.js'
import { noLeaks } from '../../support/no-leaks.js'
import { noLeaksAfterAll, WATCHDOG_MS, type LockFixture, type Spot } from '../lock-fixture.js'

export function nesting(bench: LockFixture): void {
  describe('a flow that holds it by lock() and asks once more', () => {
    noLeaks(bench.topology)

    it('is warned at once, by the lock’s name and what to use instead', async () => {
      const warnings = warningsAbout(bench)
      await bench.lock.lock()
      const abort = new AbortController()
      const nested = bench.lock.lock({ signal: abort.signal })
      const [warning] = await eventually(() => warnings.length > 0 && warnings)
      expect(warning?.message).toContain(bench.name)
      expect(warning?.message).toContain('withLock()')
      expect(warning?.message).toContain('runAsThread()')
      abort.abort()
      await expect(nested).rejects.toMatchObject({ name: 'AbortError' })
      await bench.lock.unlock()
    })

    it('is warned once for a lock, however often it does so', async () => {
      const warnings = warningsAbout(bench)
      for (let round = 0; round < 3; round += 1) {
        await bench.lock.lock()
        await bench.lock.lock({ signal: AbortSignal.timeout(5) }).catch(() => undefined)
        await bench.lock.unlock()
      }
      await warningOfALater(bench)
      expect(warnings).toHaveLength(1)
    })

    it('is not warned when it only tries, and gets a plain no', async () => {
      const warnings = warningsAbout(bench)
      await bench.lock.lock()
      expect(await bench.lock.tryLock()).toBe(false)
      expect(await bench.lock.tryLock(300)).toBe(false)
      await bench.lock.unlock()
      await warningOfALater(bench)
      expect(warnings).toEqual([])
    })
  })

  describe('a flow that holds it by lock() and waits for it once more', () => {
    noLeaksAfterAll(bench.topology)
    const brisk = bench.withWatchdog(WATCHDOG_MS)

    it.concurrent.each<[string, (lock: RLock) => Promise<unknown>]>([
      ['lock()', (lock) => lock.lock()],
      ['lock(leaseMs)', (lock) => lock.lock(60_000)],
      ['lock({ signal })', (lock) => lock.lock({ signal: new AbortController().signal })],
      ['tryLock(Infinity)', (lock) => lock.tryLock(Infinity)],
      ['acquire()', (lock) => lock.acquire()],
      ['withLock()', (lock) => lock.withLock(() => undefined)],
    ])(
      'gets an error from %s after the watchdog’s time, and keeps what it has',
      { tags: ['timed'] },
      async (_, nest) => {
        const { lock, theirs } = brisk.spot()
        await lock.lock()
        const startedAt = performance.now()
        const error: unknown = await nest(lock).catch((reason: unknown) => reason)
        expect(error).toBeInstanceOf(NestedLockError)
        expect(error).toMatchObject({ code: 'NESTED_LOCK', lock: lock.name })
        expect((error as Error).message).toMatch(/withLock\(\).*runAsThread\(\)/)
        expect(performance.now() - startedAt).toBeGreaterThanOrEqual(WATCHDOG_MS - 1)
        expect(await lock.isHeldByCurrentThread()).toBe(true)
        expect(await theirs.isLocked()).toBe(true)
        await lock.unlock()
        expect(await theirs.isLocked()).toBe(false)
      },
    )

    it.concurrent('gets it if the hold ends in time: then it was a fork', async () => {
      const { lock, untilWaiting } = bench.spot()
      const resource = new LimitedResource()
      await lock.lock()
      const visit = resource.enter()
      const fork = (async () => {
        await lock.lock()
        await resource.use(() => undefined)
        await lock.unlock()
      })()
      await untilWaiting()
      visit[Symbol.dispose]()
      await lock.unlock()
      await fork
      expect(resource.entries).toBe(2)
    })

    it.concurrent('may wait for longer if others have held it meanwhile', async () => {
      const { lock, theirs, untilWaiting } = bench.spot()
      await lock.lock()
      const waiting = Promise.withResolvers<void>()
      const fork = (async () => {
        const nested = lock.lock()
        waiting.resolve()
        await nested
        await lock.unlock()
      })()
      await waiting.promise
      await untilWaiting()
      const takenBy = elsewhere(() => theirs.acquire()) // comes when it is its turn
      await lock.unlock()
      const hold = await Promise.race([takenBy, fork])
      if (hold !== undefined) await hold.unlock()
      await fork
      await (await takenBy)[Symbol.asyncDispose]()
    })
  })

  describe('a flow that holds other locks', () => {
    noLeaks(bench.topology)

    it('is not warned when it asks for one more', async () => {
      const [first, second]: readonly [Spot, Spot] = [bench.spot(), bench.spot()]
      const warnings = warningsAbout(second)
      await first.lock.lock()
      await second.lock.lock()
      await second.lock.unlock()
      await first.lock.unlock()
      await warningOfALater(bench)
      expect(warnings).toEqual([])
    })
  })
}

/** The warnings about a lock from now on until the test ends. */
function warningsAbout({ name }: Pick<Spot, 'name'>): readonly Error[] {
  const warnings: Error[] = []
  const listen = (warning: Error & { code?: string }) => {
    if (warning.code === 'REDISSON_NESTED_LOCK' && warning.message.includes(name)) warnings.push(warning)
  }
  process.on('warning', listen)
  onTestFinished(() => void process.off('warning', listen))
  return warnings
}

/** Warnings arrive later than they are made, in their order: when another lock's has come, this one's have as well. */
async function warningOfALater(bench: LockFixture): Promise<void> {
  const { lock } = bench.spot()
  const warned = once(process, 'warning')
  await elsewhere(async () => {
    await lock.lock()
    await lock.lock({ signal: AbortSignal.timeout(1) }).catch(() => undefined)
    await lock.unlock()
  })
  await warned
}
