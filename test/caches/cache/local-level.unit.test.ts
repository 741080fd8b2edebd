import { describe, expect, it } from 'vitest'
import { LocalLevel } from '../../../src/caches/cache/local-level.js'

const TTL_MS = 10_000

describe('the entries of a cache in memory', () => {
  const level = (maxEntries = 100) => new LocalLevel<number>({ maxEntries, ttlMs: TTL_MS })
  const filling = { value: 1, tags: [], freshMs: Infinity }

  it('end with their time after the times of their tags were asked for', () => {
    const local = level()
    const now = performance.now()
    const ticket = local.open('a')
    local.fill(ticket, now, { ...filling, knownAt: now - 0.9 * TTL_MS })
    expect(local.get('a')?.until).toBeCloseTo(now + 0.1 * TTL_MS, 5)
    local.fill(ticket, now, { ...filling, knownAt: now + 5 })
    expect(local.get('a')?.until).toBe(now + TTL_MS)
    local.fill(local.open('b'), now, { ...filling, knownAt: now - TTL_MS })
    expect(local.get('b')).toBeUndefined()
    local.fill(local.open('c'), now, { ...filling, freshMs: 5000, knownAt: now - 1 })
    expect(local.get('c')?.until).toBe(now + 5000)
  })

  it('take no memory in advance', () => {
    const before = process.memoryUsage().arrayBuffers
    const levels = Array.from({ length: 20 }, () => level(10_000_000))
    expect(levels.length).toBe(20)
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10_000_000)
  })
})
