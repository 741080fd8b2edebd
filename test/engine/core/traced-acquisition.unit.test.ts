import { describe, expect, it } from 'vitest'
import type { AcquireTrace } from '../../../src/api/diagnostics.js'
import { followed, traced, type Traceable } from '../../../src/core/holds/traced-acquisition.js'
import { LockTimeoutError } from '../../../src/errors/lock-errors.js'
import { ChannelEvents } from '../../support/channel-events.js'

const ASKED: Traceable = { signal: undefined }

describe('a trace of an acquisition', () => {
  it('is not made without a subscriber: the request and the promise stay the same objects', () => {
    const acquiring = Promise.resolve(true)
    expect(traced(ASKED, 'lock', 'orders')).toBe(ASKED)
    expect(followed(ASKED, acquiring)).toBe(acquiring)
  })

  it('has one object for all of its events, of which the first end counts', async () => {
    using events = new ChannelEvents<AcquireTrace>('ioredisson:acquire')
    const request = traced(ASKED, 'lock', 'orders')
    await followed(request, Promise.resolve(true))
    await expect(followed(request, Promise.reject(new Error('late')))).rejects.toThrow('late')
    expect(events.names).toEqual(['start', 'end', 'asyncStart', 'asyncEnd'])
    expect(events.last).toMatchObject({ outcome: 'acquired' })
  })

  it.each([
    ['true', Promise.resolve(true), 'acquired'],
    ['an id', Promise.resolve('id'), 'acquired'],
    ['false', Promise.resolve(false), 'refused'],
    ['nothing', Promise.resolve(undefined), 'refused'],
  ])('ends with %s as its caller does', async (_, acquiring: Promise<unknown>, outcome) => {
    using events = new ChannelEvents<AcquireTrace>('ioredisson:acquire')
    const request = traced(ASKED, 'permit', 'places')
    expect(await followed(request, acquiring)).toBe(await acquiring)
    expect(events.last).toMatchObject({ kind: 'permit', name: 'places', outcome })
  })

  it('tells a time that has passed, a signal and an error apart, and throws each as it is', async () => {
    using events = new ChannelEvents<AcquireTrace>('ioredisson:acquire')
    const reason = new Error('given up by hunter2')
    const signal = AbortSignal.abort(reason)
    const outcomeOf = async (error: Error) => {
      const acquiring = followed(traced({ signal }, 'lock', 'orders'), Promise.reject(error))
      await expect(acquiring).rejects.toBe(error)
      return events.last
    }
    expect(await outcomeOf(new LockTimeoutError('orders', 5))).not.toHaveProperty('error')
    expect(events.last?.outcome).toBe('refused')
    expect(await outcomeOf(reason)).not.toHaveProperty('error')
    expect(events.last?.outcome).toBe('aborted')
    expect((await outcomeOf(new Error('of hunter2')))?.error).toMatchObject({
      name: 'Error',
      message: 'The acquisition has failed',
    })
    expect(events.last?.outcome).toBe('failed')
    expect(events.names.filter((name) => name === 'error')).toHaveLength(1)
  })

  it('counts no request after its end', async () => {
    using events = new ChannelEvents<AcquireTrace>('ioredisson:acquire')
    const request = traced(ASKED, 'red-lock', 'a,b,c')
    request.trace?.attempt()
    await followed(request, Promise.resolve(true))
    request.trace?.attempt()
    await followed(request, Promise.resolve(true))
    expect(events.last).toMatchObject({ attempts: 1 })
  })
})
