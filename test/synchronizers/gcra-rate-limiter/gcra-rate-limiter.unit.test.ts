import { describe, expect, it } from 'vitest'
import type { GcraRateLimiterSettings } from '../../../src/index.js'
import { asArguments, limitsOf } from '../../../src/synchronizers/shared/limits.js'
import { LocalLimiter } from '../../../src/synchronizers/gcra-rate-limiter/local-limiter.js'
import { restAfter } from '../../../src/synchronizers/gcra-rate-limiter/decision.js'
import { settingsOf } from '../../../src/synchronizers/gcra-rate-limiter/settings.js'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

describe('what a limit by GCRA says after a wait', () => {
  it.each([
    { rest: [98, 20], limit: { limit: 100, perMs: 2000, burst: 100 }, then: [100, 0] },
    { rest: [0, 2000], limit: { limit: 1, perMs: 1000, burst: 1 }, then: [0, 980] },
    { rest: [5, 1050], limit: { limit: 100, perMs: 1000, burst: 110 }, then: [107, 30] },
  ] as const)('is $then, where it was $rest', ({ rest, limit, then }) => {
    expect(restAfter(rest, limit, 1020)).toEqual(then)
  })
})

describe('the settings of a limiter by GCRA', () => {
  const of = (settings: object) => settingsOf({ algorithm: 'gcra', ...settings } as GcraRateLimiterSettings)

  it('have a burst of the limit, and throw without Redis', () => {
    expect(of({ limit: 5, perMs: 1000 })).toEqual({
      limits: [{ limit: 5, perMs: 1000, burst: 5, tickUs: 1, cell: 1_000_000 }],
      fallback: 'throw',
      redisTimeoutMs: undefined,
      exactlyOnce: false,
    })
  })

  it('wait for half a second for Redis where they have something else to do', () => {
    expect(of({ limit: 5, perMs: 1000, onRedisDown: 'deny' })).toMatchObject({ redisTimeoutMs: 500 })
    const local = of({ limit: 5, perMs: 1000, onRedisDown: { local: { limit: 1, perMs: 10 } } })
    expect(local.fallback).toMatchObject([{ limit: 1, perMs: 10, burst: 1 }])
  })

  it('have their limits in the order of the program', () => {
    const limits = [
      { limit: 1, perMs: DAY_MS },
      { limit: 2, perMs: 1000, burst: 9 },
    ]
    expect(asArguments(of({ limits }).limits)).toEqual([1, DAY_MS, 1, 2, 1000, 9])
  })

  it.each([
    ['1 a day', 1, DAY_MS, undefined],
    ['1 000 000 a second', 1_000_000, 1000, undefined],
    ['1 000 000 an hour', 1_000_000, HOUR_MS, undefined],
    ['3 000 000 in 30 days', 3_000_000, 30 * DAY_MS, undefined],
    ['a burst of 9 000 000 in 1 000 s', 1, 1_000_000, 9_000_000],
  ])('may be %s', (_, limit, perMs, burst) => {
    const [{ cell } = { cell: 0 }] = limitsOf({ limit, perMs, ...(burst !== undefined && { burst }) })
    expect(cell * (burst ?? limit)).toBeLessThanOrEqual(Number.MAX_SAFE_INTEGER)
  })

  it.each([
    [{ limit: 0, perMs: 1 }, 'limit'],
    [{ limit: 1 }, 'perMs'],
    [{ perMs: 1 }, 'limit'],
    [{ limit: 1, perMs: 0.5 }, 'perMs'],
    [{ limit: 1, perMs: 1, burst: 0 }, 'burst'],
    [{ limit: 1001, perMs: 1 }, 'at most 1000'],
    [{ limit: HOUR_MS + 2, perMs: HOUR_MS + 1 }, 'at most 3600001'],
    [{ limit: 1, perMs: HOUR_MS, burst: 2_600_000 }, 'burst'],
    [{ limits: [] }, 'at least one'],
    [{ limits: 'all' }, 'list'],
    [{ limits: Array.of(undefined) }, 'each of `limits` to be an object, got undefined'],
    // eslint-disable-next-line no-sparse-arrays -- what is tested
    [{ limits: [, { limit: 1, perMs: 1 }] }, 'each of `limits` to be an object, got undefined'],
    [{ limit: 1, perMs: 1, onRedisDown: { local: [] } }, '`local` to have at least one limit'],
    [{ limit: 1, perMs: 1, onRedisDown: { local: null } }, '`local` to be an object, got null'],
    [
      {
        limits: [
          { limit: 1, perMs: 5 },
          { limit: 2, perMs: 5 },
        ],
      },
      '5 ms',
    ],
    [{ limits: [{ limit: 1, perMs: 5, each: 1 }] }, 'each'],
    [{ limits: [{ limit: 1, perMs: 5 }], burst: 2 }, 'burst'],
    [{ limit: 1, perMs: 1, rate: 1 }, 'rate'],
    [{ limit: 1, perMs: 1, algorithm: 'leaky' }, 'algorithm'],
    [{ limit: 1, perMs: 1, onRedisDown: 'hope' }, 'onRedisDown'],
    [{ limit: 1, perMs: 1, onRedisDown: { locally: 1 } }, 'locally'],
    [{ limit: 1, perMs: 1, onRedisDown: { local: { limit: 1 } } }, 'perMs'],
    [{ limit: 1, perMs: 1, redisTimeoutMs: 0 }, 'redisTimeoutMs'],
    [{ limit: 1, perMs: 1, exactlyOnce: 'yes' }, 'exactlyOnce'],
  ])('are refused at once when they are %j', (settings, word) => {
    expect(() => of(settings)).toThrow(word)
  })
})

describe('the limiter of one process', () => {
  const clock = { us: 0 }
  const of = (limit: number, perMs: number, burst = limit) =>
    new LocalLimiter(limitsOf({ limit, perMs, burst }), () => clock.us)

  it('lets a burst pass, and then one after the other', () => {
    clock.us = 0
    const limiter = of(10, 1000, 2)
    const passes = () => limiter.consume('a', 1).passes
    expect([passes(), passes(), passes()]).toEqual([true, true, false])
    clock.us += 99_999
    expect(passes()).toBe(false)
    clock.us += 1
    expect([passes(), passes()]).toEqual([true, false])
  })

  it('says what is left of each limit', () => {
    clock.us = 0
    const daily = { limit: 1, perMs: DAY_MS, burst: 3 }
    const fast = { limit: 10, perMs: 1000, burst: 2 }
    const limiter = new LocalLimiter(limitsOf([daily, fast]), () => clock.us)
    const { rests } = limiter.consume('a', 2)
    expect(rests).toEqual([
      [1, 2 * DAY_MS],
      [0, 200],
    ])
  })

  it('says that a request never passes that costs more than its burst', () => {
    clock.us = 0
    expect(of(10, 1000, 2).consume('a', 3)).toMatchObject({ passes: false, retryMs: Infinity })
  })

  it('keeps no keys of which nothing is used', () => {
    clock.us = 0
    const limiter = of(10, 1000)
    for (let each = 0; each < 1_000; each += 1) {
      limiter.consume(`key ${String(each)}`, 1)
      clock.us += 10_000
    }
    expect(limiter.size).toBeLessThan(30)
  })

  it('keeps a bounded number of keys', () => {
    clock.us = 0
    const limiter = of(1, DAY_MS)
    for (let each = 0; each < 100_050; each += 1) limiter.consume(`key ${String(each)}`, 1)
    expect(limiter.size).toBe(100_000)
  })
})
