import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Claim } from '../../../../src/collections/map/behind/claim.js'

const LEASE_MS = 3_000
const PERIOD_MS = LEASE_MS / 3

describe('a claim', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => {
    vi.restoreAllMocks()
    vi.useRealTimers()
  })

  /** A claim, and the function that extends it, which returns what `kept` does. */
  const make = (kept: () => Promise<boolean>, sentAt = performance.now()) => {
    const extend = vi.fn(kept)
    return { claim: new Claim({ extend, leaseMs: LEASE_MS, sentAt }), extend }
  }

  it('lasts for as long as it is extended', async () => {
    const { claim, extend } = make(() => Promise.resolve(true))
    await vi.advanceTimersByTimeAsync(10 * LEASE_MS)
    expect(claim.signal.aborted).toBe(false)
    expect(extend).toHaveBeenCalledWith(LEASE_MS)
    claim.end()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('is lost as soon as another client has it', async () => {
    const { claim } = make(() => Promise.resolve(false))
    await vi.advanceTimersByTimeAsync(PERIOD_MS)
    expect(claim.signal.aborted).toBe(true)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('is lost by the clock where it cannot be extended', async () => {
    const { claim } = make(() => Promise.reject(new Error('no Redis')))
    await vi.advanceTimersByTimeAsync(LEASE_MS - 100)
    expect(claim.signal.aborted).toBe(false)
    await vi.advanceTimersByTimeAsync(100)
    expect(claim.signal.aborted).toBe(true)
  })

  it('is lost to a process that was suspended for longer, before that asks for more of it', async () => {
    const { claim, extend } = make(() => Promise.resolve(true))
    const aborted = vi.fn()
    claim.signal.addEventListener('abort', aborted)
    vi.spyOn(performance, 'now').mockReturnValue(performance.now() + LEASE_MS)
    await vi.advanceTimersByTimeAsync(PERIOD_MS + 1) // what has arrived is read first
    expect(aborted).toHaveBeenCalledOnce()
    expect(extend).not.toHaveBeenCalled()
  })

  it('shows that at once, whichever timer comes first', () => {
    const { claim } = make(() => Promise.resolve(true))
    expect(claim.signal.aborted).toBe(false)
    vi.spyOn(performance, 'now').mockReturnValue(performance.now() + LEASE_MS)
    expect(claim.signal.aborted).toBe(true)
    expect(() => {
      claim.signal.throwIfAborted()
    }).toThrow('Another client may write the same')
  })

  it('began when it was asked for, not when the reply came', () => {
    expect(make(() => Promise.resolve(true), performance.now() - LEASE_MS).claim.signal.aborted).toBe(true)
  })

  it('that has ended is not lost any more', () => {
    const { claim } = make(() => Promise.resolve(true))
    claim.end()
    vi.advanceTimersByTime(2 * LEASE_MS)
    expect(claim.signal.aborted).toBe(false)
  })
})
