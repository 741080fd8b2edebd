import { describe, expect, it } from 'vitest'
import { kindsOf, Tale } from './tale.js'

describe('a lock for one', () => {
  it.each(['rlock', 'non-reentrant', 'fair', 'redlock'] as const)('may change hands: %s', (lock) => {
    const { violations, measured, counts } = new Tale({ lock })
      .visits('a/0', 'h1', [2, 5])
      .visits('b/0', 'h2', [5, 9])
      .visits('a/0', 'h3', [11, 12]).verdict
    expect([...violations, ...measured]).toEqual([])
    expect(counts.mostAtOnce).toBe(1)
  })

  it.each(['rlock', 'non-reentrant', 'fair', 'redlock'] as const)('may not have two holders: %s', (lock) => {
    const { violations, counts } = new Tale({ lock })
      .visits('a/0', 'h1', [2, 6])
      .visits('b/0', 'h2', [5, 9]).verdict
    expect(violations).toEqual([
      expect.objectContaining({
        kind: 'too-many-holders',
        expected: 'one holder at a time of lock',
        got: '2 for 1.0 ms: a/0, b/0',
        fromMs: 5,
        toMs: 6,
      }),
    ])
    expect(counts.mostAtOnce).toBe(2)
  })

  it('may not have two flows of one process inside', () => {
    const { violations } = new Tale().visits('a/0', 'h1', [2, 6]).visits('a/1', 'h2', [5, 9]).verdict
    expect(kindsOf(violations)).toEqual(['too-many-holders'])
  })

  it('may have as many holders as it has names', () => {
    const tale = new Tale()
      .acquires('a/0', 'h1', [1, 2], { name: 'one' })
      .step('h1', 9)
      .acquires('b/0', 'h2', [1, 2], { name: 'other' })
      .step('h2', 9)
    expect(tale.verdict.violations).toEqual([])
  })

  it('may be entered again by its holder', () => {
    const { violations } = new Tale()
      .acquires('a/0', 'h1', [1, 2])
      .acquires('a/0', 'h2', [3, 4], { within: 'h1' })
      .step('h2', 5)
      .releases('h2', [6, 7])
      .step('h1', 8)
      .releases('h1', [9, 10])
      .visits('b/0', 'h3', [11, 12]).verdict
    expect(violations).toEqual([])
  })

  it('may not go to another owner while an inner hold is left', () => {
    const { violations } = new Tale()
      .acquires('a/0', 'h1', [1, 2])
      .acquires('a/0', 'h2', [3, 4], { within: 'h1' })
      .step('h2', 10)
      .visits('b/0', 'h3', [6, 8]).verdict
    expect(kindsOf(violations)).toEqual(['too-many-holders'])
  })

  it('may go to the next when its holder is dead or has noticed the loss', () => {
    const { violations } = new Tale()
      .starts('a')
      .acquires('a/0', 'h1', [1, 2])
      .step('h1', 3)
      .isKilled('a', 4)
      .acquires('b/0', 'h2', [1, 5])
      .step('h2', 6)
      .step('h2', 9, 'lost')
      .releases('h2', [10, 11], { outcome: 'failed', error: 'NOT_HELD' })
      .visits('c/0', 'h3', [7, 12]).verdict
    expect(violations).toEqual([])
  })

  it('is found once for each hold that had company, with all who were inside', () => {
    const { violations } = new Tale()
      .visits('a/0', 'h1', [2, 20])
      .visits('b/0', 'h2', [4, 8])
      .visits('c/0', 'h3', [6, 10])
      .visits('d/0', 'h4', [15, 16])
      .visits('b/0', 'h5', [30, 40])
      .visits('c/0', 'h6', [38, 50]).verdict
    expect(violations.map(({ fromMs, toMs, got }) => ({ fromMs, toMs, got }))).toEqual([
      { fromMs: 4, toMs: 16, got: '3 for 7.0 ms: a/0, b/0, c/0, d/0' },
      { fromMs: 38, toMs: 40, got: '2 for 2.0 ms: b/0, c/0' },
    ])
  })

  it('is shown with the holds of that time and the faults that were going on, and nothing else', () => {
    const { violations } = new Tale()
      .fault('client-stall', 0, 1)
      .fault('tcp-cut', 4, 50)
      .visits('z/0', 'h0', [1, 2])
      .acquires('a/0', 'h1', [3, 4])
      .step('h1', 5)
      .step('h1', 6)
      .step('h1', 12)
      .step('h1', 30)
      .step('h1', 40)
      .visits('b/0', 'h2', [10, 14]).verdict
    const [violation] = violations
    expect(
      violation?.window.map((entry) => ('at' in entry ? `${entry.type} ${String(entry.at)}` : '')),
    ).toEqual([
      'begin 3',
      'end 4',
      'fault 4',
      'step 6',
      'begin 9',
      'end 10',
      'step 12',
      'step 12',
      'begin 14',
      'end 15',
      'step 30',
      'fault 50',
    ])
  })
})

