import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { LockHold, RedissonClient, RLock } from '../../../src/index.js'
import { Redisson } from '../../../src/index.js'
import * as fair from '../../../src/locks/fair/fair-lock.scripts.js'
import * as plain from '../../../src/locks/reentrant/lock.scripts.js'
import * as readWrite from '../../../src/locks/read-write/read-write-lock.scripts.js'
import * as values from '../../../src/locks/multi-value/multi-value-lock.scripts.js'
import { BRIEFLY_MS } from '../../contracts/lock-fixture.js'
import { takeBriefly } from '../../contracts/take-briefly.js'
import { eventually } from '../../support/eventually.js'
import { strike } from '../../support/faults.js'
import { noLeaks } from '../../support/no-leaks.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import { single } from '../../support/topologies.js'

const LEASE_MS = 600_000

interface Kind {
  readonly kind: string
  readonly release: string
  readonly lockOf: (client: RedissonClient, name: string) => RLock
  /** What a third party would get, if the lock were free. */
  readonly rivalOf?: (client: RedissonClient, name: string) => RLock
}

const kinds: readonly Kind[] = [
  { kind: 'a lock', release: plain.release.sha, lockOf: (client, name) => client.getLock(name) },
  { kind: 'a fair lock', release: fair.release.sha, lockOf: (client, name) => client.getFairLock(name) },
  { kind: 'a fenced lock', release: plain.release.sha, lockOf: (client, name) => client.getFencedLock(name) },
  {
    kind: 'a read lock',
    release: readWrite.releaseRead.sha,
    lockOf: (client, name) => client.getReadWriteLock(name).readLock(),
    rivalOf: (client, name) => client.getReadWriteLock(name).writeLock(),
  },
  {
    kind: 'a write lock',
    release: readWrite.releaseWrite.sha,
    lockOf: (client, name) => client.getReadWriteLock(name).writeLock(),
  },
  {
    kind: 'the values of a group',
    release: values.release.sha,
    lockOf: (client, name) => client.getMultiLock(name, ['one', 'two']),
  },
]

