import { describe, expect, it } from 'vitest'
import { ConnectionLostError, SubscriptionTimeoutError } from '../../../src/errors/connection-errors.js'
import { LockLostError, LockNotHeldError } from '../../../src/errors/lock-errors.js'
import { isRedissonError, type RedissonErrorCode } from '../../../src/errors/redisson-error.js'
import { PermitLostError } from '../../../src/errors/synchronizer-errors.js'

describe('the error of a lease that has ended', () => {
  it.each([
    [10, 'its lease of 10 ms ended; leaseMs is in milliseconds'],
    [5_000, 'its lease of 5000 ms ended'],
  ])('of %d ms names its length, and hints at the unit if that is short', (leaseMs, words) => {
    const lock = new LockLostError({ lock: 'a', owner: 'me:1', reason: 'expired', leaseMs })
    const permit = new PermitLostError({ semaphore: 's', id: 'p', reason: 'expired', leaseMs })
    expect(lock.message).toBe(`Owner me:1 lost lock a: ${words}`)
    expect(permit.message).toBe(`Permit p of semaphore s was lost: ${words}`)
    expect([lock.leaseMs, permit.leaseMs]).toEqual([leaseMs, leaseMs])
  })

  it('says that a renewal was missed where the watchdog was to renew it', () => {
    const error = new LockLostError({ lock: 'a', owner: 'me:1', reason: 'expired' })
    expect(error.message).toBe('Owner me:1 lost lock a: its lease ended before Redis confirmed a renewal')
    expect(error.leaseMs).toBeUndefined()
  })
})

describe('the time that an error names', () => {
  it('has no more digits than the clock means', () => {
    const facts = { request: 'get of a', attempts: 1, elapsedMs: 0.0737200000003213, mayHaveRun: false }
    expect(new ConnectionLostError('gone', facts).elapsedMs).toBe(0.1)
    expect(new ConnectionLostError('gone').elapsedMs).toBeUndefined()
    expect(new SubscriptionTimeoutError('c', 1234.5678).elapsedMs).toBe(1234.6)
  })
})

describe('the error of a lock that the caller does not hold', () => {
  const mine = { owner: 'me:2', remainingMs: 1_500 }
  const messageOf = (facts: Partial<ConstructorParameters<typeof LockNotHeldError>[0]>) =>
    new LockNotHeldError({ lock: 'a', clientId: 'me', hint: 'Do this.', ...facts }).message

  it('says whether the holder is this client, and whether the lock may not have been awaited', () => {
    expect(messageOf({ holder: mine })).toBe(
      'The caller does not hold lock a. It is held by me:2 (this client) for another 1500 ms; was lock() awaited? Do this.',
    )
    expect(messageOf({ holder: mine, owner: 'me:1' })).toBe(
      'Owner me:1 does not hold lock a. It is held by me:2 (this client) for another 1500 ms. Do this.',
    )
    expect(messageOf({ holder: { owner: 'meow:2', remainingMs: 5 } })).toContain(
      'It is held by meow:2 for another 5 ms.',
    )
  })

  it('says what else is known of the holder', () => {
    expect(messageOf({ holder: { owner: 'you:1', remainingMs: -1 } })).toContain(
      'It is held by you:1 without an end.',
    )
    expect(messageOf({})).toContain('It is not locked.')
    expect(messageOf({ holder: 'unknown' })).toContain('Its holder is not known.')
    expect(
      new LockNotHeldError({ lock: 'a', clientId: 'me', hint: '', holder: 'unknown' }).holder,
    ).toBeUndefined()
  })

  it('is reported as JSON by its name, its code, and what it knows of the lock, and by nothing else', () => {
    const facts = { lock: 'a', owner: 'me:1', clientId: 'me', hint: 'Do this.', holder: mine }
    const error = new LockNotHeldError(facts)
    expect(JSON.parse(JSON.stringify(error))).toEqual({
      name: 'LockNotHeldError',
      code: 'NOT_HELD',
      lock: 'a',
      owner: 'me:1',
      holder: mine,
    })
  })
})

describe('a question whether an error is of this library', () => {
  const error = new LockLostError({ lock: 'a', owner: 'me:1', reason: 'expired' })

  it('knows the codes', () => {
    expect(isRedissonError(error, 'LOCK_LOST')).toBe(true)
    expect(isRedissonError(error, 'PERMIT_LOST')).toBe(false)
    expect(isRedissonError(error)).toBe(true)
  })

  it.each([
    ['LockLostError', /^Expected `code` to be one of CLOSED, .*, LOCK_LOST, .*, got 'LockLostError'$/],
    ['ECONNREFUSED', "got 'ECONNREFUSED'"],
    [0, 'got a value of type number'],
  ])('is refused with the code %s that no error has', (code, words) => {
    for (const asked of [error, new Error('of another')])
      expect(() => isRedissonError(asked, code as RedissonErrorCode)).toThrow(words)
  })
})
