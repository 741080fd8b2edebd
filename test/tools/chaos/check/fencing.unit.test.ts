import { describe, expect, it } from 'vitest'
import type { RunEntry } from '../../../../chaos/history.js'
import { kindsOf, Tale } from './tale.js'

const fenced = (run: Partial<RunEntry> = {}) => new Tale({ lock: 'fenced', ...run })

describe('tokens', () => {
  it('may grow with each change of hands, with gaps', () => {
    const { violations } = fenced().visits('a/0', 'h1', [2, 5], 1).visits('b/0', 'h2', [6, 8], 4).verdict
    expect(violations).toEqual([])
  })

  it('may come in any order to those who asked at once', () => {
    const { violations } = fenced()
      .acquires('a/0', 'h1', [1, 9], { token: 1 })
      .acquires('b/0', 'h2', [2, 4], { token: 2 }).verdict
    expect(violations).toEqual([])
  })

  it('may not be smaller than one that was out when they were asked for', () => {
    const { violations } = fenced()
      .visits('a/0', 'h1', [2, 5], 7)
      .visits('b/0', 'h2', [7, 8], 9)
      .visits('a/0', 'h3', [11, 12], 8).verdict
    expect(violations).toEqual([
      expect.objectContaining({
        kind: 'token-out-of-order',
        expected: 'a token larger than 9, which h2 of b/0 got before',
        got: '8 for h3 of a/0',
      }),
    ])
  })

  it('may not come twice', () => {
    const { violations } = fenced().visits('a/0', 'h1', [2, 5], 1).visits('b/0', 'h2', [7, 8], 1).verdict
    expect(violations).toEqual([
      expect.objectContaining({ kind: 'token-repeated', got: '1 for h1 of a/0 and for h2 of b/0' }),
    ])
  })

  it('are counted for each name', () => {
    const { violations } = fenced()
      .acquires('a/0', 'h1', [1, 2], { token: 1, name: 'one' })
      .acquires('b/0', 'h2', [3, 4], { token: 1, name: 'other' }).verdict
    expect(violations).toEqual([])
  })

  it.each([0, -1, 1.5, undefined])('may not be %s', (token) => {
    const { violations } = fenced().acquires(
      'a/0',
      'h1',
      [1, 2],
      token === undefined ? {} : { token },
    ).verdict
    expect(kindsOf(violations)).toEqual(['token-invalid'])
  })

  it.each([
    ['stay', 3, []],
    ['may not change', 4, ['token-changed']],
  ])('%s when the holder enters again', (_, token, kinds) => {
    const { violations } = fenced()
      .acquires('a/0', 'h1', [1, 2], { token: 3 })
      .acquires('a/0', 'h2', [4, 5], { token, within: 'h1' })
      .releases('h2', [6, 7])
      .releases('h1', [8, 9]).verdict
    expect(kindsOf(violations)).toEqual(kinds)
  })

  it('may change when the holder enters again after a loss that it had not noticed', () => {
    const { violations } = fenced()
      .acquires('a/0', 'h1', [1, 2], { token: 3 })
      .step('h1', 3)
      .acquires('a/0', 'h2', [4, 5], { token: 4, within: 'h1' })
      .step('h1', 6, 'lost').verdict
    expect(violations).toEqual([])
  })

  it('that are given out again by a failover are measured, unless all replicas had confirmed them', () => {
    const again = (run: Partial<RunEntry>) =>
      fenced({ topology: 'sentinel', ...run })
        .visits('a/0', 'h1', [2, 5], 2)
        .fault('failover', 6, 9)
        .visits('b/0', 'h2', [11, 12], 2)
        .visits('b/0', 'h3', [14, 15], 1).verdict
    expect(kindsOf(again({ syncedReplicas: 0 }).measured)).toEqual(['token-repeated', 'token-out-of-order'])
    expect(again({ syncedReplicas: 0 }).violations).toEqual([])
    expect(kindsOf(again({ syncedReplicas: 2 }).violations)).toEqual(['token-repeated', 'token-out-of-order'])
  })

  it('are not looked at for locks that have none', () => {
    expect(new Tale().visits('a/0', 'h1', [2, 5]).verdict.violations).toEqual([])
  })
})
