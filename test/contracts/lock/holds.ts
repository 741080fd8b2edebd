import { EventEmitter } from 'node:events'
import { describe, expect, it } from 'vitest'
import { LockLostError, LockNotHeldError, type LockHold, type LockLostEvent } from '../../../src/index.js'
import { elsewhere } from '../../support/elsewhere.js'
import { noLeaks } from '../../support/no-leaks.js'
import { untilAborted } from '../../support/until-aborted.js'
import { BRIEFLY_MS, LONG_MS, untilFree, WATCHDOG_MS, type LockFixture } from '../lock-fixture.js'
import { takeBriefly } from '../take-briefly.js'
import { standStill } from '../../support/stand-still.js'

export function holds(bench: LockFixture): void {
  describe('a hold of it', () => {
    noLeaks(bench.topology)

    it('knows the lock, its thread and its owner', async () => {
      await using hold = await bench.lock.acquire()
      expect(hold.name).toBe(bench.name)
      expect(hold.threadId).toMatch(/^[1-9]\d*$/)
      expect(hold.owner).toBe(`${bench.mine.id}:${hold.threadId}`)
      expect(await bench.theirs.isHeldByThread(hold.owner)).toBe(true)
    })

    it('is held until it is given back', async () => {
      const hold = await bench.lock.acquire()
      expect([hold.isHeld, hold.signal.aborted]).toEqual([true, false])
      await hold.unlock()
      expect([hold.isHeld, hold.signal.aborted]).toEqual([false, false])
    })

    if (!bench.shared) {
      it('is an owner of its own every time, and so excludes the others', async () => {
        const hold = await bench.lock.acquire()
        expect(await bench.lock.tryAcquire()).toBeUndefined()
        const next = bench.lock.acquire()
        await bench.untilWaiting()
        await hold.unlock()
        await using second = await next
        expect(second.threadId).not.toBe(hold.threadId)
      })
    }

    it('is given back once, and then no more', async () => {
      const hold = await bench.lock.acquire()
      await hold.unlock()
      const error: unknown = await hold.unlock().catch((reason: unknown) => reason)
      expect(error).toBeInstanceOf(LockNotHeldError)
      expect(error).toMatchObject({ lock: bench.name, owner: hold.owner })
      expect((error as LockNotHeldError).message).toContain('It was released already.')
    })

    it('is given back by one of two calls at the same time', async () => {
      const hold = await bench.lock.acquire()
      const outcomes = await Promise.allSettled([hold.unlock(), hold.unlock()])
      expect(outcomes).toMatchObject([{ status: 'fulfilled' }, { reason: { code: 'NOT_HELD' } }])
      expect(await bench.theirs.isLocked()).toBe(false)
    })

    it('that was given back takes nothing from the next owner', async () => {
      const first = await bench.lock.acquire()
      await first.unlock()
      await using second = await bench.rival.acquire()
      await expect(first.unlock()).rejects.toBeInstanceOf(LockNotHeldError)
      await first[Symbol.asyncDispose]()
      expect(await bench.rival.isHeldByThread(second.owner)).toBe(true)
    })

    it('is given back when its block is left, also by an error', async () => {
      const failing = async () => {
        await using hold = await bench.lock.acquire()
        expect(hold.isHeld).toBe(true)
        throw new Error('planted')
      }
      await expect(failing()).rejects.toThrow('planted')
      expect(await bench.theirs.isLocked()).toBe(false)
    })

    it('that `tryAcquire()` did not get is undefined, which `await using` takes', async () => {
      await using hold = await bench.rival.acquire()
      {
        await using none = await bench.lock.tryAcquire()
        expect(none).toBeUndefined()
      }
      expect(hold.isHeld).toBe(true)
    })

    it('may be given back before its block is left', async () => {
      {
        await using hold = await bench.lock.acquire()
        await hold.unlock()
      }
      expect(await bench.theirs.isLocked()).toBe(false)
    })

    it('is disposed of only once', async () => {
      const hold = await bench.lock.acquire()
      await Promise.all([hold[Symbol.asyncDispose](), hold[Symbol.asyncDispose]()])
      await hold[Symbol.asyncDispose]()
      expect(await bench.theirs.isLocked()).toBe(false)
    })

    it('can be given back by anyone who has it: a timer, an event, another flow', async () => {
      const viaTimer = await bench.lock.acquire()
      await new Promise((resolve) => setTimeout(() => resolve(viaTimer.unlock())))

      const viaEvent = await bench.lock.acquire()
      const emitter = new EventEmitter()
      const heard = new Promise((resolve) => {
        emitter.once('done', (hold: LockHold) => resolve(hold.unlock()))
      })
      emitter.emit('done', viaEvent)
      await heard

      const viaFlow = await bench.lock.acquire()
      await elsewhere(() => viaFlow.unlock())
      expect(await bench.theirs.isLocked()).toBe(false)
    })

    it('is not found by `unlock()` of the lock', async () => {
      await using hold = await bench.lock.acquire()
      await expect(bench.lock.unlock()).rejects.toBeInstanceOf(LockNotHeldError)
      expect(hold.isHeld).toBe(true)
    })
  })

  describe('a hold whose lease has ended', () => {
    noLeaks(bench.topology)
    const brisk = bench.withWatchdog(WATCHDOG_MS)

    /** What the client's listeners hear of losses from now on. */
    const losses = () => {
      const events: LockLostEvent[] = []
      const listen = (event: LockLostEvent) => void events.push(event)
      const client = brisk.mine.on('lockLost', listen)
      return { events, [Symbol.dispose]: () => void client.off('lockLost', listen) }
    }

    it('says so by its signal, with the error that says why', async () => {
      const hold = await takeBriefly(() => brisk.lock.acquire({ leaseMs: BRIEFLY_MS }))
      await untilAborted(hold.signal)
      expect(hold.signal.reason).toBeInstanceOf(LockLostError)
      expect(hold.signal.reason).toMatchObject({
        code: 'LOCK_LOST',
        lock: brisk.name,
        owner: hold.owner,
        reason: 'expired',
      })
      expect(() => {
        hold.signal.throwIfAborted()
      }).toThrow(LockLostError)
      await untilFree(brisk.theirs)
    })

    it('says so even where its signal was never read before', async () => {
      const hold = await takeBriefly(() => brisk.lock.acquire({ leaseMs: BRIEFLY_MS }))
      await untilFree(brisk.theirs)
      expect(hold.signal.aborted).toBe(true)
      expect(hold.signal.reason).toMatchObject({ reason: 'expired' })
    })

    it.each<[string, (hold: LockHold) => boolean]>([
      ['isHeld', (hold) => !hold.isHeld],
      ['its signal’s aborted', (hold) => hold.signal.aborted],
      ['its signal’s throwIfAborted()', throws],
    ])(
      'says so by %s after the process was busy for longer, before anything else runs',
      { tags: ['timed'] },
      async (_, isOver) => {
        const hold = await takeBriefly(() => brisk.lock.acquire({ leaseMs: BRIEFLY_MS }))
        let aborted = false
        hold.signal.addEventListener('abort', () => (aborted = true))
        expect(isOver(hold)).toBe(false)
        standStill(BRIEFLY_MS + 50)
        expect(isOver(hold)).toBe(true)
        expect(aborted).toBe(true)
        await untilFree(brisk.theirs)
      },
    )

    it('may be the watchdog’s as well, since a busy process renews nothing', async () => {
      const hold = await brisk.lock.acquire()
      standStill(WATCHDOG_MS + 50)
      expect(hold.isHeld).toBe(false)
      await untilFree(brisk.theirs)
    })

    it('is no news to the client’s listeners if that lease was asked for', async () => {
      using lost = losses()
      const [late, taken, left] = [brisk.spot(), brisk.spot(), brisk.spot()]
      const hold = await takeBriefly(() => late.lock.acquire({ leaseMs: BRIEFLY_MS }))
      await untilAborted(hold.signal)
      expect(hold.signal.reason).toMatchObject({ leaseMs: BRIEFLY_MS })
      expect(String(hold.signal.reason)).toContain(`: its lease of ${BRIEFLY_MS} ms ended`)
      await untilFree(late.theirs)
      await expect(hold.unlock()).rejects.toBeInstanceOf(LockNotHeldError)
      const busy = await takeBriefly(() => taken.lock.acquire({ leaseMs: BRIEFLY_MS }))
      standStill(BRIEFLY_MS + 50)
      await expect(busy.unlock()).rejects.toMatchObject({ code: 'NOT_HELD', cause: { leaseMs: BRIEFLY_MS } })
      await takeBriefly(() => left.lock.lock(BRIEFLY_MS))
      await Promise.all([taken, left].map(({ theirs }) => untilFree(theirs)))
      expect(lost.events).toEqual([])
    })

    it('is reported to the client’s listeners, once, if the watchdog was to renew it', async () => {
      using lost = losses()
      const hold = await brisk.lock.acquire()
      standStill(WATCHDOG_MS + 50)
      expect(hold.isHeld).toBe(false)
      await untilFree(brisk.theirs)
      await expect(hold.unlock()).rejects.toBeInstanceOf(LockNotHeldError)
      const { name: lock, owner, threadId } = hold
      const error: unknown = hold.signal.reason
      expect(error).toMatchObject({ leaseMs: undefined })
      expect(lost.events).toEqual([{ lock, owner, threadId, reason: 'expired', error }])
    })

    it('is reported as well if the release shows it', async () => {
      using lost = losses()
      const hold = await brisk.lock.acquire()
      standStill(WATCHDOG_MS + 50)
      await expect(hold.unlock()).rejects.toMatchObject({ code: 'NOT_HELD', cause: { leaseMs: undefined } })
      expect(lost.events).toMatchObject([{ lock: brisk.name, owner: hold.owner }])
      await untilFree(brisk.theirs)
    })

    it('is reported of a requested lease if the hold was lost before', async () => {
      using lost = losses()
      const hold = await brisk.lock.acquire({ leaseMs: LONG_MS })
      await brisk.theirs.forceUnlock()
      await expect(hold.unlock()).rejects.toMatchObject({ code: 'NOT_HELD', cause: { leaseMs: undefined } })
      expect(lost.events).toMatchObject([{ lock: brisk.name, owner: hold.owner, reason: 'not-held' }])
    })

    it('hears of none that was given back in time', { tags: ['timed'] }, async () => {
      using lost = losses()
      const inTime = await brisk.lock.acquire()
      await inTime.unlock()
      const { name, lock, theirs } = brisk.spot()
      const late = await lock.acquire()
      standStill(WATCHDOG_MS + 50)
      expect(late.isHeld).toBe(false)
      expect(lost.events).toMatchObject([{ lock: name }])
      expect(inTime.signal.aborted).toBe(false)
      await untilFree(theirs)
    })

    it('cannot be given back, and the error has the loss as its cause', async () => {
      const hold = await takeBriefly(() => brisk.lock.acquire({ leaseMs: BRIEFLY_MS }))
      await untilFree(brisk.theirs)
      const error: unknown = await hold.unlock().catch((reason: unknown) => reason)
      expect(error).toBeInstanceOf(LockNotHeldError)
      expect((error as LockNotHeldError).cause).toBe(hold.signal.reason)
    })

    it('is left without an error', async () => {
      const block = async () => {
        await using hold = await takeBriefly(() => brisk.lock.acquire({ leaseMs: BRIEFLY_MS }))
        await untilFree(brisk.theirs)
        return hold.isHeld
      }
      expect(await block()).toBe(false)
    })

    it('leaves the next owner alone', async () => {
      const first = await takeBriefly(() => brisk.lock.acquire({ leaseMs: BRIEFLY_MS }))
      await using second = await brisk.rival.acquire({ leaseMs: LONG_MS })
      await first[Symbol.asyncDispose]()
      expect(await brisk.rival.isHeldByThread(second.owner)).toBe(true)
    })
  })
}

function throws({ signal }: LockHold): boolean {
  try {
    signal.throwIfAborted()
    return false
  } catch (error) {
    return error instanceof LockLostError
  }
}
