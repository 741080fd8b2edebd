import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Redisson, type RedissonClient } from '../../../src/index.js'
import { startChild } from '../../support/child.js'
import { eventually } from '../../support/eventually.js'
import { noLeaks } from '../../support/no-leaks.js'
import { single } from '../../support/topologies.js'

const LONG_MS = 100

describe('a hold that is forgotten', () => {
  noLeaks(single, { except: /^\{?permits/ })

  let client: RedissonClient
  const emitWarning = vi.spyOn(process, 'emitWarning')

  beforeEach(async () => {
    emitWarning.mockReset()
    client = await Redisson.create({ ...single.options(), holdWarningMs: LONG_MS })
  })

  afterEach(async () => {
    await client.shutdown({ release: true })
  })

  /** What was warned of, with the stack. */
  const warnings = () =>
    emitWarning.mock.calls.map(([message, options]) => ({
      message,
      ...(options as { code: string; detail: string }),
    }))

  it.each<[string, () => Promise<() => Promise<unknown>>]>([
    [
      'lock()',
      async () => {
        await client.getLock('a').lock()
        return () => client.getLock('a').forceUnlock()
      },
    ],
    [
      'tryLock()',
      async () => {
        await client.getFairLock('a').tryLock(0, 60_000)
        return () => client.getFairLock('a').forceUnlock()
      },
    ],
    [
      'lock() of a thread',
      async () => {
        await client.runAsThread(() => client.getLock('a').lock())
        return () => client.getLock('a').forceUnlock()
      },
    ],
    [
      'lockAndGetToken()',
      async () => {
        await client.getFencedLock('a').lockAndGetToken()
        return async () => {
          await client.getFencedLock('a').forceUnlock()
          await single.nodes[0].command('DEL', 'redisson_lock_token:{a}')
        }
      },
    ],
    [
      'acquire()',
      async () => {
        const hold = await client.getReadWriteLock('a').writeLock().acquire()
        return () => hold.unlock()
      },
    ],
    [
      'acquire() of several locks, as one',
      async () => {
        const hold = await client.getMultiLock(client.getLock('a'), client.getLock('b')).acquire()
        return () => hold.unlock()
      },
    ],
    [
      'withLock()',
      async () => {
        const { promise, resolve } = Promise.withResolvers<void>()
        const run = client.getLock('a').withLock(() => promise)
        await eventually(() => client.getLock('a').isLocked())
        return () => {
          resolve()
          return run
        }
      },
    ],
  ])('is reported after a while, once, with the stack of %s', async (_, take) => {
    const release = await take()
    await eventually(() => warnings().length > 0)
    await sleep(LONG_MS * 2)
    expect(warnings()).toMatchObject([{ code: 'REDISSON_HOLD_FORGOTTEN' }])
    const [warning] = warnings()
    expect(warning?.message).toMatch(
      new RegExp(`^Lock a(,b)? has been held by ${client.id}:\\d+ for \\d+ ms and was not released$`),
    )
    expect(warning?.detail).toMatch(/^It was acquired\n.*forgotten-holds\.test\.ts/)
    await release()
  })

  it('is reported if it is a permit', async () => {
    const permits = client.getPermitExpirableSemaphore('permits', { permits: 1 })
    const hold = await permits.acquirePermit()
    await eventually(() => warnings().length > 0)
    const [warning] = warnings()
    expect(warning?.message).toMatch(
      new RegExp(`^Permit of semaphore permits has been held by ${hold.id} for \\d+ ms`),
    )
    expect(warning?.detail).toMatch(/^It was acquired\n.*forgotten-holds\.test\.ts/)
    await hold.release()
    await permits.delete()
  })

  it('is not reported if it is released, lost or over in time', { tags: ['timed'] }, async () => {
    const lock = client.getLock('a')
    await lock.lock()
    await lock.unlock()
    await lock.withLock(() => undefined)
    await lock.acquire()
    await lock.forceUnlock()
    await client.getLock('b').acquire({ leaseMs: LONG_MS / 2 })
    await client.getMultiLock(lock, client.getLock('c')).withLock(() => undefined)
    await sleep(LONG_MS * 2)
    expect(warnings().filter(({ code }) => code === 'REDISSON_HOLD_FORGOTTEN')).toEqual([])
  })

  it('is not reported after the shutdown', { tags: ['timed'] }, async () => {
    await client.getLock('a').lock()
    await client.shutdown({ release: true })
    await sleep(LONG_MS * 2)
    expect(warnings()).toEqual([])
  })

  it('is not reported by default', async () => {
    await using other = await Redisson.create(single.options())
    const hold = await other.getLock('a').acquire()
    await sleep(LONG_MS * 2)
    await hold.unlock()
    expect(warnings()).toEqual([])
  })

  it('is reported when it was garbage-collected, if the watchdog renews it', async () => {
    const program = new URL('../fixtures/forgets-holds.ts', import.meta.url)
    await using child = startChild(program, { args: [JSON.stringify(single.options())] })
    const { warnings: warned, kept } = await child.hear('warned')
    expect(kept).toEqual([true, true])
    const reported = warned as readonly {
      readonly message: string
      readonly code: string
      readonly detail: string
    }[]
    expect(reported.map(({ message }) => /^.*(?= has been held by)/.exec(message)?.[0]).sort()).toEqual([
      'Lock begun',
      'Lock both-1,both-2',
      'Lock forgotten',
      'Permit of semaphore permits',
    ])
    for (const { code, message, detail } of reported) {
      expect(code).toBe('REDISSON_HOLD_FORGOTTEN')
      expect(message).toMatch(/ ms and cannot be released: its hold was garbage-collected$/)
      expect(detail).toMatch(/^It was acquired\n.*at (async )?(forget|Service\.begin|#?begin)\b/)
    }
    expect(await child.exited).toEqual({ code: 0, signal: null })
    await single.nodes[0].command('DEL', 'left-to-its-lease', 'permits', 'permits:timeout')
  })
})
