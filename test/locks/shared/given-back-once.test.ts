import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { LockHold, RMultiLock, RedissonClient } from '../../../src/index.js'
import { BRIEFLY_MS } from '../../contracts/lock-fixture.js'
import { handedOver } from '../../contracts/take-briefly.js'
import { twoClients } from '../../support/clients.js'
import { elsewhere } from '../../support/elsewhere.js'
import { eventually } from '../../support/eventually.js'
import { noLeaks } from '../../support/no-leaks.js'
import { single } from '../../support/topologies.js'

const NOT_HELD = { code: 'NOT_HELD' }

/** So long that a red lock waits for a server that stands still: for a twentieth of it. */
const WATCHDOG_MS = 120_000

const clients = twoClients(single, { lockWatchdogTimeout: WATCHDOG_MS })

let names = 0
let name: string

beforeEach(() => {
  name = `given-back-once-${String(names++)}`
})

afterEach(() => {
  vi.restoreAllMocks()
})

/** Whether another client can take a lock. It gives it back again. */
async function isFree(lockOf: (client: RedissonClient) => Pick<RMultiLock, 'tryAcquire'>): Promise<boolean> {
  const hold = await lockOf(clients.other).tryAcquire()
  await hold?.unlock()
  return hold !== undefined
}

/** Waits until the thread that asks does not hold a lock any more. */
async function untilLost(lock: Pick<RMultiLock, 'isHeldByCurrentThread'>): Promise<void> {
  await eventually(async () => !(await lock.isHeldByCurrentThread()), { what: 'the end of the lease' })
}

describe('two sets of values that share one', () => {
  noLeaks(single)
  const setsOf = (client: RedissonClient) =>
    [client.getMultiLock(name, ['1', '2']), client.getMultiLock(name, ['2', '3'])] as const
  const sharedIsFree = () => isFree((client) => client.getMultiLock(name, ['2']))

  it('are left alone by unlock() of the one that the thread does not hold', async () => {
    await clients.mine.runAsThread(async () => {
      const [one, other] = setsOf(clients.mine)
      await other.lock()
      await expect(one.unlock()).rejects.toMatchObject(NOT_HELD)
      expect(await sharedIsFree()).toBe(false)
      await other.unlock()
    })
  })

  it.each(['unlock', 'lock'] as const)(
    'are left alone by %s() of the one that was lost before the other was acquired',
    async (call) => {
      await clients.mine.runAsThread(async () => {
        const [one, other] = setsOf(clients.mine)
        while (!(await handedOver(one.lock({ leaseMs: BRIEFLY_MS }))));
        await untilLost(one)
        await other.lock()
        if (call === 'lock') await one.lock()
        await one.unlock().catch(() => undefined)
        expect(await sharedIsFree()).toBe(false)
        await other.unlock()
        expect(await sharedIsFree()).toBe(true)
      })
    },
  )

  it('are left alone by unlock() of a named thread that holds only the other one', async () => {
    const [one, other] = setsOf(clients.mine)
    await other.lock({ threadId: 7 })
    await expect(one.unlock({ threadId: 7 })).rejects.toMatchObject(NOT_HELD)
    const [, elsewhereToo] = setsOf(clients.other)
    await expect(
      clients.other.getMultiLock(name, ['1', '2']).unlock({ threadId: `${clients.mine.id}:7` }),
    ).rejects.toMatchObject(NOT_HELD)
    expect(await sharedIsFree()).toBe(false)
    await elsewhereToo.unlock({ threadId: `${clients.mine.id}:7` })
    expect(await sharedIsFree()).toBe(true)
  })

  it.each(['before', 'after'])(
    'lose a lost one once, however often it is unlocked, if it was taken %s the other',
    async (when) => {
      await clients.mine.runAsThread(async () => {
        const [one, other] = setsOf(clients.mine)
        if (when === 'after') await other.lock()
        while (!(await handedOver(one.lock({ leaseMs: BRIEFLY_MS }))));
        if (when === 'before') await other.lock()
        await untilLost(one)
        await expect(one.unlock()).rejects.toMatchObject(NOT_HELD)
        await expect(one.unlock()).rejects.toMatchObject(NOT_HELD)
        expect(await sharedIsFree()).toBe(false)
        await other.unlock()
        expect(await sharedIsFree()).toBe(true)
      })
    },
  )

  it.each([
    { when: 'before', unlocked: true },
    { when: 'before', unlocked: false },
    { when: 'after', unlocked: true },
    { when: 'after', unlocked: false },
  ])(
    'lose a lost one once when it is taken again (taken $when the other, unlocked: $unlocked)',
    async ({ when, unlocked }) => {
      await clients.mine.runAsThread(async () => {
        const [one, other] = setsOf(clients.mine)
        if (when === 'after') await other.lock()
        while (!(await handedOver(one.lock({ leaseMs: BRIEFLY_MS }))));
        if (when === 'before') await other.lock()
        await untilLost(one)
        if (unlocked) await expect(one.unlock()).rejects.toMatchObject(NOT_HELD)
        await one.lock()
        await one.unlock()
        expect(await sharedIsFree()).toBe(false)
        await other.unlock()
        expect(await sharedIsFree()).toBe(true)
      })
    },
  )
})

