import { describe, expect, it } from 'vitest'
import type { CacheOptions } from '../../../src/index.js'
import { callPolicyOf, entryPolicyOf, settingsOf } from '../../../src/caches/cache/cache-settings.js'
import { livesOf, negativeLifeOf } from '../../../src/caches/cache/record.js'

const byName = new Map([['prices', { ttlMs: 7, staleMs: 70, local: { maxEntries: 5, ttlMs: 3 } }]])
const context = { config: { codecs: { value: undefined, key: undefined }, caches: byName } } as never
const settingsFor = (name: string, options?: CacheOptions<unknown>) =>
  settingsOf(name, { codec: CODEC, ...options }, context)
const policyOf = (options?: CacheOptions<unknown>) => settingsFor('it', options).policy

const CODEC = { name: 'none', encode: String, decode: String }

describe('the options of a cache', () => {
  it('have defaults', () => {
    expect(policyOf()).toEqual({
      ttlMs: Infinity,
      staleMs: 0,
      jitter: 0,
      tags: [],
      negativeTtlMs: 0,
      earlyRefresh: 0,
      softTimeoutMs: 0,
      hardTimeoutMs: Infinity,
      redisTimeoutMs: 200,
      signal: undefined,
    })
  })

  it('bound how long entries with tags last, which the times of the tags have to outlast', () => {
    const longMs = 100 * 24 * 3_600_000
    const boundMs = 31 * 24 * 3_600_000
    const long = { ttlMs: longMs, staleMs: longMs, negativeTtlMs: longMs }
    const tagged = policyOf({ ...long, tags: ['a'] })
    for (const policy of [policyOf(long), callPolicyOf({ tags: [] }, tagged)]) {
      expect(livesOf(policy)).toEqual({ ttlMs: longMs, staleMs: longMs })
      expect(negativeLifeOf(policy)).toBe(longMs)
    }
    for (const policy of [tagged, callPolicyOf({ tags: ['a'] }, policyOf(long))]) {
      expect(livesOf(policy)).toEqual({ ttlMs: boundMs, staleMs: boundMs })
      expect(negativeLifeOf(policy)).toBe(boundMs)
    }
    expect(livesOf(callPolicyOf({ ttlMs: 0, tags: [] }, tagged)).ttlMs).toBe(Infinity)
  })

  it('are those of the client for the name, where the program says nothing', () => {
    const { policy, local } = settingsFor('prices', { staleMs: 9, ttlMs: undefined })
    expect(policy).toMatchObject({ ttlMs: 7, staleMs: 9, redisTimeoutMs: 200 })
    expect(local).toMatchObject({ maxEntries: 5, ttlMs: 3 })
    expect(settingsFor('prices', { local: { maxEntries: 2, ttlMs: 4 } }).local).toMatchObject({ ttlMs: 4 })
    expect(settingsFor('others').local).toBeUndefined()
  })

  it('of a call come before those of the cache', () => {
    const base = policyOf({ ttlMs: 1000, staleMs: 500, tags: ['a'] })
    expect(callPolicyOf(undefined, base)).toBe(base)
    expect(callPolicyOf({ ttlMs: 5, tags: [] }, base)).toMatchObject({ ttlMs: 5, staleMs: 500, tags: [] })
    expect(entryPolicyOf({ staleMs: 0, tags: ['b', 'b'] }, base)).toMatchObject({
      ttlMs: 1000,
      staleMs: 0,
      tags: ['b'],
    })
  })

  it.each([
    [{ ttlMs: -1 }, RangeError],
    [{ ttlMs: '5' }, RangeError],
    [{ ttlMs: NaN }, RangeError],
    [{ staleMs: -1 }, RangeError],
    [{ negativeTtlMs: -1 }, RangeError],
    [{ negativeTtlMs: Infinity }, RangeError],
    [{ negativeTtlMs: 2 ** 53 }, RangeError],
    [{ jitter: 1.1 }, RangeError],
    [{ jitter: -0.1 }, RangeError],
    [{ earlyRefresh: -1 }, RangeError],
    [{ softTimeoutMs: -1 }, RangeError],
    [{ hardTimeoutMs: 0 }, RangeError],
    [{ redisTimeoutMs: 0 }, RangeError],
    [{ tags: 'a' }, TypeError],
    [{ tags: [''] }, TypeError],
    [{ tags: ['\ud800'] }, TypeError],
    [{ local: { maxEntries: 0, ttlMs: 5 } }, RangeError],
    [{ local: { maxEntries: 5, ttlMs: 0 } }, RangeError],
    [{ local: { maxEntries: 5 } }, RangeError],
    [{ local: { maxEntries: 5, ttlMs: 5, max: 5 } }, TypeError],
    [{ ttl: 5 }, TypeError],
    [{ signal: new AbortController().signal }, TypeError],
  ])('refuse %o', (options, error) => {
    expect(() => policyOf(options as never)).toThrow(error)
  })

  it.each([
    [{ local: { maxEntries: 5 } }, 'Expected `local.ttlMs` to be a number of milliseconds, got undefined'],
    [{ local: { ttlMs: 5 } }, 'Expected `local.maxEntries` to be a whole number, 1 or more, got undefined'],
    [
      { local: { maxEntries: 2 ** 32, ttlMs: 5 } },
      'Expected `local.maxEntries` to be at most 16000000, got 4294967296',
    ],
    [{ ttlMs: Infinity }, 'Expected `ttlMs` to be finite, got Infinity; 0 means no end'],
    [{ staleMs: Infinity }, 'Expected `staleMs` to be finite, got Infinity'],
    [{ ttlMs: -1 }, 'Expected `ttlMs` to be 0 milliseconds or more, got -1'],
    [
      { ttlMs: 8e15, staleMs: 1 },
      'Expected `ttlMs` and `staleMs` to be at most 8000000000000000 milliseconds together, got 8000000000000001',
    ],
    [{ tags: 'x' }, 'Expected `tags` to be a list of texts, got a string of 1 character: put it in a list'],
  ])('say what is wrong with %o', (options, message) => {
    expect(() => policyOf(options as never)).toThrow(message)
  })

  it('may be undefined', () => {
    expect(policyOf({ ttlMs: undefined, tags: undefined, local: undefined })).toEqual(policyOf())
  })

  it('shorten times by no more than their share', () => {
    const policy = policyOf({ ttlMs: 1000, jitter: 0.25 })
    const times = Array.from({ length: 1000 }, () => livesOf(policy).ttlMs)
    expect(Math.min(...times)).toBeGreaterThanOrEqual(750)
    expect(Math.max(...times)).toBeLessThanOrEqual(1000)
    expect(livesOf(policyOf({ jitter: 1 })).ttlMs).toBe(Infinity)
    expect(livesOf(policyOf({ ttlMs: 5, jitter: 1 })).ttlMs).toBeGreaterThanOrEqual(1)
  })
})
