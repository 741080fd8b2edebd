import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { LockLostError, NestedLockError, type RReadWriteLock } from '../../../src/index.js'
import { noLeaksAfterAll, untilFree, untilRenewed, WATCHDOG_MS } from '../../contracts/lock-fixture.js'
import { handedOver, takeBriefly } from '../../contracts/take-briefly.js'
import { askOwner } from '../../support/ask-owner.js'
import { untilAwaited } from '../../support/channels.js'
import { twoClients } from '../../support/clients.js'
import { elsewhere } from '../../support/elsewhere.js'
import { eventually } from '../../support/eventually.js'
import { LimitedResource } from '../../support/limited-resource.js'
import { topologies } from '../../support/topologies.js'
import { LockUser } from '../shared/lock-user.js'
import { standStill } from '../../support/stand-still.js'

/** A lease that no test outlasts. */
const NEVER_MS = 600_000

/** Room for readers, and for a writer only where it is alone. */
class Library {
  readonly #readers = new LimitedResource(Infinity)
  readonly #writers = new LimitedResource()

  get mostReaders(): number {
    return this.#readers.highest
  }

  get entries(): number {
    return this.#readers.entries + this.#writers.entries
  }

  async read(work: () => unknown): Promise<void> {
    this.#demandNone(this.#writers)
    await this.#readers.use(work)
  }

  async write(work: () => unknown): Promise<void> {
    this.#demandNone(this.#readers)
    await this.#writers.use(work)
  }

  #demandNone({ inside }: LimitedResource): void {
    if (inside > 0) throw new RangeError(`Expected no holder of the other side, got ${inside}`)
  }
}

