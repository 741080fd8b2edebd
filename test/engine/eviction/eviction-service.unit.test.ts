import { AsyncLocalStorage } from 'node:async_hooks'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ConnectionLostError } from '../../../src/errors/connection-errors.js'
import { EvictionService, type EvictionTask } from '../../../src/eviction/eviction-service.js'
import { collectGarbage } from '../../support/collect-garbage.js'

const FIRST_MS = 5_000

describe('the eviction service', () => {
  let service: EvictionService
  let closing: AbortController
  const emitWarning = vi.spyOn(process, 'emitWarning')

  beforeEach(() => {
    vi.useFakeTimers()
    emitWarning.mockReset()
    closing = new AbortController()
    service = new EvictionService(closing.signal)
  })
  afterEach(() => {
    closing.abort()
    vi.useRealTimers()
  })

  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
  const finding = (count?: number) => vi.fn<EvictionTask>(() => Promise.resolve(count))

  /** A task that resolves or rejects when the test says so. */
  const pending = () => {
    const { promise, resolve, reject } = Promise.withResolvers<number | undefined>()
    return { task: vi.fn<EvictionTask>(() => promise), resolve, reject }
  }

  describe('cleans an object', () => {
    it('for the first time after five seconds, and again and again', async () => {
      const task = finding(1)
      service.hold('a', task)
      await pass(FIRST_MS - 1)
      expect(task).not.toHaveBeenCalled()
      await pass(1)
      expect(task).toHaveBeenCalledTimes(1)
      await pass(3 * FIRST_MS)
      expect(task).toHaveBeenCalledTimes(4)
    })

    it('after longer and longer delays where nothing expires, which each run gets', async () => {
      const task = finding(0)
      service.hold('a', task)
      await pass((5 + 5 + 5 + 7 + 10) * 1_000)
      expect(task.mock.calls.map(([, run]) => run)).toEqual([
        { limit: 100, delaySeconds: 5 },
        { limit: 100, delaySeconds: 5 },
        { limit: 100, delaySeconds: 5 },
        { limit: 100, delaySeconds: 7 },
        { limit: 100, delaySeconds: 10 },
      ])
    })

    it('with the same delay while another client does it, which is no run that found nothing', async () => {
      const counts = [0, 0, undefined, undefined, 0, 0]
      const task = vi.fn<EvictionTask>(() => Promise.resolve(counts.shift()))
      service.hold('a', task)
      await pass(5 * FIRST_MS)
      expect(task).toHaveBeenCalledTimes(5)
      await pass(7_000 - 1)
      expect(task).toHaveBeenCalledTimes(5)
      await pass(1)
      expect(task).toHaveBeenCalledTimes(6)
    })

    it('not twice at the same time, however long a run takes; the delay begins when it ends', async () => {
      const { task, resolve } = pending()
      service.hold('a', task)
      await pass(10 * FIRST_MS)
      expect(task).toHaveBeenCalledTimes(1)
      resolve(1)
      await pass(FIRST_MS - 1)
      expect(task).toHaveBeenCalledTimes(1)
      await pass(1)
      expect(task).toHaveBeenCalledTimes(2)
    })

    it('once, however many hold it, by the first task, until the last one releases it', async () => {
      const [task, other] = [finding(1), finding(1)]
      const releases = [service.hold('a', task), service.hold('a', other), service.hold('a', other)]
      releases[0]?.()
      releases[0]?.() // once more, which is no other holder's release
      releases[1]?.()
      await pass(FIRST_MS)
      expect(task).toHaveBeenCalledTimes(1)
      releases[2]?.()
      await pass(10 * FIRST_MS)
      expect(task).toHaveBeenCalledTimes(1)
      expect(other).not.toHaveBeenCalled()
      expect(service.size).toBe(0)
    })

    it('independently of another whose run does not end', async () => {
      const [{ task: stuck }, task] = [pending(), finding(1)]
      service.hold('a', stuck)
      service.hold('b', task)
      await pass(3 * FIRST_MS)
      expect(stuck).toHaveBeenCalledTimes(1)
      expect(task).toHaveBeenCalledTimes(3)
    })
  })

  describe('after the last release', () => {
    it('aborts a run, and arms nothing when that ends', async () => {
      const { task, resolve } = pending()
      const release = service.hold('a', task)
      await pass(FIRST_MS)
      const signal = task.mock.calls[0]?.[0]
      expect(signal?.aborted).toBe(false)
      release()
      expect(signal?.aborted).toBe(true)
      resolve(1)
      await pass(0)
      expect(vi.getTimerCount()).toBe(0)
      await pass(FIRST_MS)
      expect(task).toHaveBeenCalledTimes(1)
    })

    it('begins anew for a later holder, after any result of the run before', async () => {
      const [{ task, reject }, later] = [pending(), finding(1)]
      service.hold('a', task)()
      const release = service.hold('a', task)
      await pass(FIRST_MS)
      release()
      service.hold('a', later)
      reject(new Error('planted'))
      await pass(FIRST_MS - 1)
      release() // of one that has ended
      expect(later).not.toHaveBeenCalled()
      await pass(1)
      expect(later).toHaveBeenCalledTimes(1)
      expect(emitWarning).not.toHaveBeenCalled()
    })

    it('leaves no timer once that of the object has rung', async () => {
      service.hold('a', finding())()
      expect(vi.getTimerCount()).toBeLessThanOrEqual(1)
      await pass(FIRST_MS)
      expect(vi.getTimerCount()).toBe(0)
    })
  })

  describe('a run that fails', () => {
    it('is followed by another after the same delay, and forgets no other run', async () => {
      const steps: (() => Promise<number>)[] = [
        () => Promise.resolve(0),
        () => Promise.reject(new Error('planted')),
        () => {
          throw new Error('planted')
        },
        () => Promise.resolve(0),
        () => Promise.resolve(0),
      ]
      const task = vi.fn<EvictionTask>(() => (steps.shift() ?? (() => Promise.resolve(0)))())
      emitWarning.mockImplementation(() => undefined)
      service.hold('fails', task)
      await pass(5 * FIRST_MS)
      expect(task).toHaveBeenCalledTimes(5)
      await pass(7_000)
      expect(task).toHaveBeenCalledTimes(6)
    })

    it('is reported once, without the arguments that a server repeats', async () => {
      emitWarning.mockImplementation(() => undefined)
      const words = "ERR unknown command 'evalsha', with args beginning with: 'secret'"
      service.hold('reports', () => Promise.reject(new Error(words)))
      await pass(3 * FIRST_MS)
      expect(emitWarning.mock.calls).toEqual([
        [
          "Expired entries of reports cannot be removed: ERR unknown command 'evalsha'",
          { code: 'REDISSON_EVICTION_FAILED' },
        ],
      ])
    })

    it('is not reported where that passes by itself', async () => {
      service.hold('passes', () => Promise.reject(new ConnectionLostError('planted')))
      await pass(3 * FIRST_MS)
      expect(emitWarning).not.toHaveBeenCalled()
    })
  })

  describe('the end of the client', () => {
    it('aborts what is under way, and leaves no timer', async () => {
      const { task, resolve } = pending()
      const release = service.hold('a', task)
      service.hold('b', finding(1))
      await pass(FIRST_MS)
      closing.abort()
      expect(task.mock.calls[0]?.[0].aborted).toBe(true)
      expect(vi.getTimerCount()).toBe(0)
      resolve(1)
      release()
      await pass(10 * FIRST_MS)
      expect(task).toHaveBeenCalledTimes(1)
      expect(service.size).toBe(0)
    })

    it('leaves out objects that come later', async () => {
      closing.abort()
      const task = finding(1)
      const release = service.hold('a', task)
      await pass(10 * FIRST_MS)
      release()
      expect(task).not.toHaveBeenCalled()
      expect(vi.getTimerCount()).toBe(0)
    })
  })

  it('runs tasks outside of what the program was doing when the object was made', async () => {
    vi.useRealTimers() // those of Node have a context, and fake ones none
    const soon = new EvictionService(closing.signal, { minSeconds: 0.01, maxSeconds: 0.01, limit: 100 })
    const request = new AsyncLocalStorage<string>()
    const { promise: seen, resolve } = Promise.withResolvers<string | undefined>()
    const task: EvictionTask = () => {
      resolve(request.getStore())
      return Promise.resolve(1)
    }
    request.run('a request', () => soon.hold('a', task))
    expect(await seen).toBe(undefined)
  })

  it('has at most a hundred runs under way, and goes on as soon as one of them ends', async () => {
    const underWay: ((count: number) => void)[] = []
    const task = vi.fn<EvictionTask>(() => new Promise((resolve) => underWay.push(resolve)))
    for (let index = 0; index < 250; index += 1) service.hold(String(index), task)
    await pass(FIRST_MS)
    expect(task).toHaveBeenCalledTimes(100)
    await pass(FIRST_MS - 1)
    expect(task).toHaveBeenCalledTimes(100)
    for (const resolve of underWay.splice(0, 30)) resolve(1)
    await pass(0)
    expect(task).toHaveBeenCalledTimes(130)
    while (underWay.length > 0) {
      for (const resolve of underWay.splice(0)) resolve(1)
      await pass(0)
    }
    expect(task).toHaveBeenCalledTimes(250)
  })

  it('goes on as well when a run ends of an object that nothing holds any more', async () => {
    const { task: stuck, resolve } = pending()
    const releases = Array.from({ length: 100 }, (_, index) => service.hold(String(index), stuck))
    const task = finding(1)
    await pass(1)
    service.hold('last', task)
    await pass(FIRST_MS)
    expect(task).not.toHaveBeenCalled()
    for (const release of releases) release()
    resolve(1)
    await pass(0)
    expect(task).toHaveBeenCalledTimes(1)
  })

  it('does not keep a process alive', () => {
    vi.useRealTimers()
    const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length
    const before = timers()
    service.hold('a', finding(1))
    expect(timers()).toBe(before)
  })

  it('keeps one timer and no memory for 100 000 objects that come and go', { tags: ['timed'] }, () => {
    const churn = (count: number): void => {
      for (let index = 0; index < count; index += 1) service.hold(`object ${String(index)}`, findingOne)()
    }
    churn(1_000)
    const setTimer = vi.spyOn(globalThis, 'setTimeout')
    const before = heapUsed()
    churn(100_000)
    expect(setTimer).not.toHaveBeenCalled()
    setTimer.mockRestore()
    expect(heapUsed() - before).toBeLessThan(1_000_000)
    expect(service.size).toBe(0)
    expect(vi.getTimerCount()).toBeLessThanOrEqual(1)
  })

  it('keeps one timer for 100 000 objects at once, and gives their memory back', { tags: ['timed'] }, () => {
    const before = heapUsed()
    const releases = Array.from({ length: 100_000 }, (_, index) =>
      service.hold(`object ${String(index)}`, findingOne),
    )
    expect(vi.getTimerCount()).toBe(1)
    for (const release of releases.splice(0)) release()
    expect(service.size).toBe(0)
    expect(heapUsed() - before).toBeLessThan(1_000_000)
  })
})

function findingOne(): Promise<number> {
  return Promise.resolve(1)
}

function heapUsed(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed
}
