import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { RedissonClient, RLock } from '../../../src/index.js'
import { Redisson } from '../../../src/index.js'
import { Turns } from '../../../src/locks/shared/queue/turns.js'
import { LimitedResource } from '../../support/limited-resource.js'
import { noLeaks } from '../../support/no-leaks.js'
import { cluster, sentinel, single } from '../../support/topologies.js'

const CHANNEL = 'channel'

const NEAR = { heldBy: 'near' } as const
const FAR = { heldBy: 'far' } as const

/** Turns of a client that hears how many others listen, and does not listen itself. */
function turnsOf({ countsAllListeners = true } = {}): Turns {
  const wakeUps = { isListening: () => false }
  return new Turns({ wakeUps, topology: { countsAllListeners } } as unknown as ConstructorParameters<
    typeof Turns
  >[0])
}

describe('the turns of a process', () => {
  let turns: Turns

  beforeEach(() => {
    vi.useFakeTimers()
    turns = turnsOf()
  })

  afterEach(() => {
    turns.close()
    vi.useRealTimers()
  })

  const free = (
    heldSince: number,
    more: { heard?: number; isAwaited?: boolean; sharesChannel?: boolean } = {},
  ) => {
    turns.freed({ lock: 'lock', channel: CHANNEL, heard: 1, isAwaited: true, heldSince, ...more })
  }

  it('are thirty-two in a tenure, for any state of the queue meanwhile', () => {
    const since = performance.now()
    const passed = Array.from({ length: 33 }, () => turns.passOn('lock', since, 1))
    expect(passed.filter(Boolean)).toHaveLength(32)
    expect(passed.at(-1)).toBe(false)
  })

  it('are as many as there are waiters, where these are more', () => {
    const since = performance.now()
    const passed = Array.from({ length: 60 }, () => turns.passOn('lock', since, 50))
    expect(passed.filter(Boolean)).toHaveLength(50)
  })

  it('end 100 ms after the lock was acquired', () => {
    const since = performance.now()
    expect(turns.passOn('lock', since, 1)).toBe(true)
    vi.advanceTimersByTime(100)
    expect(turns.passOn('lock', since, 1)).toBe(false)
  })

  it('are counted by releases as well, so that asking anew is no way around', () => {
    const since = performance.now()
    for (let turn = 0; turn < 32; turn += 1) free(since)
    expect(turns.yieldMs('lock')).toBe(0)
    free(since)
    expect(turns.yieldMs('lock')).toBe(2)
  })

  it('are over at once where the lock was held for longer than a tenure', () => {
    free(performance.now() - 5_000)
    expect(turns.yieldMs('lock')).toBe(2)
  })

  it('leave a lock to others for 2 ms each, and for 6 ms at most', () => {
    for (const [others, ms] of [
      [1, 2],
      [2, 4],
      [3, 6],
      [9, 6],
    ] as const) {
      turns = turnsOf()
      free(-Infinity, { heard: others })
      expect(turns.yieldMs('lock')).toBe(ms)
    }
  })

  it('leave it for twice as long each time that none of the others has taken it, up to 64 ms', () => {
    const yielded = Array.from({ length: 7 }, () => {
      free(-Infinity)
      const ms = turns.yieldMs('lock')
      vi.advanceTimersByTime(100)
      turns.asked('lock', 'taken')
      vi.advanceTimersByTime(100)
      return ms
    })
    expect(yielded).toEqual([2, 4, 8, 16, 32, 64, 64])
  })

  it('begin anew when another process was seen to have the lock', () => {
    free(-Infinity)
    turns.asked('lock', 'taken')
    vi.advanceTimersByTime(100)
    free(-Infinity)
    expect(turns.yieldMs('lock')).toBe(4)
    turns.asked('lock', NEAR)
    expect(turns.yieldMs('lock')).toBe(0)
    expect(turns.passOn('lock', performance.now(), 1)).toBe(true)
    vi.advanceTimersByTime(100)
    free(-Infinity)
    expect(turns.yieldMs('lock')).toBe(2)
  })

  it('go on when a holder of this process was seen to have the lock', () => {
    const since = performance.now()
    for (let turn = 0; turn < 33; turn += 1) {
      turns.asked('lock', 'held here')
      free(since)
    }
    expect(turns.yieldMs('lock')).toBe(2)
    turns.asked('lock', 'held here')
    expect(turns.yieldMs('lock')).toBe(2)
  })

  it('let each of several others go first', () => {
    free(-Infinity, { heard: 2 })
    turns.asked('lock', NEAR)
    expect(turns.yieldMs('lock')).toBe(2)
    turns.asked('lock', NEAR)
    expect(turns.yieldMs('lock')).toBe(0)
  })

  it('let every other one be seen, for longer and longer, once none of them was quick enough', () => {
    const yielded: number[] = []
    for (let round = 0; round < 7; round += 1) {
      free(-Infinity, { heard: 2 })
      yielded.push(turns.yieldMs('lock'))
      turns.asked('lock', NEAR)
      yielded.push(turns.yieldMs('lock'))
      if (round > 0) turns.asked('lock', NEAR) // which is no news
      vi.advanceTimersByTime(100)
      turns.asked('lock', 'taken')
      vi.advanceTimersByTime(100)
    }
    expect(yielded).toEqual([4, 2, 8, 4, 16, 8, 32, 16, 64, 32, 64, 64, 64, 64])
    free(-Infinity, { heard: 2 })
    turns.asked('lock', NEAR)
    turns.asked('lock', FAR)
    expect(turns.yieldMs('lock')).toBe(0)
    free(-Infinity, { heard: 2 })
    expect(turns.yieldMs('lock')).toBe(4)
  })

  it('leave it for no longer where one of several has had it and given it back in the moment', () => {
    const yielded = Array.from({ length: 3 }, () => {
      free(-Infinity, { heard: 2 })
      const ms = turns.yieldMs('lock')
      vi.advanceTimersByTime(2)
      turns.heard('lock')
      vi.advanceTimersByTime(2)
      turns.asked('lock', 'taken')
      vi.advanceTimersByTime(100)
      return ms
    })
    expect(yielded).toEqual([4, 4, 4])
  })

  it('begin anew with every refusal where several may have the lock at a time', () => {
    free(-Infinity, { heard: 2 })
    turns.asked('lock', 'taken')
    vi.advanceTimersByTime(100)
    free(-Infinity, { heard: 2 })
    expect(turns.yieldMs('lock')).toBe(8)
    turns.asked('lock', { heldBy: undefined })
    expect(turns.yieldMs('lock')).toBe(2)
    turns.asked('lock', { heldBy: undefined })
    expect(turns.yieldMs('lock')).toBe(0)
  })

  it('leave it to others before the reply says that they wait, if they did the last time', () => {
    const since = performance.now()
    turns.freeing('lock')
    free(since)
    turns.freeing('lock')
    expect(turns.yieldMs('lock')).toBe(0) // the tenure is not over
    vi.advanceTimersByTime(100)
    turns.freeing('lock')
    expect(turns.yieldMs('lock')).toBe(2)
    free(since, { heard: 0 })
    expect(turns.yieldMs('lock')).toBe(0)
  })

  it('are not limited where no other process waits', () => {
    free(-Infinity, { heard: 0 })
    expect(turns.yieldMs('lock')).toBe(0)
  })

  it('count on one other where Redis does not say how many have heard, and wait hardly longer for it', () => {
    turns = turnsOf({ countsAllListeners: false })
    free(-Infinity, { heard: 0, isAwaited: false })
    expect(turns.yieldMs('lock')).toBe(0)
    const yielded = Array.from({ length: 4 }, () => {
      free(-Infinity, { heard: 0 })
      const ms = turns.yieldMs('lock')
      turns.asked('lock', 'taken')
      vi.advanceTimersByTime(100)
      return ms
    })
    expect(yielded).toEqual([2, 4, 8, 8])
  })

  it('wait hardly longer for those who may want something else', () => {
    const yielded = Array.from({ length: 4 }, () => {
      free(-Infinity, { sharesChannel: true })
      const ms = turns.yieldMs('lock')
      turns.asked('lock', 'taken')
      vi.advanceTimersByTime(100)
      return ms
    })
    expect(yielded).toEqual([2, 4, 8, 8])
  })

  it('are forgotten after a minute without use', () => {
    free(-Infinity)
    expect(vi.getTimerCount()).toBe(1)
    vi.advanceTimersByTime(180_000)
    expect(vi.getTimerCount()).toBe(0)
    expect(turns.yieldMs('lock')).toBe(0)
  })
})