describe('a read-write lock', () => {
  const visit = (tale: Tale, owner: string, hold: string, side: 'read' | 'write', from: number, to: number) =>
    tale.acquires(owner, hold, [from - 1, from], { side }).step(hold, to)

  it('may have many readers', () => {
    const tale = new Tale({ lock: 'rw' })
    for (const [index, owner] of ['a/0', 'a/1', 'b/0'].entries())
      visit(tale, owner, `h${String(index)}`, 'read', 2, 9)
    expect(tale.verdict.violations).toEqual([])
    expect(tale.verdict.counts.mostAtOnce).toBe(3)
  })

  it('may not have a writer beside a reader', () => {
    const tale = new Tale({ lock: 'rw' })
    visit(tale, 'a/0', 'h1', 'read', 2, 9)
    visit(tale, 'b/0', 'h2', 'write', 8, 12)
    expect(kindsOf(tale.verdict.violations)).toEqual(['too-many-holders'])
  })

  it('may not have two writers', () => {
    const tale = new Tale({ lock: 'rw' })
    visit(tale, 'a/0', 'h1', 'write', 2, 9)
    visit(tale, 'b/0', 'h2', 'write', 8, 12)
    expect(kindsOf(tale.verdict.violations)).toEqual(['too-many-holders'])
  })

  it('may be read by its writer, and by others once only that reading is left', () => {
    const tale = new Tale({ lock: 'rw' })
      .acquires('a/0', 'h1', [1, 2])
      .acquires('a/0', 'h2', [3, 4], { side: 'read', within: 'h1' })
      .releases('h1', [6, 7])
      .step('h2', 20)
    visit(tale, 'b/0', 'h3', 'read', 8, 12)
    expect(tale.verdict.violations).toEqual([])
  })
})

describe('a semaphore', () => {
  const three = () =>
    new Tale({ lock: 'semaphore', permits: 3 }).visits('a/0', 'h1', [2, 9]).visits('a/0', 'h2', [3, 9])

  it('may have as many inside as it has permits', () => {
    const { violations, counts } = three().visits('b/0', 'h3', [4, 9]).visits('c/0', 'h4', [9, 12]).verdict
    expect(violations).toEqual([])
    expect(counts.mostAtOnce).toBe(3)
  })

  it('may not have one more', () => {
    const { violations } = three().visits('b/0', 'h3', [4, 9]).visits('c/0', 'h4', [8, 12]).verdict
    expect(violations).toEqual([
      expect.objectContaining({ kind: 'too-many-holders', got: '4 for 1.0 ms: a/0, b/0, c/0' }),
    ])
  })
})

describe('two holders where masters fail', () => {
  const two = (tale: Tale) => tale.visits('a/0', 'h1', [12, 16]).visits('b/0', 'h2', [15, 19]).verdict

  it.each([
    ['sentinel', 0],
    ['sentinel', 1],
    ['cluster', 0],
  ] as const)('are measured after a failover: %s with %d synced replicas', (topology, syncedReplicas) => {
    const { violations, measured } = two(new Tale({ topology, syncedReplicas }).fault('failover', 3, 5))
    expect(violations).toEqual([])
    expect(kindsOf(measured)).toEqual(['too-many-holders'])
  })

  it.each([
    [
      'all replicas had confirmed the lock',
      new Tale({ topology: 'sentinel', syncedReplicas: 2 }).fault('failover', 3, 5),
    ],
    ['the only replica had', new Tale({ topology: 'cluster', syncedReplicas: 1 }).fault('master-kill', 3, 5)],
    ['nothing of that kind had happened', new Tale({ topology: 'sentinel' }).fault('tcp-cut', 3, 5)],
    ['it only happened later', new Tale({ topology: 'cluster' }).fault('server-kill', 15.5, 17)],
    ['there is one server', new Tale({ topology: 'single' }).fault('server-kill', 3, 5)],
    ['a majority decides', new Tale({ lock: 'redlock', topology: 'redlock5' }).fault('server-kill', 3, 5)],
  ])('break a promise if %s', (_, tale) => {
    const { violations, measured } = two(tale)
    expect(kindsOf(violations)).toEqual(['too-many-holders'])
    expect(measured).toEqual([])
  })

  it('are measured even then if it takes a renewal, which no replica had confirmed', () => {
    const { violations, measured } = new Tale({ topology: 'cluster', syncedReplicas: 1, leaseMs: 2_000 })
      .fault('master-kill', 100, 900)
      .visits('a/0', 'h1', [12, 1_800])
      .visits('b/0', 'h2', [1_700, 1_900]).verdict
    expect(violations).toEqual([])
    expect(kindsOf(measured)).toEqual(['too-many-holders'])
  })
})
