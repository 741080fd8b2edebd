import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Redisson, type RedissonClient, type RLock } from '../../../src/index.js'
import { acquire, release, undo } from '../../../src/locks/multi-value/multi-value-lock.scripts.js'
import { handedOver } from '../../contracts/take-briefly.js'
import { eventually } from '../../support/eventually.js'
import { noLeaks } from '../../support/no-leaks.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import { single } from '../../support/topologies.js'

const TIMEOUT_MS = 2_000
/** Long enough for a request to fail, and for its compensation to be under way when it is over. */
const LEASE_MS = 4_000
const LONG_MS = 60_000
/** What is undone late comes within this time: the pauses between two attempts have a second at most. */
const LONGER_THAN_A_PAUSE_MS = 1_500

const NOT_HELD = { code: 'NOT_HELD' }

describe('two sets of one thread that share a value', { tags: ['full'] }, () => {
  noLeaks(single)
  let door: Proxied<typeof single>
  let client: RedissonClient
  let other: RedissonClient
  let group: string
  let ab: RLock
  let bc: RLock
  let groups = 0

  const proxy = () => door.proxyOf(single.nodes[0])

  beforeEach(async () => {
    group = `overlapping-${String(groups++)}`
    door = await proxied(single)
    client = await Redisson.create(
      door.options({ timeout: TIMEOUT_MS, retryAttempts: 0, reconnectionDelay: 10 }),
    )
    other = await Redisson.create(single.options())
    ab = client.getMultiLock(group, ['a', 'b'])
    bc = client.getMultiLock(group, ['b', 'c'])
  })

  afterEach(async () => {
    vi.restoreAllMocks()
    await proxy().heal()
    await Promise.all([client.shutdown(), other.shutdown()])
    await door.stop()
  })

  const isFree = async (value: string) => !(await other.getMultiLock(group, [value]).isLocked())
  const untilFree = (value: string) => eventually(() => isFree(value), { what: `that ${value} is free` })

  /** Makes the server refuse every request of a script until it is stopped. */
  const refusing = (sha: string) => {
    const refused = { count: 0, over: false }
    const isMeant = (request: string) => !refused.over && request.includes(sha)
    const refuse = (passing: { refuse(words: string): void }) => {
      refused.count += 1
      passing.refuse('LOADING it is not ready')
    }
    proxy().onRequest(isMeant, refuse, { times: Infinity })
    const again = async () => {
      const { count } = refused
      await eventually(() => refused.count > count, { what: 'another attempt' })
    }
    return { refused, again }
  }

  /** Acquires the other set while something of the first is pending, and lets that come through no later than it is there. */
  const acquireMeanwhile = async ({ refused, again }: ReturnType<typeof refusing>) => {
    await untilFree('a')
    const acquiring = bc.lock()
    await Promise.race([acquiring, again()])
    refused.over = true
    await acquiring
    await sleep(LONGER_THAN_A_PAUSE_MS)
  }

  it('is not freed by the undoing of a request for the other one', async () => {
    await client.runAsThread(async () => {
      await ab.withLock(() => undefined) // so that the server knows the scripts
      const undoing = refusing(undo.sha)
      proxy().onReply(acquire.sha, (passing) => {
        passing.freeze()
      })
      await expect(ab.lock({ leaseMs: LEASE_MS })).rejects.toMatchObject({ code: 'REPLY_TIMEOUT' })
      await acquireMeanwhile(undoing)
      expect(await isFree('b')).toBe(false)
      await bc.unlock()
    })
    expect([await isFree('b'), await isFree('c')]).toEqual([true, true])
  })

  it('is not freed by a release of the other one that was lost', async () => {
    await client.runAsThread(async () => {
      await ab.withLock(() => undefined)
      const releasing = refusing(release.sha)
      await ab.lock({ leaseMs: LEASE_MS })
      await expect(ab.unlock()).rejects.toMatchObject({ code: 'SERVER_NOT_READY' })
      await acquireMeanwhile(releasing)
      expect(await isFree('b')).toBe(false)
      await bc.unlock()
    })
    expect([await isFree('b'), await isFree('c')]).toEqual([true, true])
  })

  it('is not freed by unlock() of the other one, which was lost before it was asked for', async () => {
    await client.runAsThread(async () => {
      while (!(await handedOver(ab.lock({ leaseMs: 500 }))));
      await untilFree('a')
      proxy().stall('replies')
      const acquiring = bc.lock()
      await eventually(async () => !(await isFree('c')))
      const unlocking = expect(ab.unlock()).rejects.toMatchObject(NOT_HELD)
      proxy().resume('replies')
      await Promise.all([acquiring, unlocking])
      expect(await isFree('b')).toBe(false)
      await bc.unlock()
    })
    expect(await isFree('b')).toBe(true)
  })

  it('is not freed by unlock() of the other one, which was forced open before it was asked for', async () => {
    await client.runAsThread(async () => {
      await ab.lock()
      await other.getMultiLock(group, ['a', 'b']).forceUnlock()
      await bc.lock()
      await expect(ab.unlock()).rejects.toMatchObject(NOT_HELD)
      expect(await isFree('b')).toBe(false)
      await bc.unlock()
    })
    expect(await isFree('b')).toBe(true)
  })

  it(
    'is free with the last of them that lasts, whichever was acquired first and released last',
    { tags: ['timed'] },
    async () => {
      for (const [long, short] of [
        [ab, bc],
        [bc, ab],
      ] as const)
        for (const longFirst of [true, false])
          await client.runAsThread(async () => {
            const both = [() => long.lock({ leaseMs: LONG_MS }), () => short.lock({ leaseMs: 500 })]
            for (const acquiring of longFirst ? both : both.reverse()) await acquiring()
            await long.unlock()
            expect(await isFree('b')).toBe(false)
            await untilFree('b')
          })
    },
  )

  it('is kept by the one that lasts when the lease of the other one is over', async () => {
    await client.runAsThread(async () => {
      await ab.lock({ leaseMs: LONG_MS })
      while (!(await handedOver(bc.lock({ leaseMs: 600 }))));
      await untilFree('c')
      expect(await ab.getHoldCount()).toBe(1)
      expect(await isFree('b')).toBe(false)
      await ab.unlock()
      expect(await isFree('b')).toBe(true)
    })
  })

  it('is free with one of them that was acquired when the other one was lost here, and not yet in Redis', async () => {
    await client.runAsThread(async () => {
      await ab.lock({ leaseMs: 20_000 })
      const now = performance.now.bind(performance)
      vi.spyOn(performance, 'now').mockImplementation(() => now() + 20_000)
      await bc.lock()
      await bc.unlock()
      expect([await isFree('a'), await isFree('b'), await isFree('c')]).toEqual([false, true, true])
      await expect(ab.unlock()).rejects.toMatchObject(NOT_HELD)
      expect(await isFree('a')).toBe(true)
    })
  })
})
