import { describe, expect, it } from 'vitest'
import { STOPS_CLIENTS } from '../../../../chaos/check/faults.js'
import type { RunEntry } from '../../../../chaos/history.js'
import { kindsOf, Tale } from './tale.js'

const twoWrites = (run: Partial<RunEntry> = {}) =>
  new Tale(run)
    .acquires('a/0', 'h1', [1, 2], { token: 1 })
    .step('h1', 3, 'added', 'x')
    .releases('h1', [4, 5])
    .acquires('b/0', 'h2', [6, 7], { token: 2 })
    .step('h2', 8, 'added', 'y')
    .releases('h2', [9, 10])

describe('what was added', () => {
  it('is right if it is all there', () => {
    const { violations, measured } = twoWrites().resource(['y', 'x'], 20).verdict
    expect([...violations, ...measured]).toEqual([])
  })

  it('may not be missing', () => {
    const { violations } = twoWrites().resource(['y'], 20).verdict
    expect(violations).toEqual([
      expect.objectContaining({
        kind: 'lost-update',
        expected: 'x to be in lock, as a/0 added it',
        fromMs: 3,
      }),
    ])
  })

  it.each([...STOPS_CLIENTS, 'failover', 'server-kill'])(
    'is measured if it is missing and there was a fault like %s, at any time',
    (kind) => {
      const { violations, measured } = twoWrites({ topology: 'sentinel' })
        .fault(`${kind} for a while`, 11, 12)
        .resource(['y'], 20).verdict
      expect(violations).toEqual([])
      expect(kindsOf(measured)).toEqual(['lost-update'])
    },
  )

  it('may be written after the last read', () => {
    const { violations } = twoWrites().resource(['x'], 8).verdict
    expect(violations).toEqual([])
  })

  it('may not be missing because of a kill of the only server', () => {
    const { violations } = twoWrites().fault('server-kill', 1, 2).resource(['y'], 20).verdict
    expect(kindsOf(violations)).toEqual(['lost-update'])
  })

  it('may not be missing because of a fault that stops no process', () => {
    const { violations } = twoWrites().fault('tcp-cut', 1, 2).resource(['y'], 20).verdict
    expect(kindsOf(violations)).toEqual(['lost-update'])
  })

  it('may never be missing behind a fence', () => {
    const { violations } = twoWrites({ lock: 'fenced', topology: 'sentinel' })
      .fault('client-freeze', 1, 2)
      .fault('failover', 3, 4)
      .resource(['y'], 20).verdict
    expect(kindsOf(violations)).toEqual(['lost-update'])
  })

  it('is measured if it is missing behind a fence whose tokens a failover gave out again', () => {
    const { violations, measured } = twoWrites({ lock: 'fenced', topology: 'sentinel' })
      .fault('failover', 11, 12)
      .visits('c/0', 'h3', [14, 15], 2)
      .resource(['y'], 20).verdict
    expect(violations).toEqual([])
    expect(kindsOf(measured)).toEqual(['token-repeated', 'lost-update'])
  })

  it('may be missing if several were inside by right', () => {
    const { violations, measured } = twoWrites({ lock: 'semaphore', permits: 2 }).resource(['y'], 20).verdict
    expect([...violations, ...measured]).toEqual([])
  })

  it('is unknown without a read, which is reported', () => {
    const { violations, counts } = twoWrites().verdict
    expect(violations).toEqual([])
    expect(counts.unreadResources).toEqual(['lock'])
  })
})

describe('what no client added', () => {
  it('may not be there', () => {
    const { violations } = twoWrites().resource(['x', 'y', 'z'], 20).verdict
    expect(violations).toEqual([expect.objectContaining({ kind: 'unknown-element', got: '1 others: z' })])
  })

  it('may be what a killed holder could not record, once for each hold', () => {
    const killed = () =>
      twoWrites().starts('c').acquires('c/0', 'h3', [11, 12]).step('h3', 13).isKilled('c', 14)
    expect(killed().resource(['x', 'y', 'z'], 20).verdict.violations).toEqual([])
    expect(kindsOf(killed().resource(['x', 'y', 'z', 'u'], 20).verdict.violations)).toEqual([
      'unknown-element',
    ])
  })
})
