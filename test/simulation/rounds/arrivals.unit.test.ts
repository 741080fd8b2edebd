import { describe, expect, it } from 'vitest'
import type { SharedObject } from '../../../chaos/random-use/objects.js'
import { Tale } from '../../tools/chaos/check/tale.js'
import { whatOf } from '../../tools/chaos/random-use/conditions.js'
import { checkArrivals } from './arrivals.js'

const APART_MS = 10
const LOCK: SharedObject = { kind: 'fair', name: 'lock' }

/** Two processes ask for a lock, and the one that asks later is served first. */
function overtaking(askedAt: number): Tale {
  return new Tale()
    .acquires('p1.0/1', 'a', [0, 100])
    .acquires('p2.0/1', 'b', [askedAt, 50])
    .releases('b', [60, 61])
    .releases('a', [110, 111])
}

function check(tale: Tale, object = LOCK): string[] {
  return whatOf(checkArrivals(tale.entries, [object], APART_MS))
}

describe('callers of a fair lock', () => {
  it('are served in the order in which they come', () => {
    expect(check(overtaking(20))).toEqual([
      'order: lock: p2.0 was served before p1.0, who had come 20.0 ms earlier',
    ])
  })

  it('may have come in another order than they asked if they asked at about the same time', () => {
    expect(check(overtaking(10))).toEqual([])
  })

  it('are not waited for when they have given up', () => {
    const tale = new Tale()
      .acquires('p1.0/1', 'a', [0, 100], { outcome: 'refused' })
      .acquires('p2.0/1', 'b', [20, 50])
    expect(check(tale)).toEqual([])
  })

  it('enter again at once', () => {
    const tale = new Tale()
      .acquires('p1.0/1', 'a', [0, 1])
      .acquires('p2.0/1', 'b', [10, 100])
      .acquires('p1.0/1', 'c', [40, 41], { within: 'a' })
    expect(check(tale)).toEqual([])
  })

  it('are those of fair locks, and of no others', () => {
    expect(check(overtaking(20), { kind: 'lock', name: 'lock' })).toEqual([])
  })
})
