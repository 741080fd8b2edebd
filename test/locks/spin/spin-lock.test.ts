import { describe, expect, it } from 'vitest'
import type { Backoff } from '../../../src/index.js'
import { pausesOf } from '../../../src/locks/spin/backoff.js'
import { lockContract } from '../../contracts/lock.contract.js'
import { takeBriefly } from '../../contracts/take-briefly.js'
import { channelsOf } from '../../support/channels.js'
import { twoClients } from '../../support/clients.js'
import { eventually } from '../../support/eventually.js'
import { Monitor } from '../../support/monitor.js'
import { noLeaks } from '../../support/no-leaks.js'
import { single, slottedTopologies } from '../../support/topologies.js'

describe.each(slottedTopologies)('a spin lock ($kind)', (topology) => {
  lockContract({
    topology,
    getLock: (client, name) => client.getSpinLock(name, { backoff: { type: 'constant', delayMs: 10 } }),
    untilWaiting: async (name) => {
      await using monitor = await Monitor.of(topology.nodes)
      await eventually(async () => (await timesAsked(monitor, name)) >= 2, { what: `a waiter for ${name}` })
    },
    waitsBy: 'asking',
    tasks: 100,
    parts: topology === single ? 'all' : 'servers in deep',
  })
})

/** How often clients have tried to get a lock: a waiter tries repeatedly. */
async function timesAsked(monitor: Monitor, name: string): Promise<number> {
  const deeds = await monitor.deeds()
  return deeds.filter(({ by, words }) => by === 'client' && words.some((word) => word.includes(name))).length
}

describe('the waiters of a spin lock', () => {
  noLeaks(single)
  const clients = twoClients(single)

  it('get no messages: none is subscribed, and nothing is published, also if it is forced open', async () => {
    await using monitor = await Monitor.of(single.nodes)
    const lock = clients.mine.getSpinLock('silent')
    const hold = await clients.other.getSpinLock('silent').acquire()
    const waiting = lock.acquire()
    await eventually(async () => (await timesAsked(monitor, 'silent')) >= 4)
    expect(await channelsOf(single)).toEqual([])
    await hold.unlock()
    await waiting
    await lock.forceUnlock()
    expect(await monitor.published()).toEqual([])
  })

  it('wait for their time limit, and not for the rest of a pause', async () => {
    const hold = await clients.other.getSpinLock('timed').acquire()
    const lock = clients.mine.getSpinLock('timed', { backoff: { type: 'constant', delayMs: 600_000 } })
    const startedAt = performance.now()
    expect(await lock.tryLock(300)).toBe(false)
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(299)
    await hold.unlock()
  })

  it('get it soon after it was given back', { tags: ['timed'] }, async () => {
    const hold = await clients.other.getSpinLock('soon').acquire()
    const waiting = clients.mine.getSpinLock('soon').acquire()
    await hold.unlock()
    const startedAt = performance.now()
    await (await waiting).unlock()
    expect(performance.now() - startedAt).toBeLessThan(200)
  })

  it('exclude those of an ordinary lock of that name, who notice by its lease', async () => {
    const spin = clients.other.getSpinLock('both')
    const spinning = await takeBriefly(() => spin.acquire({ leaseMs: 100 }))
    const hold = await clients.mine.getLock('both').acquire()
    expect(spinning.isHeld).toBe(false)
    expect(await spin.tryLock()).toBe(false)
    await hold.unlock()
  })

  it.each([
    [{ type: 'constant', delayMs: 0 }, 'delayMs'],
    [{ type: 'constant', delayMs: NaN }, 'delayMs'],
    [{ type: 'exponential', initialDelayMs: -1 }, 'initialDelayMs'],
    [{ type: 'exponential', maxDelayMs: Infinity }, 'maxDelayMs'],
    [{ type: 'exponential', multiplier: 0 }, 'multiplier'],
  ] as const)('do not pause by %o, which is refused at once', (backoff, name) => {
    expect(() => clients.mine.getSpinLock('any', { backoff })).toThrow(
      `Expected \`${name}\` to be a positive number`,
    )
  })
})

describe('the pauses of a spin lock', () => {
  const first = (count: number, backoff: Backoff): number[] => {
    const next = pausesOf(backoff)
    return Array.from({ length: count }, next)
  }

  it('are always the same if they are constant', () => {
    expect(first(4, { type: 'constant', delayMs: 30 })).toEqual([30, 30, 30, 30])
    expect(first(2, { type: 'constant' })).toEqual([64, 64])
  })

  it('grow by the multiplier and a little chance, up to the longest one', () => {
    const backoff = { type: 'exponential', initialDelayMs: 10, maxDelayMs: 100, multiplier: 3 } as const
    for (let round = 0; round < 50; round += 1) {
      const [one = 0, two = 0, three = 0, four = 0, five = 0] = first(5, backoff)
      expect([one, four, five]).toEqual([10, 100, 100])
      expect([two >= 30, two <= 31, three >= 90, three <= 94]).toEqual([true, true, true, true])
    }
  })
})
