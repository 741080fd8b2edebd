import { afterEach, describe, expect, it, vi } from 'vitest'
import type { RedissonClient, RLock } from '../../../src/index.js'
import { twoClients } from '../../support/clients.js'
import { elsewhere } from '../../support/elsewhere.js'
import { noLeaks } from '../../support/no-leaks.js'
import { sumOf } from '../../../src/util/collections/sum-of.js'
import { single } from '../../support/topologies.js'

type PlainLock = Pick<RLock, 'lock' | 'unlock' | 'acquire'>

type LockOf = (client: RedissonClient, index: number) => PlainLock

const kinds: readonly (readonly [string, LockOf])[] = [
  ['locks', (client, index) => client.getLock(`kept:${String(index)}`)],
  ['read locks of one name', (client) => client.getReadWriteLock('kept').readLock()],
  ['write locks', (client, index) => client.getReadWriteLock(`kept:${String(index)}`).writeLock()],
  ['values of a group', (client, index) => client.getMultiLock('kept', [String(index)])],
  [
    'multi-locks',
    (client, index) =>
      client.getMultiLock(client.getLock(`a:${String(index)}`), client.getLock(`b:${String(index)}`)),
  ],
]

/** How often the clock is read while something is done. */
async function readingsOf(fn: () => Promise<unknown>): Promise<number> {
  const clock = vi.spyOn(performance, 'now')
  await fn()
  const { length } = clock.mock.calls
  clock.mockRestore()
  return length
}

afterEach(() => vi.restoreAllMocks())

describe('a flow that keeps many plain locks', () => {
  noLeaks(single)
  const clients = twoClients(single)

  /** Locks one by one in a flow of its own, looks at one lock more, and releases all. */
  const withKept = <T>(lockOf: LockOf, count: number, fn: (next: PlainLock) => Promise<T>): Promise<T> =>
    elsewhere(async () => {
      const { mine: client } = clients
      const locks = Array.from({ length: count }, (_, index) => lockOf(client, index))
      for (const lock of locks) await lock.lock()
      const next = lockOf(client, count)
      const result = await fn(next)
      for (const lock of locks) await lock.unlock()
      return result
    })

  it.each(kinds)('reads the clock no more often for one more than with few: %s', async (_, lockOf) => {
    const lockAndUnlock = async (next: PlainLock) => {
      await next.lock()
      await next.unlock()
      await (await next.acquire()).unlock()
    }
    const [few, many] = [
      await withKept(lockOf, 5, (next) => readingsOf(() => lockAndUnlock(next))),
      await withKept(lockOf, 300, (next) => readingsOf(() => lockAndUnlock(next))),
    ]
    expect(many).toBeLessThan(few + 250)
  })

  it('takes the last thousand of ten thousand as quickly as the others', { tags: ['timed'] }, async () => {
    const lockOf = (index: number) => clients.mine.getLock(`kept:${String(index)}`)
    await elsewhere(async () => {
      const costs: number[] = []
      for (let index = 0, before = process.cpuUsage(); index < 10_000; index += 1) {
        await lockOf(index).lock()
        if ((index + 1) % 1_000 > 0) continue
        const { user, system } = process.cpuUsage(before)
        costs.push((user + system) / 1000)
        before = process.cpuUsage()
      }
      for (let index = 0; index < 10_000; index += 1) await lockOf(index).unlock()
      const [early, late] = [costs.slice(1, 4), costs.slice(-3)] // the first thousand also compiles
      expect(sumOf(late)).toBeLessThan(3 * sumOf(early)) // 4 if each one costs as much as all before
    })
  })
})