/** How many flows each of two clients has. */
type Flows = readonly [first: number, second: number]

const FLOWS: readonly Flows[] = [
  [1, 1],
  [2, 1],
  [2, 2],
]

/** Where Redis does not say how many have heard that a lock is free, only a client with waiters of its own counts on others. */
const FLOWS_UNHEARD: readonly Flows[] = [[2, 2]]

const arrangements = [
  ['a single server', single, () => single.options(), FLOWS],
  ['a master with sentinels', sentinel, () => sentinel.options(), FLOWS],
  [
    'a cluster with sharded messages',
    cluster,
    () => cluster.options({ shardedSubscriptionMode: 'ON' }),
    FLOWS,
  ],
  [
    'a cluster with ordinary messages',
    cluster,
    () => cluster.options({ shardedSubscriptionMode: 'OFF' }),
    FLOWS_UNHEARD,
  ],
] as const

const kinds: readonly (readonly [string, (client: RedissonClient, name: string) => RLock])[] = [
  ['a lock', (client, name) => client.getLock(name)],
  ['a fenced lock', (client, name) => client.getFencedLock(name)],
  ['a non-reentrant lock', (client, name) => client.getNonReentrantLock(name)],
  ['a write lock', (client, name) => client.getReadWriteLock(name).writeLock()],
  [
    'a preferred write lock',
    (client, name) => client.getReadWriteLock(name, { prefer: 'writer' }).writeLock(),
  ],
  ['the values of a group', (client, name) => client.getMultiLock(name, ['one', 'two'])],
]

