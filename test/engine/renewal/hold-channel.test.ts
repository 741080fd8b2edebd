import { tracingChannel } from 'node:diagnostics_channel'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Redisson, type HoldTrace, type RedissonClient } from '../../../src/index.js'
import { ChannelEvents } from '../../support/channel-events.js'
import { eventually } from '../../support/eventually.js'
import { noLeaks } from '../../support/no-leaks.js'
import { single } from '../../support/topologies.js'
import { uncaughtExceptions } from '../../support/uncaught-exceptions.js'

const WHOLE = ['start', 'end', 'asyncStart', 'asyncEnd']

/** Takes something by that name. Returns how to release it. */
type Take = (client: RedissonClient, name: string) => Promise<() => Promise<unknown>>

const locks: readonly (readonly [what: string, kind: string, take: Take])[] = [
  ['a lock', 'lock', taking((client, name) => client.getLock(name))],
  ['a fair lock', 'lock', taking((client, name) => client.getFairLock(name))],
  ['a fenced lock', 'lock', taking((client, name) => client.getFencedLock(name))],
  ['a spin lock', 'lock', taking((client, name) => client.getSpinLock(name))],
  ['a read lock', 'read-lock', taking((client, name) => client.getReadWriteLock(name).readLock())],
  ['a write lock', 'lock', taking((client, name) => client.getReadWriteLock(name).writeLock())],
  ['a member of a multi-lock', 'lock', taking((client, name) => client.getMultiLock(client.getLock(name)))],
  [
    'a permit',
    'permit',
    async (client, name) => {
      const semaphore = client.getPermitExpirableSemaphore(name)
      await semaphore.trySetPermits(1)
      const permit = await semaphore.acquirePermit()
      return async () => {
        await permit.release()
        await semaphore.delete()
      }
    },
  ],
]

describe('the channel of holds', () => {
  let client: RedissonClient
  let other: RedissonClient
  /** Whose locks are renewed often, and are soon lost where they are not. */
  let brief: RedissonClient
  let names = 0

  noLeaks(single, { except: /^redisson_lock_token:/ })

  beforeEach(async () => {
    ;[client, other, brief] = await Promise.all([
      Redisson.create(single.options()),
      Redisson.create(single.options()),
      Redisson.create({ ...single.options(), lockWatchdogTimeout: 600 }),
    ])
  })

  afterEach(async () => {
    await Promise.all([client.shutdown(), other.shutdown(), brief.shutdown()])
  })

  const nextName = () => `held-${String(names++)}`

  it.each(locks)('tells when %s is held and when it is released', async (_, kind, take) => {
    const name = nextName()
    using events = new ChannelEvents<HoldTrace>('ioredisson:hold')
    const release = await take(client, name)
    expect(events.names).toEqual(['start', 'end'])
    expect(events.last).toEqual({ kind, name, heldMs: 0, outcome: undefined })
    await sleep(5)
    await release()
    expect(events.names).toEqual(WHOLE)
    expect(events.last).toMatchObject({ kind, name, outcome: 'released' })
    expect(events.last?.heldMs).toBeGreaterThanOrEqual(4)
  })

  it(
    'tells of a hold once, however often its thread nests it, and however often it is renewed',
    { tags: ['timed'] },
    async () => {
      using events = new ChannelEvents<HoldTrace>('ioredisson:hold')
      const lock = brief.getLock(nextName())
      await lock.withLock(async () => {
        await lock.withLock(async () => {
          await sleep(300)
        })
      })
      expect(events.names).toEqual(WHOLE)
    },
  )

  it('tells of nothing where nothing was taken', async () => {
    const name = nextName()
    const theirs = await other.getLock(name).acquire()
    using events = new ChannelEvents<HoldTrace>('ioredisson:hold')
    expect(await client.getLock(name).tryLock({ waitMs: 300 })).toBe(false)
    await expect(client.getLock(name).acquire({ signal: AbortSignal.timeout(20) })).rejects.toThrow()
    expect(events.all).toEqual([])
    await theirs.unlock()
  })

  it.each([
    ['expired', (name: string) => brief.getLock(name).acquire({ leaseMs: 300 })],
    [
      'forced',
      async (name: string) => {
        await brief.getLock(name).acquire()
        await brief.getLock(name).forceUnlock()
      },
    ],
    [
      'not-held',
      async (name: string) => {
        await brief.getLock(name).acquire()
        await other.getLock(name).forceUnlock()
      },
    ],
    [
      'closed',
      async (name: string) => {
        await brief.getLock(name).acquire()
        await brief.shutdown({ release: true })
      },
    ],
  ] as const)('tells that a hold was lost as %s, once', { tags: ['timed'] }, async (outcome, lose) => {
    using events = new ChannelEvents<HoldTrace>('ioredisson:hold')
    const name = nextName()
    await lose(name)
    await eventually(() => events.all.length >= WHOLE.length)
    expect(events.last).toMatchObject({ kind: 'lock', name, outcome })
    await sleep(20)
    expect(events.names).toEqual(WHOLE)
  })

  it('tells of those that wait in a queue of Redis only once they hold', async () => {
    const name = nextName()
    const theirs = await other.getFairLock(name).acquire()
    using events = new ChannelEvents<HoldTrace>('ioredisson:hold')
    const mine = client.getFairLock(name).acquire()
    await sleep(100)
    expect(events.all).toEqual([])
    await theirs.unlock()
    const hold = await mine
    await hold.unlock()
    expect(events.names).toEqual(WHOLE)
  })

  it('gets no end of a hold whose beginning it did not get', async () => {
    const hold = await client.getLock(nextName()).acquire()
    using events = new ChannelEvents<HoldTrace>('ioredisson:hold')
    await hold.unlock()
    expect(events.all).toEqual([])
  })

  it('disturbs no lock when a subscriber throws', async () => {
    const failure = new Error('of a subscriber')
    const uncaught = uncaughtExceptions(2)
    const subscribers = {
      start: () => {
        throw failure
      },
      asyncEnd: () => {
        throw failure
      },
    }
    const channel = tracingChannel('ioredisson:hold')
    channel.subscribe(subscribers as never)
    try {
      const hold = await client.getLock(nextName()).acquire()
      expect(hold.isHeld).toBe(true)
      await hold.unlock()
      expect(await uncaught).toEqual([failure, failure])
    } finally {
      channel.unsubscribe(subscribers as never)
    }
  })
})

function taking(
  lockOf: (client: RedissonClient, name: string) => { acquire(): Promise<{ unlock(): Promise<unknown> }> },
): Take {
  return async (client, name) => {
    const hold = await lockOf(client, name).acquire()
    return () => hold.unlock()
  }
}
