import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { inParallel } from '../../../src/util/in-parallel.js'

/** Work that ends when the test says so, by its item. */
function pendingWork() {
  const begun = new Map<string, PromiseWithResolvers<void>>()
  const work = (item: string) => {
    const done = Promise.withResolvers<void>()
    begun.set(item, done)
    return done.promise
  }
  const end = (item: string) => begun.get(item)?.resolve()
  const fail = (item: string, error: Error) => begun.get(item)?.reject(error)
  return { work, end, fail, begun: () => [...begun.keys()] }
}

/** What has become of a promise by now. */
async function outcomeOf(promise: Promise<unknown>): Promise<string> {
  let outcome = 'pending'
  promise.then(
    () => (outcome = 'resolved'),
    (error: unknown) => (outcome = String(error)),
  )
  await nextTurn()
  return outcome
}

describe('work in parallel', () => {
  it('works on several items at a time, and no more', async () => {
    const { work, end, begun } = pendingWork()
    const all = inParallel(['a', 'b', 'c'], 2, work)
    expect(await outcomeOf(all)).toBe('pending')
    expect(begun()).toEqual(['a', 'b'])
    end('b')
    expect(await outcomeOf(all)).toBe('pending')
    expect(begun()).toEqual(['a', 'b', 'c'])
    end('a')
    end('c')
    expect(await outcomeOf(all)).toBe('resolved')
  })

  it('rejects with the first error when all that has begun has ended, and wants no further item', async () => {
    const { work, end, fail, begun } = pendingWork()
    function* items() {
      yield 'a'
      yield 'b'
      throw new Error('asked for a third item')
    }
    const all = inParallel(items(), 2, work)
    expect(await outcomeOf(all)).toBe('pending')
    fail('a', new Error('first'))
    expect(await outcomeOf(all)).toBe('pending')
    end('b')
    expect(await outcomeOf(all)).toBe('Error: first')
    expect(begun()).toEqual(['a', 'b'])
  })

  it('rejects with the error of the items when all that has begun has ended', async () => {
    const { work, end } = pendingWork()
    function* items() {
      yield 'a'
      yield 'b'
      throw new Error('no more items')
    }
    const all = inParallel(items(), 10, work)
    expect(await outcomeOf(all)).toBe('pending')
    end('a')
    expect(await outcomeOf(all)).toBe('pending')
    end('b')
    expect(await outcomeOf(all)).toBe('Error: no more items')
  })

  it('does not begin with an item that has come after the first error', async () => {
    const { work, fail, begun } = pendingWork()
    const next = Promise.withResolvers<string>()
    async function* items() {
      yield 'a'
      yield await next.promise
    }
    const all = inParallel(items(), 10, work)
    expect(await outcomeOf(all)).toBe('pending')
    fail('a', new Error('first'))
    expect(await outcomeOf(all)).toBe('pending')
    next.resolve('b')
    expect(await outcomeOf(all)).toBe('Error: first')
    expect(begun()).toEqual(['a'])
  })
})
