import { describe, expect, it } from 'vitest'
import { summarize } from '../../../../chaos/report.js'
import { Tale } from '../check/tale.js'

describe('the summary of a run', () => {
  it('says in few lines that all is well', () => {
    const { verdict } = new Tale()
      .fault('tcp-cut', 1, 2)
      .visits('a/0', 'h1', [2, 5])
      .visits('b/0', 'h2', [6, 8])
    expect(summarize(verdict)).toBe(`rlock on single, 0 synced replicas, seed 7: holds
  2 acquisitions, 1 hand-overs, 1 inside at most, longest wait 1 ms
  acquire: 2 ok; release: 2 ok
  errors: none
  faults: 1 tcp-cut`)
  })

  it('shows a violation with its part of the history, and how to run it again', () => {
    const { verdict } = new Tale({ lock: 'fenced', topology: 'sentinel', syncedReplicas: 2 })
      .starts('a')
      .starts('b')
      .fault('planned-failover', 3, 4)
      .acquires('a/0', 'h1', [1, 2], { token: 5 })
      .step('h1', 9, 'added', 'x')
      .acquires('b/1', 'h2', [3.5, 4.25], { token: 6 })
      .step('h2', 10, 'lost')
      .step('h1', 11)
      .releases('h1', [12, 13], { outcome: 'failed', error: 'NOT_HELD' })
      .acquires('b/1', 'h3', [10.5, 10.75], { token: 7, side: 'read' })
      .step('h3', 12)
    expect(summarize(verdict)).toBe(`fenced on sentinel, 2 synced replicas, seed 7: BROKEN
  3 acquisitions, 1 hand-overs, 2 inside at most, longest wait 1 ms
  acquire: 3 ok; release: 1 failed
  errors: 1 NOT_HELD
  faults: 1 planned-failover
  never read: lock
  violations: 1 too-many-holders

VIOLATION too-many-holders, from 10.750 to 11.000 ms: expected one holder at a time of lock, got 2 for 0.3 ms: a/0, b/1
  ms      who  what                       hold
  1.000   a/0  acquire lock               h1
  2.000   a/0  acquire: ok, token 5       h1
  9.000   a/0  added x                    h1
  10.500  b/1  acquire lock for reading   h3
  10.750  b/1  acquire: ok, token 7       h3
  11.000  a/0  holds                      h1
  12.000  a/0  release lock               h1
  12.000  b/1  holds                      h3
  13.000  a/0  release: failed, NOT_HELD  h1

again: npm run chaos -- --topology sentinel --lock fenced --seed 7 --synced-replicas 2 --lease-ms 2000 --clients 2 --minutes 0.1`)
  })

  it('counts what was not promised', () => {
    const { verdict } = new Tale({ topology: 'cluster' })
      .fault('master-kill', 1, 2)
      .visits('a/0', 'h1', [3, 6])
      .visits('b/0', 'h2', [5, 9])
    const text = summarize(verdict)
    expect(text).toContain(': holds\n')
    expect(text).toContain('  not promised, and seen: 1 too-many-holders')
  })

  it('tells five violations, and how many more there are', () => {
    const tale = new Tale()
    for (let index = 0; index < 8; index += 1) tale.releases(`h${String(index)}`, [index, index + 1])
    const text = summarize(tale.verdict)
    expect(text.match(/^VIOLATION released-without-hold/gm)).toHaveLength(5)
    expect(text).toContain('\n… 3 more\n')
  })

  it('leaves out the middle of a long history', () => {
    const tale = new Tale().acquires('a/0', 'h1', [1, 2])
    for (let at = 3; at < 103; at += 1) tale.step('h1', at)
    const lines = summarize(tale.visits('b/0', 'h2', [3, 103]).verdict).split('\n')
    expect(lines.length).toBeLessThan(60)
    expect(lines.some((line) => /^ {2}… +\d+ more$/.test(line))).toBe(true)
  })
})
