import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Redisson, type RedissonClient, type RLock } from '../../../src/index.js'
import * as fair from '../../../src/locks/fair/fair-lock.scripts.js'
import * as readWrite from '../../../src/locks/read-write/read-write-lock.scripts.js'
import { kinds } from '../fixtures/kinds.js'
import { elsewhere } from '../../support/elsewhere.js'
import { eventually } from '../../support/eventually.js'
import { noLeaks } from '../../support/no-leaks.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import type { Passing } from '../../support/proxy/trap.js'
import { single } from '../../support/topologies.js'

const TIMEOUT_MS = 200

type Fault = readonly [string, 'request' | 'reply', (passing: Passing) => void | Promise<void>]

/** What a network does to one request: it never arrives, or its answer gets lost, slowly or at once. */
const faults: readonly Fault[] = [
  ['is cut off before it arrives', 'request', (passing) => passing.cut()],
  ['is answered, and the answer cut off', 'reply', (passing) => passing.cut()],
  ['is answered, and the answer vanishes', 'reply', (passing) => passing.freeze()],
]

interface Kind {
  readonly kind: string
  readonly getLock: (client: RedissonClient, name: string) => RLock
  /** What keeps the lock out. */
  readonly getRival: (client: RedissonClient, name: string) => RLock
  readonly acquire: string
  readonly release: string
}

const all: readonly Kind[] = [
  {
    kind: 'a fair lock',
    getLock: kinds.fair,
    getRival: kinds.fair,
    acquire: fair.acquire.sha,
    release: fair.release.sha,
  },
  {
    kind: 'a write lock',
    getLock: kinds.write,
    getRival: kinds.write,
    acquire: readWrite.acquireWrite.sha,
    release: readWrite.releaseWrite.sha,
  },
  {
    kind: 'a read lock',
    getLock: kinds.read,
    getRival: kinds.write,
    acquire: readWrite.acquireRead.sha,
    release: readWrite.releaseRead.sha,
  },
]