describe.each(topologies)('readers and writers ($kind)', (topology) => {
  noLeaksAfterAll(topology)
  const clients = twoClients(topology)
  const watched = twoClients(topology, { lockWatchdogTimeout: WATCHDOG_MS })
  let names = 0

  const spot = ({ mine: here, other: there } = clients) => {
    const name = `{${topology.kind}-${String((names += 1))}}:abc:key`
    const mine = here.getReadWriteLock(name)
    const theirs = there.getReadWriteLock(name)
    return {
      name,
      read: mine.readLock(),
      write: mine.writeLock(),
      theirRead: theirs.readLock(),
      theirWrite: theirs.writeLock(),
      ask: (command: string, ...args: readonly (string | number)[]) =>
        askOwner(topology, name, command, ...args),
      untilWaiting: () => untilAwaited(topology, name),
    }
  }

  it.concurrent('a thread that has heard of it leaves nothing behind for what it has lost', async () => {
    const { name, read, write } = spot()
    const losing = read.withLock(
      async (short) => {
        const marker = `${name}:${short.owner}:rwlock_timeout:1`
        for (const key of [marker, name]) await askOwner(topology, key, 'PEXPIRE', 4_000) // the clock of Redis is behind
        await eventually(() => !short.isHeld)
        await read.lock(30_000)
        await eventually(async () => (await askOwner(topology, marker, 'EXISTS')) === 0)
        await read.unlock()
      },
      { leaseMs: 1_000 },
    )
    await expect(losing).rejects.toBeInstanceOf(LockLostError)
    expect(await write.tryLock()).toBe(true)
    await write.unlock()
  })

  it.concurrent(
    'unlock() of a thread that has lost its hold releases nothing of the flow around it',
    async () => {
      const { read } = spot()
      await read.lock(30_000)
      await clients.mine.runAsThread(async () => {
        while (!(await handedOver(read.lock(300))));
        await sleep(450)
        await read.withLock(() => undefined) // after which the thread has the lock no more either
        await expect(read.unlock()).rejects.toMatchObject({ code: 'NOT_HELD' })
      })
      expect(await read.isHeldByCurrentThread()).toBe(true)
      await read.unlock()
    },
  )

  it.concurrent('exclude each other, and readers do not, however they mix and give up', async () => {
    const { name } = spot()
    const library = new Library()
    const sides = [clients.mine, clients.other].map((client) => client.getReadWriteLock(name))
    const visit = async (lock: RReadWriteLock, task: number) => {
      const writes = task % 4 === 0
      const side = writes ? lock.writeLock() : lock.readLock()
      const signal = task % 5 === 0 ? AbortSignal.timeout(task % 7) : undefined
      const hold = await side.acquire(signal && { signal }).catch(() => undefined)
      const look = () => side.isLocked()
      if (hold !== undefined) await (writes ? library.write(look) : library.read(look))
      await hold?.unlock()
    }
    await Promise.all(
      Array.from({ length: 160 }, (_, task) =>
        elsewhere(() => visit(sides[task % 2] as RReadWriteLock, task)),
      ),
    )
    expect(library.mostReaders).toBeGreaterThan(1)
    expect(library.entries).toBeGreaterThan(100)
  })

  it.concurrent('of one name count each for itself, by Redis’s word', async () => {
    const { read, write } = spot()
    await clients.mine.runAsThread(async () => {
      await write.lock()
      expect([await read.isLocked(), await write.isLocked()]).toEqual([false, true])
      await read.lock()
      await read.lock()
      expect([await read.isLocked(), await write.isLocked()]).toEqual([true, true])
      expect([await read.getHoldCount(), await write.getHoldCount()]).toEqual([2, 1])
      await read.unlock()
      await write.unlock()
      expect([await read.isLocked(), await write.isLocked()]).toEqual([true, false])
      await read.unlock()
    })
  })

  it.concurrent('change places: who writes may read, and goes on to read when it stops writing', async () => {
    const { read, write, theirRead, theirWrite } = spot()
    await clients.mine.runAsThread(async () => {
      await write.lock()
      await read.lock()
      expect(await theirRead.tryLock()).toBe(false)
      await write.unlock()
      expect(await theirWrite.tryLock()).toBe(false)
      expect(await write.tryLock()).toBe(false) // not even for itself
      const another = await theirRead.tryAcquire()
      expect(another?.isHeld).toBe(true)
      await another?.unlock()
      await read.unlock()
    })
    expect(await theirWrite.tryLock()).toBe(true)
    await theirWrite.unlock()
  })

  it.concurrent('change places in withLock() as well, also in branches that read together', async () => {
    const { read, write, theirWrite } = spot()
    const readers = new LimitedResource(2)
    await write.withLock(async (writing) => {
      const meet = Promise.withResolvers<void>()
      const branch = () =>
        read.withLock((reading) => {
          expect(reading.owner).toBe(writing.owner)
          return readers.use(() => (readers.inside === 2 ? meet.resolve() : meet.promise))
        })
      await Promise.all([branch(), branch()])
      expect(await read.isLocked()).toBe(false)
    })
    expect(readers.highest).toBe(2)
    expect(await theirWrite.tryLock()).toBe(true)
    await theirWrite.unlock()
  })

  it.concurrent('that waited for a writer all come in when it leaves, or becomes a reader', async () => {
    const { read, write, theirRead, untilWaiting } = spot()
    for (const becomesReader of [false, true]) {
      await clients.mine.runAsThread(async () => {
        await write.lock(NEVER_MS) // only the message ends the waiting
        if (becomesReader) await read.lock(NEVER_MS)
        const readers = Array.from({ length: 20 }, (_, index) =>
          elsewhere(() => (index % 2 === 0 ? read : theirRead).acquire()),
        )
        await untilWaiting()
        await write.unlock()
        const holds = await Promise.all(readers)
        expect(holds.every(({ isHeld }) => isHeld)).toBe(true)
        await Promise.all(holds.map((hold) => hold.unlock()))
        if (becomesReader) await read.unlock()
      })
    }
  })

  it.concurrent(
    'that wait in one process all hear of a writer that leaves, also where a writer waited first',
    async () => {
      const { read, write, theirWrite, untilWaiting, ask } = spot()
      const hold = await theirWrite.acquire({ leaseMs: NEVER_MS })
      const writer = elsewhere(() => write.acquire({ leaseMs: NEVER_MS }))
      await untilWaiting()
      const readers = [1, 2, 3].map(() => elsewhere(() => read.acquire({ leaseMs: NEVER_MS })))
      await ask('EXISTS') // the readers have asked by then
      await hold.unlock()
      await Promise.all([writer, ...readers].map(async (waiter) => (await waiter).unlock())) // in any order
    },
  )

  it.concurrent('let a writer in when the last reader has left, and no sooner', async () => {
    const { read, theirRead, theirWrite, untilWaiting } = spot()
    const first = await read.acquire({ leaseMs: 60_000 })
    const second = await theirRead.acquire({ leaseMs: 60_000 })
    const writer = theirWrite.acquire()
    await untilWaiting()
    await first.unlock()
    expect(await theirWrite.isLocked()).toBe(false)
    await second.unlock()
    await (await writer).unlock()
  })

  it.concurrent('last as long as the longest lease of those who read, and no longer', async () => {
    const { read, theirRead, theirWrite, ask } = spot()
    const long = await read.acquire({ leaseMs: 60_000 })
    const short = await theirRead.acquire({ leaseMs: 20_000 })
    expect(await ask('PTTL')).toBeGreaterThan(50_000)
    await long.unlock()
    const leftMs = await ask('PTTL')
    expect(leftMs).toBeGreaterThan(10_000)
    expect(leftMs).toBeLessThanOrEqual(20_000)
    expect(await theirWrite.tryLock()).toBe(false)
    await short.unlock()
  })

  it.concurrent(
    'are let in by the lease of a reader that has died, where one with a longer lease leaves',
    async () => {
      const { read, theirRead, theirWrite, untilWaiting } = spot()
      const long = await read.acquire({ leaseMs: NEVER_MS })
      await takeBriefly(() => theirRead.acquire({ leaseMs: 500 })) // and never given back
      const writer = theirWrite.acquire()
      await untilWaiting()
      await long.unlock()
      await (await writer).unlock()
    },
  )

  it.concurrent(
    'are let in by each reader’s own lease, though another goes on',
    { tags: ['timed'] },
    async () => {
      const { read, theirRead, theirWrite } = spot(watched)
      await takeBriefly(() => read.acquire({ leaseMs: 60 })) // and never given back
      const other = await theirRead.acquire()
      await untilRenewed(theirRead)
      const writer = theirWrite.acquire()
      await other.unlock()
      await (await writer).unlock()
    },
  )

  it.concurrent('that enter again: each hold has its own lease', async () => {
    const { read, theirWrite, ask } = spot()
    await clients.mine.runAsThread(async () => {
      await read.lock(60_000)
      await read.lock(20_000)
      expect(await ask('PTTL')).toBeGreaterThan(50_000)
      await read.unlock()
      expect(await ask('PTTL')).toBeGreaterThan(50_000)
      await read.unlock()
    })
    expect(await theirWrite.isLocked()).toBe(false)
  })

  it.concurrent(
    'that enter again for longer: what is left after the first unlock() lasts as long',
    async () => {
      const { read, theirWrite, ask } = spot()
      await clients.mine.runAsThread(async () => {
        await read.lock(20_000)
        await read.lock(60_000)
        await read.unlock()
        expect(await ask('PTTL')).toBeGreaterThan(25_000) // as this process assumes
        expect(await theirWrite.tryLock()).toBe(false)
        await read.unlock()
      })
      expect(await theirWrite.isLocked()).toBe(false)
    },
  )

  it.concurrent('do not add up the leases of a writer who enters again (S-10)', async () => {
    const { write, theirWrite, ask } = spot()
    await clients.mine.runAsThread(async () => {
      await write.lock(60_000)
      await write.lock(10_000)
      await write.lock(60_000)
      const leftMs = await ask('PTTL')
      expect(leftMs).toBeGreaterThan(50_000)
      expect(leftMs).toBeLessThanOrEqual(60_000)
      expect(await theirWrite.tryLock()).toBe(false)
      for (let depth = 0; depth < 3; depth += 1) await write.unlock()
    })
    expect(await theirWrite.isLocked()).toBe(false)
  })

  it.concurrent(
    'are renewed each for itself: the end of one side is not that of the other (T-2)',
    { tags: ['timed'] },
    async () => {
      const { read, write, theirRead, theirWrite } = spot(watched)
      await watched.mine.runAsThread(async () => {
        await write.lock()
        await read.lock()
        await read.unlock()
        await untilRenewed(theirWrite)
        await untilRenewed(theirWrite)
        await read.lock()
        await write.unlock()
        await untilRenewed(theirRead)
        await untilRenewed(theirRead)
        await read.lock()
        await read.unlock()
        await untilRenewed(theirRead)
        await read.unlock()
      })
      expect(await theirRead.isLocked()).toBe(false)
    },
  )

  it.concurrent(
    'hold for longer than the watchdog’s time, fifty of them, and all give back without an error',
    { tags: ['timed'] },
    async () => {
      const { read, theirRead } = spot(watched)
      const holds = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          elsewhere(() => (index % 2 === 0 ? read : theirRead).acquire()),
        ),
      )
      const first = performance.now()
      await eventually(() => performance.now() - first > 1.5 * WATCHDOG_MS)
      expect(holds.every(({ isHeld }) => isHeld)).toBe(true)
      await Promise.all(holds.map((hold) => hold.unlock()))
      expect(await read.isLocked()).toBe(false)
    },
  )

  it.concurrent('that re-enter: a writer that has left once is still alone, and may read', async () => {
    const { read, write, theirRead, theirWrite } = spot()
    await clients.mine.runAsThread(async () => {
      await write.lock()
      await write.lock()
      await write.unlock()
      expect(await write.isHeldByCurrentThread()).toBe(true)
      expect(await read.tryLock()).toBe(true)
      expect([await theirRead.tryLock(), await theirWrite.tryLock()]).toEqual([false, false])
      await read.unlock()
      await write.unlock()
    })
    expect(await theirRead.tryLock()).toBe(true)
    await theirRead.unlock()
  })

  it.concurrent('whose lease ends let in who waits, and the late unlock is refused', async () => {
    const { read, write, theirRead, theirWrite } = spot()
    const reading = await takeBriefly(() => read.acquire({ leaseMs: 300 }))
    expect(await theirRead.tryLock()).toBe(true)
    await theirRead.unlock()
    const writing = await takeBriefly(() => theirWrite.acquire({ leaseMs: 300 }))
    const next = await write.acquire()
    for (const late of [reading, writing])
      await expect(late.unlock()).rejects.toMatchObject({ code: 'NOT_HELD' })
    expect(next.isHeld).toBe(true)
    await next.unlock()
  })

  it.concurrent(
    'renew no reader whose process has ended: it is removed, and only live ones remain (T-4)',
    { tags: ['timed'] },
    async () => {
      const { name, read, theirWrite, ask } = spot(watched)
      const settings = { ...topology.options(), lockWatchdogTimeout: WATCHDOG_MS }
      const user = await LockUser.start(settings, 'read')
      expect(await user.call(name, 'tryLock')).toMatchObject({ answer: true })
      const hold = await read.acquire()
      expect(await ask('HLEN')).toBe(3)
      await user[Symbol.asyncDispose]()
      await eventually(async () => (await ask('HLEN')) === 2)
      expect(hold.isHeld).toBe(true)
      expect(await theirWrite.tryLock()).toBe(false)
      await hold.unlock()
      expect(await theirWrite.tryLock()).toBe(true)
      await theirWrite.unlock()
    },
  )

  it.concurrent(
    'are forgotten when their leases have ended, though other readers go on',
    { tags: ['timed'] },
    async () => {
      const { read, theirRead, theirWrite, ask } = spot()
      const thread = { threadId: 17 }
      const other = await theirRead.acquire({ leaseMs: 60_000 })
      await read.lock({ ...thread, leaseMs: 100 })
      await read.lock({ ...thread, leaseMs: 100 })
      await eventually(async () => !(await read.isHeldByThread(17)))
      expect(await ask('HGET', `${clients.mine.id}:17`)).toBe('2') // until the next change of the lock
      await read.lock({ ...thread, leaseMs: 60_000 })
      expect(await ask('HGET', `${clients.mine.id}:17`)).toBe('1')
      await read.unlock(thread)
      await expect(read.unlock(thread)).rejects.toMatchObject({ code: 'NOT_HELD' })
      await other.unlock()
      expect(await theirWrite.tryLock()).toBe(true)
      await theirWrite.unlock()
    },
  )

  it.concurrent('have nothing to give back when their leases have ended, though others go on', async () => {
    const { read, theirRead, theirWrite, ask } = spot()
    const thread = { threadId: 17 }
    const other = await theirRead.acquire({ leaseMs: 60_000 })
    while (!(await handedOver(read.lock({ ...thread, leaseMs: 100 }))));
    await eventually(async () => !(await read.isHeldByThread(17)))
    await expect(read.unlock(thread)).rejects.toMatchObject({ code: 'NOT_HELD' })
    expect(await ask('HLEN')).toBe(2)
    await other.unlock()
    expect(await theirWrite.tryLock()).toBe(true)
    await theirWrite.unlock()
  })

  it.concurrent(
    'do not count as readers when the lease has ended, though the same thread writes',
    async () => {
      const { read, write, theirRead } = spot()
      const thread = { threadId: 17 }
      await write.lock({ ...thread, leaseMs: 60_000 })
      while (!(await handedOver(read.lock({ ...thread, leaseMs: 100 }))));
      await eventually(async () => !(await theirRead.isLocked()))
      expect(await read.isHeldByThread(17)).toBe(false)
      await write.unlock(thread)
      expect([await write.isLocked(), await theirRead.tryLock()]).toEqual([false, true])
      await theirRead.unlock()
    },
  )

  it.concurrent('stop writing when that lease ends, though the writer goes on to read', async () => {
    const { read, write, theirRead, theirWrite } = spot()
    await clients.mine.runAsThread(async () => {
      while (!(await handedOver(write.lock(300))));
      while (!(await handedOver(write.lock(200))));
      await read.lock(NEVER_MS)
      const another = await theirRead.acquire()
      expect([await write.isLocked(), await read.isHeldByCurrentThread()]).toEqual([false, true])
      await expect(write.unlock()).rejects.toMatchObject({ code: 'NOT_HELD' })
      await another.unlock()
      await read.unlock()
    })
    expect(await theirWrite.tryLock()).toBe(true)
    await theirWrite.unlock()
  })

  it.concurrent('stop writing when that lease ends, though the writer has read for longer', async () => {
    const { read, write, theirWrite } = spot()
    await clients.mine.runAsThread(async () => {
      while (!(await handedOver(write.lock(200))));
      await read.lock(NEVER_MS)
      await read.unlock()
      const next = await theirWrite.acquire({ leaseMs: 60_000 })
      expect(await write.tryLock()).toBe(false)
      expect(next.isHeld).toBe(true)
      await next.unlock()
    })
  })

  it.concurrent('write anew after a lease that has just ended, and give back nothing of it', async () => {
    const { read, write, theirRead } = spot()
    await clients.mine.runAsThread(async () => {
      while (!(await handedOver(write.lock(200))));
      await read.lock(60_000)
      await read.unlock()
      standStill(250) // no timer runs, and so the end is not known yet
      await write.lock(60_000)
      expect([await write.getHoldCount(), await theirRead.tryLock()]).toEqual([1, false])
      await write.unlock()
    })
    expect(await theirRead.tryLock()).toBe(true)
    await theirRead.unlock()
  })

  it.concurrent('of which one was forced open: the other side is left alone', async () => {
    const { read, write, theirRead, theirWrite } = spot()
    expect([await read.forceUnlock(), await write.forceUnlock()]).toEqual([false, false])
    const reading = await read.acquire()
    expect(await theirWrite.forceUnlock()).toBe(false)
    expect(reading.isHeld).toBe(true)
    expect(await theirRead.forceUnlock()).toBe(true)
    const writing = await theirWrite.acquire()
    expect(await read.forceUnlock()).toBe(false)
    expect(await write.forceUnlock()).toBe(true)
    await writing[Symbol.asyncDispose]()
    await reading[Symbol.asyncDispose]()
  })

  it.concurrent('give nothing back that another reads or writes', async () => {
    const { read, write, theirRead, theirWrite } = spot()
    const reading = await read.acquire()
    for (const lock of [read, write, theirRead, theirWrite])
      await expect(elsewhere(() => lock.unlock())).rejects.toMatchObject({ code: 'NOT_HELD' })
    await expect(write.unlock({ threadId: reading.owner })).rejects.toMatchObject({ code: 'NOT_HELD' })
    expect(await read.isHeldByThread(reading.owner)).toBe(true)
    await reading.unlock()
  })

  describe('who wait for themselves', () => {
    it.concurrent.each<[string, (lock: RReadWriteLock) => Promise<unknown>]>([
      [
        'lock() in lock()',
        (lock) =>
          lock
            .readLock()
            .lock(60_000)
            .then(() => lock.writeLock().lock()),
      ],
      [
        'withLock() in withLock()',
        (lock) => lock.readLock().withLock(() => lock.writeLock().withLock(() => 0), { leaseMs: 60_000 }),
      ],
      [
        'lock() in runAsThread()',
        (lock) =>
          watched.mine.runAsThread(() =>
            lock
              .readLock()
              .lock(60_000)
              .then(() => lock.writeLock().lock()),
          ),
      ],
      [
        'lock({ threadId })',
        (lock) =>
          lock
            .readLock()
            .lock({ threadId: 7, leaseMs: 60_000 })
            .then(() => lock.writeLock().lock({ threadId: 7 })),
      ],
    ])('are rejected, as readers that request to write by %s', async (_, upgrade) => {
      const { name, read } = spot(watched)
      const warned = warningAbout(name)
      const error: unknown = await elsewhere(() => upgrade(watched.mine.getReadWriteLock(name))).catch(
        (reason: unknown) => reason,
      )
      expect(error).toBeInstanceOf(NestedLockError)
      expect((error as Error).message).toContain('Give back the read lock before taking the write lock')
      expect((await warned).message).toContain('give back the read lock')
      await read.forceUnlock()
    })

    it.concurrent('are rejected, as a writer that requests to read as another owner', async () => {
      const { name, write, read } = spot(watched)
      const warned = warningAbout(name)
      await elsewhere(async () => {
        await write.lock(60_000)
        await expect(read.lock()).rejects.toThrow(/Use withLock\(\) on both sides/)
        await write.unlock()
      })
      expect((await warned).message).toContain('withLock() on both sides')
    })

    it.concurrent('get a plain no if they only try', async () => {
      const { read, write } = spot()
      await read.withLock(async () => {
        expect(await write.tryLock()).toBe(false)
        expect(await write.tryLock(300)).toBe(false)
        await read.withLock(() => read.withLock(() => undefined))
      })
      expect(await read.isLocked()).toBe(false)
    })
  })

  describe('of a lock that prefers writers', () => {
    const prefer = 'writer'
    const ofName = (name: string) => ({
      mine: clients.mine.getReadWriteLock(name, { prefer }),
      theirs: clients.other.getReadWriteLock(name, { prefer }),
    })

    /** Readers that relieve each other, so that there is always one, until the signal aborts. */
    const stream = async (lock: RReadWriteLock, signal: AbortSignal): Promise<void> => {
      const reader = async (pauseMs: number) => {
        await sleep(pauseMs)
        while (!signal.aborted) {
          const hold = await lock.readLock().tryAcquire({ waitMs: 1_000 })
          await sleep(15)
          await hold?.unlock()
        }
      }
      await Promise.all([0, 4, 8, 12].map((pauseMs) => elsewhere(() => reader(pauseMs))))
    }

    it.concurrent('a stream of readers does not starve a writer', async () => {
      const { mine, theirs } = ofName(spot().name)
      const stop = new AbortController()
      const readers = stream(mine, stop.signal)
      try {
        await eventually(() => mine.readLock().isLocked())
        for (let round = 0; round < 3; round += 1) {
          const hold = await theirs.writeLock().tryAcquire({ waitMs: 20_000 })
          expect(hold?.isHeld).toBe(true)
          await hold?.unlock()
        }
      } finally {
        stop.abort()
        await readers
      }
    })

    it.concurrent('by default readers join readers, though a writer waits', async () => {
      const { read, theirRead, theirWrite, untilWaiting } = spot()
      const first = await read.acquire()
      const writer = theirWrite.acquire()
      await untilWaiting()
      const second = await theirRead.acquire()
      await first.unlock()
      await second.unlock()
      await (await writer).unlock()
    })

    it.concurrent('readers that come later wait, and those that read already enter again', async () => {
      const { name, untilWaiting } = spot()
      const { mine, theirs } = ofName(name)
      await mine.readLock().withLock(async () => {
        const writer = theirs.writeLock().acquire()
        await untilWaiting()
        expect(await theirs.readLock().tryLock()).toBe(false)
        expect(await elsewhere(() => mine.readLock().tryLock(300))).toBe(false)
        await mine.readLock().withLock(() => undefined) // as the same owner
        await (await mine.readLock().acquire()).unlock() // as another, in the same flow
        void writer.then((hold) => hold.unlock())
      })
      await untilFree(mine.writeLock())
      await (await theirs.readLock().acquire()).unlock()
    })

    it.concurrent.each(['its time is over', 'it is aborted'])(
      'readers go on at once when a writer no longer waits, because %s',
      { tags: ['timed'] },
      async (why) => {
        const { name, untilWaiting } = spot()
        const { mine, theirs } = ofName(name)
        const first = await mine.readLock().acquire({ leaseMs: 60_000 })
        const abort = new AbortController()
        const options = why === 'it is aborted' ? { signal: abort.signal } : { waitMs: 300 }
        const writer = theirs
          .writeLock()
          .tryAcquire({ waitMs: 60_000, ...options })
          .catch(() => undefined)
        await untilWaiting()
        const second = elsewhere(() => mine.readLock().acquire())
        const startedAt = performance.now()
        if (why === 'it is aborted') abort.abort()
        expect(await writer).toBeUndefined()
        await (await second).unlock()
        expect(performance.now() - startedAt).toBeLessThan(2_000)
        await first.unlock()
      },
    )

    it.concurrent('readers let all writers go first that wait in one process', async () => {
      const { name, untilWaiting } = spot()
      const { mine, theirs } = ofName(name)
      const writers = `redisson_rwlock_writers:${name}`
      const known = async () => Number(await askOwner(topology, writers, 'ZCARD'))
      const order: string[] = []
      const hold = await mine.writeLock().acquire()
      const visit = (who: string, others: number) =>
        elsewhere(() =>
          mine.writeLock().withLock(
            async () => {
              order.push(who)
              await eventually(async () => (await known()) === others)
            },
            { leaseMs: 60_000 }, // after which the next would ask in any case
          ),
        )
      const first = visit('first', 1)
      await untilWaiting()
      await eventually(async () => (await known()) === 1)
      const visits = [first, visit('second', 1), visit('third', 0)]
      const reading = elsewhere(() => theirs.readLock().withLock(() => order.push('reader')))
      await hold.unlock()
      await Promise.all([...visits, reading])
      expect(order).toEqual(['first', 'second', 'third', 'reader'])
    })

    it.concurrent('readers go on when the writer that waited has died', { tags: ['timed'] }, async () => {
      const { name } = spot()
      const { mine } = ofName(name)
      const writers = `redisson_rwlock_writers:${name}`
      const first = await mine.readLock().acquire()
      await askOwner(topology, writers, 'ZADD', Date.now() + 300, 'a-dead-client:1:write')
      expect(await elsewhere(() => mine.readLock().tryLock())).toBe(false)
      await eventually(async () => {
        const hold = await elsewhere(() => mine.readLock().tryAcquire())
        await hold?.unlock()
        return hold !== undefined
      })
      await first.unlock()
      await askOwner(topology, writers, 'DEL')
    })
  })
})

/** Resolves with the first warning about a lock. */
async function warningAbout(name: string): Promise<Error> {
  const { promise, resolve } = Promise.withResolvers<Error>()
  const listen = (warning: Error & { code?: string }) => {
    if (warning.code === 'REDISSON_NESTED_LOCK' && warning.message.includes(name)) resolve(warning)
  }
  process.on('warning', listen)
  onTestFinished(() => void process.off('warning', listen))
  return await promise
}
