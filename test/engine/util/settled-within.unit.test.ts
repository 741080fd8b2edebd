import { describe, expect, it } from 'vitest'
import { settledWithin } from '../../../src/util/time/settled-within.js'

describe('what became of several promises', () => {
  const never = new Promise<number>(() => undefined)
  const error = new Error('no')

  it('is returned in order when all have settled', async () => {
    const later = new Promise<number>((resolve) => setTimeout(resolve, 5, 1))
    expect(await settledWithin([later, Promise.reject(error), Promise.resolve(3)], 3, 0)).toEqual([
      { status: 'fulfilled', value: 1 },
      { status: 'rejected', reason: error },
      { status: 'fulfilled', value: 3 },
    ])
  })

  it('is returned as soon as enough are fulfilled, without a time limit', async () => {
    const results = await settledWithin([Promise.resolve(1), never, Promise.resolve(3)], 2, 0)
    expect(results).toEqual([{ status: 'fulfilled', value: 1 }, undefined, { status: 'fulfilled', value: 3 }])
  })

  it('is returned at the end of the time limit, which begins when enough are fulfilled', async () => {
    const startedAt = performance.now()
    const results = await settledWithin([Promise.resolve(1), never], 1, 30)
    expect(results).toEqual([{ status: 'fulfilled', value: 1 }, undefined])
    expect(performance.now() - startedAt).toBeGreaterThan(25)
  })

  it('is nothing of no promises', async () => {
    expect(await settledWithin([], 1, Infinity)).toEqual([])
  })
})
