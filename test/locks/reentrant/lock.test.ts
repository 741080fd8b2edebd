import { describe, expect, it } from 'vitest'
import type { RLock } from '../../../src/index.js'
import { LockFixture, LONG_MS, WATCHDOG_MS, type LockKind } from '../../contracts/lock-fixture.js'
import { lockContract } from '../../contracts/lock.contract.js'
import { elsewhere } from '../../support/elsewhere.js'
import { noLeaks } from '../../support/no-leaks.js'
import { everyTopology } from '../../support/topologies.js'

type Work = () => void

type Form = (lock: RLock, work: Work, bench: LockFixture) => Promise<unknown>

/** Every way to wait for a lock, do something, and give it back. */
const forms: readonly Form[] = [
  (lock, work) => stepByStep(lock, work),
  (lock, work) => lock.withLock(work),
  (lock, work, { mine }) => mine.runAsThread(() => stepByStep(lock, work)),
  async (lock, work) => {
    await using hold = await lock.acquire({ leaseMs: 60_000 })
    if (hold.isHeld) work()
  },
  async (lock, work) => {
    await using hold = await lock.tryAcquire({ waitMs: 15_000 })
    if (hold?.isHeld === true) work()
  },
]

describe.each(everyTopology)('a lock ($kind)', (topology) => {
  const kind: LockKind = {
    topology,
    getLock: (client, name) => client.getLock(name),
    kindName: 'plain',
    parts: topology.kind === 'single' ? 'all' : 'servers',
  }

  lockContract(kind)

  describe('the waiters of one process', () => {
    noLeaks(topology)
    const bench = new LockFixture(kind, { lockWatchdogTimeout: LONG_MS })
    const many = Array.from({ length: 60 }, (_, index) => index)

    /** Has many wait in all forms, each noting when it was its turn; resolves with their order. */
    const askMany = async (gone: readonly number[] = []): Promise<number[]> => {
      const served: number[] = []
      const leave = new AbortController()
      const waiters = many.map((index) => {
        const form = forms[index % forms.length] as Form
        const work = () => void served.push(index)
        return gone.includes(index)
          ? bench.lock.lock({ signal: leave.signal }).catch(() => undefined)
          : elsewhere(() => form(bench.lock, work, bench))
      })
      leave.abort()
      await Promise.all(waiters)
      return served
    }

    it('get the lock in the order in which they asked', async () => {
      const hold = await bench.theirs.acquire()
      const first = bench.lock.acquire()
      await bench.untilWaiting()
      const served = askMany()
      await hold.unlock()
      await (await first).unlock()
      expect(await served).toEqual(many)
    })

    it('get it in that order also if all of them ask in one moment, before any waits', async () => {
      const hold = await bench.theirs.acquire()
      const served = askMany()
      await bench.untilWaiting()
      await hold.unlock()
      expect(await served).toEqual(many)
    })

    it('get it in that order when some of them have left', async () => {
      const gone = [0, 1, 7, 8, 30, 59]
      const hold = await bench.theirs.acquire()
      const first = bench.lock.acquire()
      await bench.untilWaiting()
      const served = askMany(gone)
      await hold.unlock()
      await (await first).unlock()
      expect(await served).toEqual(many.filter((index) => !gone.includes(index)))
    })

    it('are not passed by a caller that comes during the hand-over', async () => {
      const served: string[] = []
      const hold = await bench.lock.acquire()
      const waiter = bench.lock.withLock(() => served.push('waited'))
      await bench.untilWaiting()
      const released = hold.unlock()
      const late = bench.lock.withLock(() => served.push('came late'))
      await Promise.all([released, waiter, late])
      expect(served).toEqual(['waited', 'came late'])
    })

    it('let those of another process have it now and then', async () => {
      const stop = new AbortController()
      const busy = Array.from({ length: 40 }, async () => {
        while (!stop.signal.aborted) await bench.lock.withLock(() => bench.lock.isLocked())
      })
      try {
        for (let round = 0; round < 3; round += 1) {
          expect(await bench.theirs.tryLock(20 * WATCHDOG_MS)).toBe(true)
          await bench.theirs.unlock()
        }
      } finally {
        stop.abort()
        await Promise.all(busy)
      }
    })
  })
})

async function stepByStep(lock: RLock, work: Work): Promise<void> {
  await lock.lock()
  try {
    work()
  } finally {
    await lock.unlock()
  }
}
