import { describe, expect, it } from 'vitest'
import type { Entry } from '../../../../chaos/history.js'
import { checkLooks } from '../../../../chaos/random-use/check/looks.js'
import { checkTroubles } from '../../../../chaos/random-use/check/troubles.js'
import { Tale } from '../check/tale.js'
import { conditions, entriesOf, whatOf } from './conditions.js'

describe('claims', () => {
  const held = entriesOf(new Tale().acquires('p1.0/1', 'h1', [1, 2]).step('h1', 9))
  const look = (claimed: number, found: number): Entry => ({
    type: 'look',
    at: 5,
    hold: 'h1',
    claimed,
    found,
  })

  it('are true if Redis knows as many holds', () => {
    expect(checkLooks([...held, look(1, 1), look(2, 2)], conditions())).toEqual([])
  })

  it('are false if Redis knows fewer', () => {
    expect(whatOf(checkLooks([...held, look(2, 1)], conditions()))).toEqual([
      'claim: lock: p1.0/1 claims 2, Redis has 1',
    ])
  })

  it('may be false where locks are forced open', () => {
    expect(checkLooks([...held, look(1, 0)], conditions({ forced: new Set(['lock']) }))).toEqual([])
  })
})

describe('troubles', () => {
  it('are what processes tell, and nothing else', () => {
    const trouble: Entry = { type: 'trouble', at: 3, where: 'p1', what: 'unhandledRejection: Error' }
    const visit = entriesOf(new Tale().visits('p1.0/1', 'h1', [2, 5]))
    expect(checkTroubles(visit)).toEqual([])
    expect(whatOf(checkTroubles([...visit, trouble]))).toEqual(['trouble: p1: unhandledRejection: Error'])
  })
})
