import { describe, expect, it } from 'vitest'
import {
  ClientClosedError,
  LockLostError,
  MarkLostError,
  NestedComputeError,
  PermitLostError,
  type RedissonError,
} from '../../../src/index.js'
import { afterEffect } from '../../../src/errors/after-effect.js'

const shared: readonly RedissonError[] = [
  new ClientClosedError(),
  new LockLostError({ lock: 'lock', owner: 'client:1', reason: 'expired', leaseMs: 200 }),
  new PermitLostError({ semaphore: 'semaphore', id: 'permit', reason: 'expired', leaseMs: 200 }),
  new PermitLostError({ semaphore: 'semaphore', id: 'permit', reason: 'not-held' }),
  new MarkLostError({ once: 'once', fire: 'fire', reason: 'not-held' }),
  new MarkLostError({ once: 'once', fire: undefined, reason: 'expired', lifeMs: 200 }),
]

describe('an error after an effect', () => {
  it.each(shared)('is another one with the same facts where others may have it: $name', (error) => {
    const after = afterEffect(error) as RedissonError
    expect(after).not.toBe(error)
    expect(after).toBeInstanceOf(error.constructor)
    expect(after.message).toBe(error.message)
    expect(Object.entries(after)).toEqual(Object.entries(error))
    expect([after.mayHaveRun, error.mayHaveRun]).toEqual([true, false])
  })

  it('is the same one where it is of one call', () => {
    const error = new NestedComputeError('map')
    expect(afterEffect(error)).toBe(error)
    expect(error.mayHaveRun).toBe(true)
  })

  it('is what a program has thrown, as it was', () => {
    const error = Object.freeze(new Error('of the program'))
    expect(afterEffect(error)).toBe(error)
    expect(afterEffect('text')).toBe('text')
  })
})
