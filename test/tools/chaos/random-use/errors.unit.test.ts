import { describe, expect, it } from 'vitest'
import type { Entry } from '../../../../chaos/history.js'
import { checkErrors } from '../../../../chaos/random-use/check/errors.js'
import { Tale } from '../check/tale.js'
import { conditions, entriesOf, whatOf } from './conditions.js'

function failing(error: string): readonly Entry[] {
  return entriesOf(new Tale().acquires('p1.0/1', 'h1', [1, 2], { outcome: 'failed', error }))
}

describe('errors', () => {
  it.each(['GaveUp', 'LOCK_TIMEOUT', 'LOCK_LOST:expired', 'REPLY_TIMEOUT:waiting'])(
    'are expected: %s',
    (error) => {
      expect(checkErrors(failing(error), conditions())).toEqual([])
    },
  )

  it.each([
    'LOCK_LOST:not-held',
    'NOT_HELD while held',
    'TypeError',
    'UNEXPECTED_REPLY',
    'CONNECTION_LOST',
    'REPLY_TIMEOUT',
  ])('are not: %s', (error) => {
    expect(whatOf(checkErrors(failing(error), conditions()))).toEqual([
      `error: acquire of lock: ${error} (1 times)`,
    ])
  })

  it('of networks are expected where the network fails', () => {
    expect(checkErrors(failing('CONNECTION_LOST'), conditions({ faulty: true }))).toEqual([])
    expect(checkErrors(failing('LOCK_LOST:not-held'), conditions({ faulty: true }))).toHaveLength(1)
  })

  it('of losses are expected where locks are forced open', () => {
    expect(checkErrors(failing('LOCK_LOST:not-held'), conditions({ forced: new Set(['lock']) }))).toEqual([])
  })

  it('of several members are expected if those of all members are', () => {
    const mixed = 'MULTI_UNLOCK(CONNECTION_LOST NOT_HELD:expired)'
    expect(checkErrors(failing(mixed), conditions({ faulty: true }))).toEqual([])
    expect(checkErrors(failing(mixed), conditions())).toHaveLength(1)
  })

  it('of other calls are looked at as well, and counted', () => {
    const rejected = (at: number): Entry => ({
      type: 'rejected',
      at,
      process: 'p1.0',
      what: 'extend',
      error: 'TypeError',
    })
    expect(whatOf(checkErrors([rejected(1), rejected(2)], conditions()))).toEqual([
      'error: extend: TypeError (2 times)',
    ])
  })
})
