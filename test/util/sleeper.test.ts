import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Sleeper } from '../../src/util/sleeper.js'

describe('a sleeper', () => {
  let sleeper: Sleeper
  beforeEach(() => {
    vi.useFakeTimers()
    sleeper = new Sleeper()
  })
  afterEach(() => {
    expect(vi.getTimerCount()).toBe(0) // whatever it sleeps on is cleared
    vi.useRealTimers()
  })

  it('wakes by itself when its time is over, and says that nobody woke it', async () => {
    const sleep = sleeper.sleep(100)
    await vi.advanceTimersByTimeAsync(99)
    expect(await isSettled(sleep)).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(await sleep).toBe(false)
  })

  it('wakes when it is woken, and says so', async () => {
    const sleep = sleeper.sleep(100)
    sleeper.wake()
    expect(await sleep).toBe(true)
  })

  it('keeps a wake-up that comes while it does not sleep, and one only', async () => {
    sleeper.wake()
    sleeper.wake()
    expect(sleeper.woken).toBe(true)
    expect(await sleeper.sleep(100)).toBe(true)
    expect(sleeper.woken).toBe(false)
    const again = sleeper.sleep(100)
    await vi.advanceTimersByTimeAsync(100)
    expect(await again).toBe(false)
  })

  it('gives a wake-up away that it has not slept for', () => {
    sleeper.wake()
    expect(sleeper.takeWakeUp()).toBe(true)
    expect(sleeper.takeWakeUp()).toBe(false)
    expect(sleeper.woken).toBe(false)
  })

  it('sleeps as long as it takes without an end, and on no timer', async () => {
    const sleep = sleeper.sleep(Infinity)
    expect(vi.getTimerCount()).toBe(0)
    await vi.advanceTimersByTimeAsync(10 ** 12)
    expect(await isSettled(sleep)).toBe(false)
    sleeper.wake()
    expect(await sleep).toBe(true)
  })

  it('sleeps longer than a timer of Node can, without waking at once', async () => {
    const sleep = sleeper.sleep(2 ** 31 + 1_000)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(await isSettled(sleep)).toBe(false)
    sleeper.wake()
    await sleep
  })

  it.each([0, -5])('looks up at once after %d ms', async (ms) => {
    const sleep = sleeper.sleep(ms)
    await vi.advanceTimersByTimeAsync(1)
    expect(await sleep).toBe(false)
  })

  it('rises with the reason of a signal that aborts, and lets go of the signal', async () => {
    const abort = new AbortController()
    const removed = vi.spyOn(abort.signal, 'removeEventListener')
    const sleep = sleeper.sleep(100, abort.signal)
    abort.abort(new Error('enough'))
    await expect(sleep).rejects.toThrow('enough')
    expect(removed).toHaveBeenCalledTimes(1)
  })

  it('does not lie down when the signal has aborted already', async () => {
    await expect(sleeper.sleep(Infinity, AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough')
  })

  it('keeps a wake-up for later that came together with the abort', async () => {
    const abort = new AbortController()
    const sleep = sleeper.sleep(100, abort.signal)
    sleeper.wake()
    abort.abort(new Error('enough'))
    await expect(sleep).rejects.toThrow('enough')
    expect(sleeper.takeWakeUp()).toBe(true)
  })

  it('is dismissed from this sleep and every later one', async () => {
    const sleep = sleeper.sleep(Infinity)
    sleeper.dismiss(new Error('closed'))
    await expect(sleep).rejects.toThrow('closed')
    await expect(sleeper.sleep(Infinity)).rejects.toThrow('closed')
  })

  it('lets go of the signal after every sleep', async () => {
    const { signal } = new AbortController()
    const added = vi.spyOn(signal, 'addEventListener')
    const removed = vi.spyOn(signal, 'removeEventListener')
    for (let round = 0; round < 5; round += 1) {
      const sleep = sleeper.sleep(100, signal)
      sleeper.wake()
      await sleep
    }
    expect(removed.mock.calls).toEqual(added.mock.calls)
  })
})

async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  const no = Symbol('not settled')
  return (await Promise.race([promise, Promise.resolve(no)])) !== no
}