describe('a lost message', { tags: ['full'] }, () => {
  let door: Proxied<typeof single>
  let client: RedissonClient
  let other: RedissonClient
  let names = 0

  noLeaks(single)

  beforeAll(async () => {
    door = await proxied(single)
    const quick = { timeout: TIMEOUT_MS, retryDelay: 20, reconnectionDelay: 10, retryAttempts: 10 }
    client = await Redisson.create(door.options(quick))
    other = await Redisson.create(single.options())
  })

  afterEach(async () => {
    await door.proxyOf(single.nodes[0]).heal()
  })

  afterAll(async () => {
    await Promise.all([client.shutdown(), other.shutdown()])
    await door.stop()
  })

  const strike = (sha: string, [, moment, act]: Fault): Promise<string> => {
    const proxy = door.proxyOf(single.nodes[0])
    return (moment === 'request' ? proxy.onRequest(sha, act) : proxy.onReply(sha, act)).happened
  }

  describe.each(all)('about $kind', ({ getLock, getRival, acquire, release }) => {
    let lock: RLock
    let theirs: RLock
    let rival: RLock

    beforeEach(async () => {
      const name = `queued-${String(names++)}`
      ;[lock, theirs, rival] = [getLock(client, name), getLock(other, name), getRival(other, name)]
      await lock.lock() // so that the server knows the scripts, and the client its sockets
      await lock.unlock()
    })

    describe.each(faults)('that %s', (...fault) => {
      it('takes it exactly once, also again, and gives it back exactly once', async () => {
        await client.runAsThread(async () => {
          for (const depth of [1, 2]) {
            const struck = strike(acquire, fault)
            await lock.lock()
            await struck
            expect(await lock.getHoldCount()).toBe(depth)
          }
          for (const depth of [1, 0]) {
            const struck = strike(release, fault)
            await lock.unlock()
            await struck
            expect(await lock.getHoldCount()).toBe(depth)
          }
        })
        expect(await theirs.isLocked()).toBe(false)
      })

      it('counts a named thread exactly', async () => {
        for (let depth = 0; depth < 2; depth += 1) {
          const struck = strike(acquire, fault)
          await lock.lock({ threadId: 7 })
          await struck
        }
        const struck = strike(release, fault)
        await lock.unlock({ threadId: 7 })
        await struck
        expect(await lock.isHeldByThread(7)).toBe(true)
        await lock.unlock({ threadId: 7 })
        expect(await theirs.isLocked()).toBe(false)
      })

      it('lets it be waited for, and had when it is free', async () => {
        const hold = await rival.acquire()
        const struck = strike(acquire, fault)
        const waiter = elsewhere(() => lock.acquire())
        await struck
        await hold.unlock()
        await (await waiter).unlock()
        expect(await theirs.isLocked()).toBe(false)
      })

      it('is undone when the caller gives up meanwhile', async () => {
        const giveUp = new AbortController()
        const struck = strike(acquire, [
          fault[0],
          fault[1],
          async (passing) => {
            giveUp.abort(new Error('enough'))
            await fault[2](passing)
          },
        ])
        await expect(lock.lock({ signal: giveUp.signal })).rejects.toThrow('enough')
        await struck
        await eventually(async () => !(await theirs.isLocked()))
        const hold = await rival.acquire() // and no late copy of it comes in between
        expect(hold.isHeld).toBe(true)
        await hold.unlock()
      })

      it('leaves no place in a queue to a caller that gives up meanwhile', { tags: ['timed'] }, async () => {
        const hold = await rival.acquire()
        const giveUp = new AbortController()
        const struck = strike(acquire, [
          fault[0],
          fault[1],
          async (passing) => {
            giveUp.abort(new Error('enough'))
            await fault[2](passing)
          },
        ])
        await expect(lock.lock({ signal: giveUp.signal })).rejects.toThrow('enough')
        await struck
        await eventually(
          async () => ((await single.nodes[0].command('KEYS', 'redisson_lock_*')) as string[]).length === 0,
          { withinMs: 2_000 }, // sooner than a silent waiter is discarded
        )
        await hold.unlock()
      })
    })
  })

  describe('about the queue of a fair lock', () => {
    const [lock, theirs] = [
      () => kinds.fair(client, 'queue-messages'),
      () => kinds.fair(other, 'queue-messages'),
    ]
    const inLine = async () =>
      (await single.nodes[0].command('LRANGE', 'redisson_lock_queue:{queue-messages}', 0, -1)) as string[]

    it.each(faults)('that keeps a place, which %s, costs no place', async (...fault) => {
      const hold = await theirs().acquire()
      const served: string[] = []
      const first = elsewhere(() => lock().withLock(() => served.push('first')))
      await eventually(async () => (await inLine()).length === 1)
      const struck = strike(fair.keepWaiting.sha, fault)
      const second = elsewhere(() => theirs().withLock(() => served.push('second')))
      await struck
      await hold.unlock()
      await Promise.all([first, second])
      expect(served).toEqual(['first', 'second'])
    })

    it('that comes after the time to wait is not waited for, and the caller does not stay in line', async () => {
      const hold = await theirs().acquire()
      const proxy = door.proxyOf(single.nodes[0])
      proxy.stall('replies')
      await expect(lock().tryLock(60)).rejects.toMatchObject({ code: 'REPLY_TIMEOUT', mayHaveRun: true })
      await proxy.heal()
      await eventually(async () => (await inLine()).length === 0)
      await hold.unlock()
    })

    it.each(faults)('that gives a place up, which %s, is sent again', async (...fault) => {
      const hold = await theirs().acquire()
      const struck = strike(fair.leave.sha, fault)
      expect(await lock().tryLock(1_000)).toBe(false)
      await struck
      await eventually(async () => (await inLine()).length === 0)
      await hold.unlock()
    })
  })
})