/** Thirty-three turns, and the same six times more while the moments grow in which the lock is left to the other. */
const LONGEST_RUN = 7 * 33

/**
 * Seven tenures and moments in which the lock is left to the other, and seven sections: what the guide promises, and as much for a busy
 * machine.
 */
const LONGEST_WAIT_MS = 3_000

/** Two clients contend without a pause, so that each of them would keep the lock from the other for good if it could. */
describe.each(arrangements)(
  'clients that contend without a pause over %s',
  (_, topology, options, flowsOfEach) => {
    let clients: RedissonClient[]

    noLeaks(topology, { keeps: /^redisson_lock_token:/ })

    beforeAll(async () => {
      clients = await Promise.all([Redisson.create(options()), Redisson.create(options())])
    })

    afterAll(async () => {
      await Promise.all(clients.map((client) => client.shutdown()))
    })

    describe.each(kinds)('for %s', (kind, lockOf) => {
      // The simulation takes turns at all of them.
      const [isFirst, most] = [kind === kinds[0]?.[0], flowsOfEach.at(-1)]
      const tagsOf = (flows: Flows) => (isFirst && flows === most ? [] : ['full' as const])
      const getTheirTurns = async (flows: Flows) => {
        const resource = new LimitedResource()
        const name = `turns-${kind}-${flows.join('-')}`
        const turns = [0, 0]
        const run = { of: 0, length: 0, longest: 0 }
        const flow = async (client: RedissonClient, index: 0 | 1) => {
          const lock = lockOf(client, name)
          while (Math.min(...turns) < 20) {
            const hold = await lock.acquire({ leaseMs: 600_000 })
            turns[index] = (turns[index] ?? 0) + 1
            run.length = run.of === index ? run.length + 1 : 1
            run.of = index
            run.longest = Math.max(run.longest, run.length)
            await resource.use(() => sleep(3))
            await hold.unlock()
          }
        }
        await Promise.all(
          clients.flatMap((client, index) =>
            Array.from({ length: flows[index] ?? 0 }, () => flow(client, index as 0 | 1)),
          ),
        )
        expect(run.longest).toBeLessThanOrEqual(LONGEST_RUN)
      }
      for (const flows of flowsOfEach)
        it(`get their turns with ${flows.join(' and ')} flows`, { tags: tagsOf(flows) }, () =>
          getTheirTurns(flows),
        )
    })

    // So that the queue of the first client is empty again and again, and its waiters look while the other one of them is inside.
    it.each(kinds)('get their turns at %s with pauses between', { tags: ['timed'] }, async (kind, lockOf) => {
      const name = `pauses-${kind}`
      const stop = new AbortController()
      const flow = async (client: RedissonClient) => {
        const lock = lockOf(client, name)
        while (!stop.signal.aborted) {
          await lock.withLock(() => sleep(20))
          await sleep(5)
        }
      }
      const [two, one] = clients as [RedissonClient, RedissonClient]
      const flows = [flow(two), flow(two)]
      const lock = lockOf(one, name)
      let longestMs = 0
      try {
        for (let turn = 0; turn < 5; turn += 1) {
          const askedAt = performance.now()
          await lock.withLock(() => sleep(20), { signal: AbortSignal.timeout(15_000) })
          longestMs = Math.max(longestMs, performance.now() - askedAt)
          await sleep(5)
        }
      } finally {
        stop.abort()
        await Promise.all(flows)
      }
      expect(longestMs).toBeLessThan(LONGEST_WAIT_MS)
    })
  },
)
