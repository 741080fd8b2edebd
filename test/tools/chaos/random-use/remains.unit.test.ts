import { describe, expect, it } from 'vitest'
import { mayRemain, permitsAtRest } from '../../../../chaos/random-use/check/remains.js'
import type { PermitsObject, SharedObject } from '../../../../chaos/random-use/objects.js'
import { Tale } from '../check/tale.js'
import { entriesOf } from './conditions.js'

const objects: SharedObject[] = [
  { kind: 'lock', name: 'orders' },
  { kind: 'semaphore', name: 'tables', permits: 2 },
  { kind: 'rate', name: 'mails', rate: 2, intervalMs: 100 },
  { kind: 'messages', name: 'letters' },
  { kind: 'topic', name: 'news' },
]

describe('what remains', () => {
  it.each([
    ['tables', -1],
    ['{mails}:value', -1],
    ['letters', -1],
    ['news', -1],
    ['{letters}:ready', -1],
    ['redisson_lock_token:{orders}', -1],
    ['redisson_unlock_latch:{orders}:0123', 5_000],
    ['orders', -2],
  ])('may be %s with %d ms', (key, ttlMs) => {
    expect(mayRemain({ key, ttlMs }, { objects, faulty: false })).toBe(true)
  })

  it.each([
    ['orders', 29_000],
    ['{letterss}:ready', -1],
    ['{news}:timeout', -1],
    ['redisson_lock_queue:{orders}', -1],
    ['redisson_unlock_latch:{orders}:0123', -1],
    ['{prices}:owner:rwlock_timeout:1', 100],
  ])('may not be %s with %d ms', (key, ttlMs) => {
    expect(mayRemain({ key, ttlMs }, { objects, faulty: false })).toBe(false)
  })
})

it('queues remain for a while where a waiter could not say that it left', () => {
  const queue = 'redisson_lock_queue:{orders}'
  expect(mayRemain({ key: queue, ttlMs: 5_000 }, { objects, faulty: true })).toBe(true)
  expect(mayRemain({ key: queue, ttlMs: 5_000 }, { objects, faulty: false })).toBe(false)
  expect(mayRemain({ key: queue, ttlMs: -1 }, { objects, faulty: true })).toBe(false)
})

it('the lease of a process remains where it could not say that it left a topic', () => {
  expect(mayRemain({ key: '{news}:timeout', ttlMs: -1 }, { objects, faulty: true })).toBe(true)
})

describe('permits at rest', () => {
  const tables: PermitsObject = { kind: 'semaphore', name: 'lock', permits: 2 }

  it('are those that were set', () => {
    const tale = new Tale().visits('p1.0/1', 'h1', [2, 5])
    expect(permitsAtRest(tables, entriesOf(tale))).toEqual({ least: 2, most: 2 })
  })

  it('may be fewer by those whose release was rejected', () => {
    const tale = new Tale()
      .acquires('p1.0/1', 'h1', [1, 2])
      .releases('h1', [3, 4], { outcome: 'failed', error: 'CONNECTION_LOST' })
      .acquires('p1.0/1', 'h2', [5, 6], { outcome: 'failed', error: 'CONNECTION_LOST' })
    expect(permitsAtRest(tables, entriesOf(tale))).toEqual({ least: 1, most: 2 })
  })
})
