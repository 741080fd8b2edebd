import { describe, expect, it } from 'vitest'
import { isOutage, sameOutage } from '../../../src/core/holds/outage.js'
import {
  ConnectionLostError,
  ReplyTimeoutError,
  ServerNotReadyError,
  SubscriptionTimeoutError,
} from '../../../src/errors/connection-errors.js'
import { ClientClosedError } from '../../../src/errors/client-errors.js'
import { CommandError, ScriptError, WrongTypeError } from '../../../src/errors/reply-errors.js'
import { Deadline } from '../../../src/util/time/deadline.js'

const cause = new Error('why')
const facts = { request: 'lock/acquire of orders', attempts: 3, elapsedMs: 800, cause }
const lost = new ConnectionLostError('It was lost', facts)
const patience = { deadline: Deadline.never }

const outages = [
  lost,
  new ReplyTimeoutError('host:1', 100, facts),
  new ServerNotReadyError('Not ready', facts),
  new SubscriptionTimeoutError('channel', 7500.4, { cause }),
  new SubscriptionTimeoutError('channel', 7500.4),
]

describe('an outage', () => {
  it.each(outages)('is $name', (error) => {
    expect(isOutage(error, patience)).toBe(true)
  })

  it('is no other error', () => {
    expect(isOutage(new TypeError('wrong'), patience)).toBe(false)
    expect(isOutage(new WrongTypeError('orders', { cause }), patience)).toBe(false)
  })

  it('is nothing that one finds whose time is over, because others try for longer', () => {
    expect(isOutage(lost, { deadline: Deadline.after(0) })).toBe(false)
  })

  it('is nothing that one gives as its reason to give up', () => {
    expect(isOutage(lost, { ...patience, signal: AbortSignal.abort(lost) })).toBe(false)
  })

  const refusals = [
    new WrongTypeError('orders', { cause }),
    new ScriptError('semaphore/release', { cause }),
    new ScriptError('semaphore/release', { cause, mayHaveRun: false }),
    new CommandError('get', { cause, mayHaveRun: true }),
    new ClientClosedError(undefined, { mayHaveRun: true }),
  ]

  it.each([...outages, ...refusals])('is the same $name for all waiters, as an error of its own', (error) => {
    const same = sameOutage(error)
    expect(same).toMatchObject({ mayHaveRun: error.mayHaveRun })
    expect(same).not.toBe(error)
    expect(same).toEqual(error)
    expect(same.constructor).toBe(error.constructor)
    expect(same.message).toBe(error.message)
    expect(same.cause).toBe(error.cause)
  })
})
