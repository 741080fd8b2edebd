import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { entryOf } from '../../../src/collections/local-cached-map/cache/cached-entry.js'
import type { LocalLimits } from '../../../src/collections/local-cached-map/cache/bounded-entries.js'
import { LocalEntries } from '../../../src/collections/local-cached-map/cache/local-entries.js'

const LIMITS: LocalLimits = {
  cacheSize: 0,
  evictionPolicy: 'NONE',
  ttlMs: undefined,
  maxIdleMs: undefined,
}

describe('the entries that are kept here', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
    vi.advanceTimersByTime(1) // at 0 `lru-cache` has no time
  })

  afterEach(() => {
    vi.useRealTimers()
  })

  const entriesOf = (limits: Partial<LocalLimits>) => {
    const entries = new LocalEntries({ ...LIMITS, ...limits })
    const set = (key: string, endsAt = Infinity) => {
      entries.set({ ...entryOf(key, Buffer.from(key)), storedAt: performance.now(), endsAt })
    }
    const keys = () => Array.from(entries.values(), ({ key }) => key.toString()).toSorted()
    return { entries, set, keys }
  }

  it('end after their time, used or not', () => {
    const { entries, set, keys } = entriesOf({ ttlMs: 100 })
    set('a')
    vi.advanceTimersByTime(60)
    set('b')
    expect(entries.get('a')).toBeDefined()
    vi.advanceTimersByTime(39)
    expect(keys()).toEqual(['a', 'b'])
    vi.advanceTimersByTime(2)
    expect(entries.get('a')).toBeUndefined()
    expect(keys()).toEqual(['b'])
    vi.advanceTimersByTime(100)
    expect(entries.purge()).toBe(1)
    expect(entries.size).toBe(0)
  })

  it('end when they were not used for a time, or after their time', () => {
    const { entries, set, keys } = entriesOf({ ttlMs: 1_000, maxIdleMs: 100 })
    set('a')
    set('b')
    for (let each = 0; each < 9; each += 1) {
      vi.advanceTimersByTime(90)
      expect(entries.get('a')).toBeDefined()
    }
    expect(entries.get('b')).toBeUndefined()
    vi.advanceTimersByTime(95)
    expect(entries.get('a')).toBeDefined()
    vi.advanceTimersByTime(96)
    expect(keys()).toEqual([])
    expect(entries.get('a')).toBeUndefined()
  })

  it('end with the map', () => {
    const { entries, set } = entriesOf({ ttlMs: 1_000 })
    set('a', performance.now() + 50)
    set('over', performance.now())
    expect(entries.get('over')).toBeUndefined()
    vi.advanceTimersByTime(49)
    expect(entries.get('a')).toBeDefined()
    vi.advanceTimersByTime(2)
    expect(entries.get('a')).toBeUndefined()
  })

  it('take the places of those that have ended, without a policy', () => {
    const { set, keys } = entriesOf({ cacheSize: 1, ttlMs: 100 })
    set('a')
    set('b')
    expect(keys()).toEqual(['a'])
    vi.advanceTimersByTime(1_001)
    set('b')
    expect(keys()).toEqual(['b'])
  })

  it('make room by LFU: the one that was used least often, of several the oldest', () => {
    const { entries, set, keys } = entriesOf({ cacheSize: 3, evictionPolicy: 'LFU' })
    for (const key of ['a', 'b', 'c']) set(key)
    entries.get('a')
    set('d')
    expect(keys()).toEqual(['a', 'c', 'd'])
    entries.get('d')
    entries.get('d')
    entries.get('c')
    entries.get('c')
    set('e')
    expect(keys()).toEqual(['c', 'd', 'e'])
    entries.deleteHash(entryOf('e', undefined).hash)
    set('f')
    set('g')
    expect(keys()).toEqual(['c', 'd', 'g'])
    entries.clear()
    expect(keys()).toEqual([])
    for (const key of ['a', 'b', 'c', 'd']) set(key)
    expect(keys()).toEqual(['b', 'c', 'd'])
  })

  it('make room by LFU without a look at those that have left', () => {
    const { entries, set, keys } = entriesOf({ cacheSize: 2, evictionPolicy: 'LFU' })
    for (const key of ['a', 'b']) set(key)
    const looks = vi.spyOn(Set.prototype, 'values')
    for (const key of ['c', 'd', 'e']) set(key)
    const looked = looks.mock.calls.length
    looks.mockRestore()
    expect(looked).toBe(0) // an iterator passes over all that was deleted before the first
    expect(keys()).toEqual(['d', 'e'])
    entries.clear()
  })

  it('are removed by the hash of their key, unless another has the place', () => {
    const { entries, set, keys } = entriesOf({ cacheSize: 2, evictionPolicy: 'LRU' })
    for (const key of ['a', 'b', 'c']) set(key)
    entries.deleteHash(entryOf('a', undefined).hash)
    expect(keys()).toEqual(['b', 'c'])
    entries.deleteHash(entryOf('b', undefined).hash)
    expect(keys()).toEqual(['c'])
  })

  it('set no memory aside for as many as may be kept', () => {
    const { set, keys } = entriesOf({ cacheSize: Number.MAX_SAFE_INTEGER, evictionPolicy: 'LRU' })
    set('a')
    expect(keys()).toEqual(['a'])
  })

  it('need no timer', () => {
    const { entries, set } = entriesOf({ ttlMs: 100, maxIdleMs: 50 })
    set('a')
    entries.get('a')
    expect(vi.getTimerCount()).toBe(0)
  })
})
