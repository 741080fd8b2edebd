import { describe, expect, it } from 'vitest'
import { indexHistory } from '../../../../chaos/check/indexed-history.js'
import { knownSpans } from '../../../../chaos/check/spans.js'
import { Tale } from './tale.js'

const spansOf = (tale: Tale) =>
  knownSpans(indexHistory(tale.entries).holds.values()).map(({ owner, fromMs, toMs }) => ({
    owner,
    fromMs,
    toMs,
  }))

describe('the time for which an owner is known to hold a lock', () => {
  it('goes from the answer until the release is asked for', () => {
    expect(spansOf(new Tale().acquires('a/0', 'h', [1, 2]).step('h', 5).releases('h', [9, 11]))).toEqual([
      { owner: 'a/0', fromMs: 2, toMs: 9 },
    ])
  })

  it('ends with the last step if the release was not found to be of a holder', () => {
    const tale = new Tale()
      .acquires('a/0', 'h', [1, 2])
      .step('h', 5)
      .releases('h', [9, 11], { outcome: 'failed', error: 'NOT_HELD' })
    expect(spansOf(tale)).toEqual([{ owner: 'a/0', fromMs: 2, toMs: 5 }])
  })

  it('ends with the last step if the process was killed', () => {
    const tale = new Tale()
      .starts('a')
      .acquires('a/0', 'h', [1, 2])
      .step('h', 5)
      .step('h', 6)
      .isKilled('a', 8)
    expect(spansOf(tale)).toEqual([{ owner: 'a/0', fromMs: 2, toMs: 6 }])
  })

  it('ends with the last step before the loss, with any later steps', () => {
    const tale = new Tale()
      .acquires('a/0', 'h', [1, 2])
      .step('h', 5, 'added', 'x')
      .step('h', 7, 'lost')
      .step('h', 8)
      .releases('h', [9, 10])
    expect(spansOf(tale)).toEqual([{ owner: 'a/0', fromMs: 2, toMs: 5 }])
  })

  it('counts a write that was fenced off, because the hold had said yes', () => {
    const tale = new Tale({ lock: 'fenced' })
      .acquires('a/0', 'h', [1, 2], { token: 1 })
      .step('h', 4, 'fenced-off')
    expect(spansOf(tale)).toEqual([{ owner: 'a/0', fromMs: 2, toMs: 4 }])
  })

  it('goes until a release that was tried again', () => {
    const tale = new Tale()
      .acquires('a/0', 'h', [1, 2])
      .releases('h', [3, 4], { outcome: 'failed', error: 'CONNECTION_LOST' })
      .releases('h', [6, 7])
    expect(spansOf(tale)).toEqual([{ owner: 'a/0', fromMs: 2, toMs: 6 }])
  })

  it.each([
    ['it was never checked again', new Tale().acquires('a/0', 'h', [1, 2])],
    ['it was not granted', new Tale().acquires('a/0', 'h', [1, 2], { outcome: 'refused' })],
    ['it was never answered', new Tale().acquires('a/0', 'h', [1])],
    ['it was lost at once', new Tale().acquires('a/0', 'h', [1, 2]).step('h', 3, 'lost')],
  ])('is nothing if %s', (_, tale) => {
    expect(spansOf(tale)).toEqual([])
  })
})
