import { describe, expect, it } from 'vitest'
import { checkTurns } from '../../../../chaos/random-use/check/turns.js'
import { Tale } from '../check/tale.js'
import { conditions, entriesOf, whatOf } from './conditions.js'

/** One process has turn after turn of 10 ms, while another one waits from 5 ms on until it is let in. */
function waiting(untilMs: number): Tale {
  const tale = new Tale()
  for (let at = 0; at < untilMs; at += 20)
    tale.acquires('p1.0/1', `a${String(at)}`, [at, at + 1]).releases(`a${String(at)}`, [at + 10, at + 11])
  return tale.acquires('p2.0/1', 'b', [5, untilMs]).releases('b', [untilMs + 5, untilMs + 6])
}

function check(tale: Tale, turns = true): string[] {
  return whatOf(checkTurns(entriesOf(tale), conditions({ turns })))
}

describe('turns', () => {
  it('may be late by a second and seven sections', () => {
    expect(check(waiting(1_060))).toEqual([])
  })

  it('may not be later', () => {
    expect(check(waiting(1_100))).toEqual([
      'turns: lock: p2 waited 1095 ms while others had 54 turns, the bound is 1070 ms',
    ])
  })

  it('are not looked at where callers do not wait', () => {
    expect(check(waiting(1_100), false)).toEqual([])
  })

  it('are those of a process: it does not wait while one of its flows is inside', () => {
    const tale = new Tale()
      .acquires('p1.0/1', 'a', [0, 1])
      .acquires('p1.1/1', 'b', [2, 2_005])
      .releases('a', [2_000, 2_001])
      .releases('b', [2_010, 2_011])
    expect(check(tale)).toEqual([])
  })
})