describe.each(kinds)(
  '$kind that another process has entered by name',
  ({ release, lockOf, rivalOf = lockOf }) => {
    let door: Proxied<typeof single>
    let first: RedissonClient
    let second: RedissonClient
    let lock: RLock
    let byName: RLock
    let rival: RLock
    let names = 0

    noLeaks(single, { keeps: /redisson_lock_token:/ })

    beforeAll(async () => {
      door = await proxied(single)
      first = await Redisson.create(door.options({ timeout: 1000, retryDelay: 20, reconnectionDelay: 10 }))
      second = await Redisson.create(single.options())
    })

    beforeEach(() => {
      const name = `by-name-${String(names++)}`
      lock = lockOf(first, name)
      byName = lockOf(second, name)
      rival = rivalOf(second, name)
    })

    afterEach(() => door.proxyOf(single.nodes[0]).heal())

    afterAll(async () => {
      await first.shutdown()
      await second.shutdown()
      await door.stop()
    })

    /** Demands that the other process is still inside, and lets it leave. */
    const demandInside = async (threadId: string) => {
      expect(await byName.isHeldByThread(threadId)).toBe(true)
      expect(await rival.tryAcquire()).toBeUndefined()
      await byName.unlock({ threadId })
      const next = await rival.tryAcquire()
      expect(next).toBeDefined()
      await next?.unlock()
    }

    it('stays taken for it when its owner has left', async () => {
      const hold = await lock.acquire({ leaseMs: LEASE_MS })
      await byName.lock({ threadId: hold.owner, leaseMs: LEASE_MS })
      await hold.unlock()
      await demandInside(hold.owner)
    })

    it('stays taken for it when its owner has left of which the reply was lost', async () => {
      await (await lock.acquire()).unlock() // so that the server knows the scripts
      const hold = await lock.acquire({ leaseMs: LEASE_MS })
      await byName.lock({ threadId: hold.owner, leaseMs: LEASE_MS })
      strike(door.proxies, release, ['is lost', 'reply', (passing) => passing.cut()])
      await hold.unlock()
      await demandInside(hold.owner)
    })

    it('stays taken for it when its owner has come in again and left', async () => {
      const owner = await first.runAsThread(async () => {
        await lock.lock({ leaseMs: LEASE_MS })
        const inner = await lock.withLock(async (hold) => {
          await byName.lock({ threadId: hold.owner, leaseMs: LEASE_MS })
          await lock.withLock(() => undefined)
          return hold.owner
        })
        await lock.unlock()
        return inner
      })
      await demandInside(owner)
    })

    it('stays taken for it when its owner has left before a further request that it gave up was answered', async () => {
      const owner = await first.runAsThread(async () => {
        await lock.lock({ leaseMs: LEASE_MS })
        const threadId = await lock.withLock((hold) => hold.owner)
        await byName.lock({ threadId, leaseMs: LEASE_MS })
        const giveUp = new AbortController()
        const proxy = door.proxyOf(single.nodes[0])
        proxy.stall('replies')
        const further = lock.lock({ leaseMs: LEASE_MS, signal: giveUp.signal })
        await sleep(20) // it has been sent by now
        giveUp.abort(new Error('enough'))
        await expect(further).rejects.toThrow('enough')
        const unlocked = lock.unlock()
        await sleep(20)
        proxy.resume('replies')
        await unlocked
        await lock.lock({ leaseMs: LEASE_MS }) // which waits until the other is settled
        await lock.unlock()
        return threadId
      })
      await demandInside(owner)
    })

    it('stays taken for it when it was there before its owner', async () => {
      const owner = await first.runAsThread(async () => {
        await lock.lock({ leaseMs: LEASE_MS })
        const threadId = await lock.withLock((hold) => hold.owner)
        await lock.unlock()
        await byName.lock({ threadId, leaseMs: LEASE_MS })
        await lock.lock({ leaseMs: LEASE_MS })
        await lock.unlock()
        return threadId
      })
      await demandInside(owner)
    })

    /** Waits until a lease is over in Redis as well. */
    const untilOver = () =>
      eventually(async () => !(await byName.isLocked()), { what: 'the end of the lease' })

    it('stays taken for it when its owner unlocks what it has lost', async () => {
      const hold = await takeBriefly(() => lock.acquire({ leaseMs: BRIEFLY_MS }))
      const { owner } = hold
      await untilOver()
      await byName.lock({ threadId: owner, leaseMs: LEASE_MS })
      await expect(hold.unlock()).rejects.toMatchObject({ code: 'NOT_HELD', cause: { leaseMs: BRIEFLY_MS } })
      await demandInside(owner)
    })

    it('stays taken for it when the function of its owner ends after a loss', async () => {
      let owner = ''
      const work = async (hold: LockHold) => {
        owner = hold.owner
        await untilOver()
        await byName.lock({ threadId: owner, leaseMs: LEASE_MS })
      }
      await expect(lock.withLock(work, { leaseMs: BRIEFLY_MS })).rejects.toMatchObject({ code: 'LOCK_LOST' })
      await demandInside(owner)
    })

    /** Runs as a thread that holds the lock for a moment, and whose owner is known. */
    const asLoser = <T>(fn: (threadId: string) => Promise<T>) =>
      first.runAsThread(async () => {
        await lock.lock({ leaseMs: BRIEFLY_MS })
        const threadId = await lock.withLock((hold) => hold.threadId, { leaseMs: BRIEFLY_MS })
        await untilOver()
        return await fn(`${first.id}:${threadId}`)
      })

    it.each(['once', 'and once more'])(
      'stays taken for it when a thread unlocks what it has lost %s',
      { tags: ['timed'] },
      (often) =>
        asLoser(async (threadId) => {
          await byName.lock({ threadId, leaseMs: LEASE_MS })
          await expect(lock.unlock()).rejects.toMatchObject({ code: 'NOT_HELD' })
          if (often !== 'once') await expect(lock.unlock()).rejects.toMatchObject({ code: 'NOT_HELD' })
          await demandInside(threadId)
        }),
    )

    it.each([true, false])(
      'stays taken for both when a thread takes anew what it has lost (unlocked: %s)',
      { tags: ['timed'] },
      (unlocked) =>
        asLoser(async (threadId) => {
          if (unlocked) await expect(lock.unlock()).rejects.toMatchObject({ code: 'NOT_HELD' })
          await byName.lock({ threadId, leaseMs: LEASE_MS })
          await lock.lock()
          await byName.unlock({ threadId })
          expect(await rival.tryAcquire()).toBeUndefined()
          await lock.unlock()
          expect(await byName.isLocked()).toBe(false)
        }),
    )

    it('stays taken for both when a thread has waited for what it has lost', { tags: ['timed'] }, () =>
      asLoser(async (threadId) => {
        const between = await rival.acquire({ leaseMs: LEASE_MS })
        const taking = lock.lock()
        await sleep(50) // it has been refused by now
        const entering = byName.lock({ threadId, leaseMs: LEASE_MS })
        await sleep(50)
        await between.unlock()
        await Promise.all([taking, entering])
        await byName.unlock({ threadId })
        expect(await rival.tryAcquire()).toBeUndefined()
        await lock.unlock()
        expect(await byName.isLocked()).toBe(false)
      }),
    )

    /** Runs as a thread that holds the lock, and whose owner another process has come in by. */
    const besideAnother = async (fn: () => Promise<void>) => {
      const owner = await first.runAsThread(async () => {
        await lock.lock({ leaseMs: LEASE_MS })
        const threadId = await lock.withLock((hold) => hold.owner)
        await byName.lock({ threadId, leaseMs: LEASE_MS })
        await fn()
        await lock.unlock()
        return threadId
      })
      await demandInside(owner)
    }

    it('stays taken for it when a request of its owner to come in again was cut off', () =>
      besideAnother(async () => {
        door.proxyOf(single.nodes[0]).onRequest(/^eval/i, (passing) => {
          passing.cut()
        })
        await lock.lock({ leaseMs: LEASE_MS })
        await lock.unlock()
      }))

    it('stays taken for it when its owner has given up a request that was cut off', () =>
      besideAnother(async () => {
        const giveUp = new AbortController()
        door.proxyOf(single.nodes[0]).onRequest(/^eval/i, (passing) => {
          passing.cut()
          giveUp.abort(new Error('enough'))
        })
        await expect(lock.lock({ leaseMs: LEASE_MS, signal: giveUp.signal })).rejects.toThrow('enough')
      }))

    it('is lost for its owner once another has given it back, when it comes in again', async () => {
      await lock
        .withLock(async (hold) => {
          await byName.unlock({ threadId: hold.owner })
          const between = await rival.acquire({ leaseMs: LEASE_MS })
          const again = lock.withLock(() => hold.isHeld)
          await sleep(50) // it has been refused by now
          await between.unlock()
          expect(await again).toBe(false)
          expect(await byName.isLocked()).toBe(false)
        })
        .catch((error: unknown) => {
          expect(error).toMatchObject({ code: 'LOCK_LOST', reason: 'not-held' })
        })
    })

    it('is not handed to a waiter of the process of its owner', async () => {
      const hold = await lock.acquire({ leaseMs: LEASE_MS })
      const waiting = rivalOf(first, lock.name).acquire({ leaseMs: LEASE_MS })
      await sleep(50) // it waits in line by now
      await byName.lock({ threadId: hold.owner, leaseMs: LEASE_MS })
      await hold.unlock()
      expect(await byName.isHeldByThread(hold.owner)).toBe(true)
      await byName.unlock({ threadId: hold.owner })
      await (await waiting).unlock()
    })
  },
)