describe.each(['multi-lock', 'red lock'])('a %s of which a thread holds a member by itself', (kind) => {
  noLeaks(single)
  const membersOf = (client: RedissonClient) =>
    [client.getLock(name), client.getLock(`${name}-2`), client.getLock(`${name}-3`)] as const
  const groupOf = (client: RedissonClient) =>
    kind === 'red lock' ? client.getRedLock(...membersOf(client)) : client.getMultiLock(...membersOf(client))
  const memberIsFree = () => isFree((client) => client.getLock(name))

  it.each(['one of its own', 7])(
    'does not give that back by unlock() where it was not taken, as thread %s',
    async (threadId) => {
      const group = groupOf(clients.mine)
      const [member, second, third] = membersOf(clients.mine)
      await elsewhere(async () => {
        const taken = await Promise.all([second.acquire(), third.acquire()])
        await clients.mine.runAsThread(
          async () => {
            await member.lock()
            expect(await group.tryLock()).toBe(false)
            await expect(group.unlock()).rejects.toMatchObject(NOT_HELD)
            expect(await memberIsFree()).toBe(false)
            await member.unlock()
          },
          typeof threadId === 'number' ? { threadId } : {},
        )
        for (const hold of taken) await hold.unlock()
      })
      expect(await memberIsFree()).toBe(true)
    },
  )

  it.each([true, false])(
    'gives back its own once after a loss (unlocked: %s)',
    { tags: kind === 'red lock' ? ['timed'] : [] },
    async (unlocked) => {
      const group = groupOf(clients.mine)
      const [member] = membersOf(clients.mine)
      await clients.mine.runAsThread(async () => {
        await member.lock()
        await group.lock({ leaseMs: BRIEFLY_MS })
        await untilLost(group)
        if (unlocked) {
          await expect(group.unlock()).rejects.toMatchObject({ ...NOT_HELD, cause: { leaseMs: BRIEFLY_MS } })
          await expect(group.unlock()).rejects.toMatchObject({ ...NOT_HELD, cause: { leaseMs: BRIEFLY_MS } })
          expect(await member.getHoldCount()).toBe(1)
        }
        await group.lock()
        expect(await member.getHoldCount()).toBe(2)
        await group.unlock()
        expect(await memberIsFree()).toBe(false)
        await member.unlock()
      })
      expect(await memberIsFree()).toBe(true)
    },
  )
})

describe.each([
  ['a lock', (client: RedissonClient) => client.getLock(name)],
  ['a fair lock', (client: RedissonClient) => client.getFairLock(name)],
  ['a write lock', (client: RedissonClient) => client.getReadWriteLock(name).writeLock()],
  ['the values of a group', (client: RedissonClient) => client.getMultiLock(name, ['one', 'two'])],
] as const)('%s that is lost', (_, lockOf) => {
  noLeaks(single)
  const LEASE_MS = 60_000
  const now = performance.now.bind(performance)

  it('is given back along with what its thread took while it was lost', async () => {
    const lock = lockOf(clients.mine)
    const work = async (hold: LockHold) => {
      const taking = lock.lock({ leaseMs: 2 * LEASE_MS })
      vi.spyOn(performance, 'now').mockImplementation(() => now() + LEASE_MS)
      expect(hold.isHeld).toBe(false)
      await taking
      expect(await isFree(lockOf)).toBe(false)
      await lock.unlock()
      expect(await isFree(lockOf)).toBe(true)
    }
    await expect(lock.withLock(work, { leaseMs: LEASE_MS })).rejects.toMatchObject({ code: 'LOCK_LOST' })
  })

  it.each(['lock', 'unlock'])('is taken again while it is unlocked, %s() first', async (first) => {
    const lock = lockOf(clients.mine)
    await clients.mine.runAsThread(async () => {
      await lock.lock({ leaseMs: LEASE_MS })
      vi.spyOn(performance, 'now').mockImplementation(() => now() + LEASE_MS) // over here, but not in Redis
      const take = () => lock.lock()
      const unlock = () => expect(lock.unlock()).rejects.toMatchObject(NOT_HELD)
      await Promise.all(first === 'lock' ? [take(), unlock()] : [unlock(), take()])
      expect(await isFree(lockOf)).toBe(false)
      await lock.unlock()
    })
    expect(await isFree(lockOf)).toBe(true)
  })
})
