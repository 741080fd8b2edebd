import { getEventListeners } from 'node:events'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { AutoResetEvent } from '../../../src/util/auto-reset-event.js'

describe('a sleeper', () => {
  let sleeper: AutoResetEvent
  beforeEach(() => {
    vi.useFakeTimers()
    sleeper = new AutoResetEvent()
  })
  afterEach(() => {
    expect(vi.getTimerCount()).toBe(0) // its timer is cleared
    vi.useRealTimers()
  })

  it('wakes by itself when its time is over, and says that it was not woken', async () => {
    const sleep = sleeper.wait(100)
    await vi.advanceTimersByTimeAsync(99)
    expect(await isSettled(sleep)).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(await sleep).toBe(false)
  })

  it('wakes when it is woken, and says so', async () => {
    const sleep = sleeper.wait(100)
    sleeper.set()
    expect(await sleep).toBe(true)
  })

  it('keeps a wake-up that comes while it does not sleep, and one only', async () => {
    sleeper.set()
    sleeper.set()
    expect(sleeper.isSet).toBe(true)
    expect(await sleeper.wait(100)).toBe(true)
    expect(sleeper.isSet).toBe(false)
    const again = sleeper.wait(100)
    await vi.advanceTimersByTimeAsync(100)
    expect(await again).toBe(false)
  })

  it('gives a wake-up away that it has not slept for', () => {
    sleeper.set()
    expect(sleeper.takeSignal()).toBe(true)
    expect(sleeper.takeSignal()).toBe(false)
    expect(sleeper.isSet).toBe(false)
  })

  it('sleeps as long as it takes without an end, and on no timer', async () => {
    const sleep = sleeper.wait(Infinity)
    expect(vi.getTimerCount()).toBe(0)
    await vi.advanceTimersByTimeAsync(10 ** 12)
    expect(await isSettled(sleep)).toBe(false)
    sleeper.set()
    expect(await sleep).toBe(true)
  })

  it('sleeps longer than a timer of Node can, without waking at once', async () => {
    const sleep = sleeper.wait(2 ** 31 + 1_000)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(await isSettled(sleep)).toBe(false)
    sleeper.set()
    await sleep
  })

  it.each([0, -5])('looks up at once after %d ms', async (ms) => {
    const sleep = sleeper.wait(ms)
    await vi.advanceTimersByTimeAsync(1)
    expect(await sleep).toBe(false)
  })

  it('rises with the reason of a signal that aborts, and lets go of the signal', async () => {
    const abort = new AbortController()
    const sleep = sleeper.wait(100, abort.signal)
    expect(getEventListeners(abort.signal, 'abort')).toHaveLength(1)
    abort.abort(new Error('enough'))
    await expect(sleep).rejects.toThrow('enough')
    expect(getEventListeners(abort.signal, 'abort')).toHaveLength(0)
  })

  it('does not lie down when the signal has aborted already', async () => {
    await expect(sleeper.wait(Infinity, AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough')
  })

  it('keeps a wake-up for later that came together with the abort', async () => {
    const abort = new AbortController()
    const sleep = sleeper.wait(100, abort.signal)
    sleeper.set()
    abort.abort(new Error('enough'))
    await expect(sleep).rejects.toThrow('enough')
    expect(sleeper.takeSignal()).toBe(true)
  })

  it('is dismissed from this sleep and every later one', async () => {
    const sleep = sleeper.wait(Infinity)
    sleeper.fail(new Error('closed'))
    await expect(sleep).rejects.toThrow('closed')
    await expect(sleeper.wait(Infinity)).rejects.toThrow('closed')
  })

  it('lets go of the signal after every sleep', async () => {
    const { signal } = new AbortController()
    for (let round = 0; round < 5; round += 1) {
      const sleep = sleeper.wait(100, signal)
      expect(getEventListeners(signal, 'abort')).toHaveLength(1)
      sleeper.set()
      await sleep
      expect(getEventListeners(signal, 'abort')).toHaveLength(0)
    }
  })
})

async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  const no = Symbol('not settled')
  return (await Promise.race([promise, Promise.resolve(no)])) !== no
}
