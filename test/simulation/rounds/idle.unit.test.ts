import { describe, expect, it } from 'vitest'
import type { SharedObject } from '../../../chaos/random-use/objects.js'
import { Tale } from '../../tools/chaos/check/tale.js'
import { whatOf } from '../../tools/chaos/random-use/conditions.js'
import { checkIdle } from './idle.js'

const LOCK: SharedObject = { kind: 'lock', name: 'lock' }

/** One process holds the lock until 100 ms, and another one waits for it from 50 ms on. */
function waiting(untilMs: number): Tale {
  return new Tale()
    .acquires('p1.0/1', 'a', [0, 1])
    .acquires('p2.0/1', 'b', [50, untilMs])
    .releases('a', [99, 100])
    .releases('b', [untilMs + 5, untilMs + 6])
}

function check(tale: Tale, objects: readonly SharedObject[] = [LOCK]): string[] {
  return whatOf(checkIdle(tale.entries, objects))
}

describe('a lock that a caller waits for', () => {
  it('may be free for a second', () => {
    expect(check(waiting(1_100))).toEqual([])
  })

  it('may not be free for longer', () => {
    expect(check(waiting(1_101))).toEqual(['idle: lock: p2.0 waited for 1001 ms while the lock was free'])
  })

  it('may not be free for longer until the caller gives up', () => {
    const tale = new Tale().acquires('p1.0/1', 'a', [0, 1_001], { outcome: 'refused' })
    expect(check(tale)).toEqual(['idle: lock: p1.0 waited for 1001 ms while the lock was free'])
  })

  it('may be held for as long as its holders like', () => {
    const tale = new Tale()
      .acquires('p1.0/1', 'a', [0, 1])
      .acquires('p2.0/1', 'b', [2, 5_001])
      .releases('a', [4_000, 4_500])
      .releases('b', [6_000, 6_001])
    expect(check(tale)).toEqual([])
  })

  it('counts as held while one of several readers has it', () => {
    const tale = new Tale()
      .acquires('p1.0/1', 'a', [0, 1], { side: 'read' })
      .acquires('p1.0/2', 'b', [0, 2], { side: 'read' })
      .acquires('p2.0/1', 'c', [10, 3_001])
      .releases('b', [20, 21])
      .releases('a', [3_000, 3_001])
    expect(check(tale, [{ kind: 'read', name: 'lock', prefer: 'reader' }])).toEqual([])
  })

  it('is not looked at where a multi-lock has it too, because a caller may wait for the other members', () => {
    expect(check(waiting(5_000), [LOCK, { kind: 'multi', members: [LOCK] }])).toEqual([])
  })

  it('is not looked at where its waiters look again after a time', () => {
    expect(check(waiting(5_000), [{ kind: 'spin', name: 'lock' }])).toEqual([])
  })
})
