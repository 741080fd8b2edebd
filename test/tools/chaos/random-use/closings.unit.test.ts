import { describe, expect, it } from 'vitest'
import type { ClosingEntry, Entry } from '../../../../chaos/history.js'
import { checkClosings } from '../../../../chaos/random-use/check/closings.js'
import { Tale } from '../check/tale.js'
import { conditions, entriesOf, whatOf } from './conditions.js'

const REJECTED = { outcome: 'failed', error: 'CLOSED' } as const

function closing(phase: ClosingEntry['phase'], at: number, some: Partial<ClosingEntry> = {}): Entry {
  return { type: 'closing', at, process: 'p1.0', phase, drainMs: 20, release: true, ...some }
}

function check(tale: Tale, from = closing('begin', 100), to = closing('end', 150)): string[] {
  return whatOf(checkClosings([...entriesOf(tale), from, to], conditions({ closing: true })))
}

describe('a shutdown', () => {
  it('rejects those who wait and those who come, at once', () => {
    const tale = new Tale()
      .acquires('p1.0/1', 'h1', [50, 101], REJECTED)
      .acquires('p1.0/2', 'h2', [120, 121], REJECTED)
    expect(check(tale)).toEqual([])
  })

  it('may not let any caller wait', () => {
    expect(check(new Tale().acquires('p1.0/1', 'h1', [50, 2_200], REJECTED))).toEqual([
      'closing: lock: p1.0 asked before its shutdown began, and was answered "CLOSED" after 2100 ms',
    ])
    expect(check(new Tale().acquires('p1.0/1', 'h1', [50]))).toEqual([
      'closing: lock: p1.0 asked before its shutdown began, and was never answered',
    ])
  })

  it('grants nothing any more', () => {
    expect(check(new Tale().acquires('p1.0/1', 'h1', [50, 102]))).toEqual([])
    expect(check(new Tale().acquires('p1.0/1', 'h1', [120, 130]))).toEqual([
      'closing: lock: p1.0 asked after its shutdown began, and was answered "ok" after 10 ms',
    ])
  })

  it('is the matter of one client', () => {
    expect(
      check(new Tale().acquires('p2.0/1', 'h1', [50, 9_000]).acquires('p1.1/1', 'h2', [60, 130])),
    ).toEqual([])
  })

  it('takes no longer than its drain and a while', () => {
    expect(check(new Tale(), closing('begin', 100), closing('end', 7_200))).toEqual([
      'closing: p1.0: shutdown() took 7100 ms with a drain of 20 ms',
    ])
    expect(check(new Tale(), closing('begin', 100, { drainMs: 200 }), closing('end', 7_200))).toEqual([])
  })

  it('hands on what it gives back', () => {
    const waiting = (untilMs: number) => new Tale().acquires('p2.0/1', 'h1', [50, untilMs])
    expect(check(waiting(1_000))).toEqual([])
    expect(check(waiting(6_000))).toEqual([
      'closing: lock: no caller got it in 5000 ms after p1.0 was shut down, and 1 waited',
    ])
    expect(check(waiting(6_000), closing('begin', 100, { release: false }))).toEqual([])
  })
})
