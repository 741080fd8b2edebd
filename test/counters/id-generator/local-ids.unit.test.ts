import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { LocalIds, type TakenIds } from '../../../src/counters/id-generator/local-ids.js'

/** A request for ids that the test answers. */
interface Asked extends PromiseWithResolvers<TakenIds | undefined> {
  readonly wanted: number
}

/** Ids of one client, and the requests that were made for them. */
function given(blockSize: bigint) {
  const closing = new AbortController()
  const ids = new LocalIds(closing.signal)
  const asked: Asked[] = []
  let first = 1n
  const take = (wanted: number) => {
    const request = { wanted, ...Promise.withResolvers<TakenIds | undefined>() }
    asked.push(request)
    return request.promise
  }
  return {
    asked,
    closing,
    next: async (signal?: AbortSignal) => await ids.next(take, signal),
    /** Replies to the last request with blocks in a row. */
    answer: async (blocks = 1n) => {
      const count = blocks * blockSize
      asked.at(-1)?.resolve({ first, count, blockSize })
      first += count
      await setImmediate()
    },
    /** Has the last request fail. */
    fail: async (error: unknown) => {
      asked.at(-1)?.reject(error)
      await setImmediate()
    },
  }
}

const wantedIn = (asked: readonly Asked[]) => asked.map(({ wanted }) => wanted)

describe('the ids that a client has taken', () => {
  it('are not asked for on behalf of callers that have gone', async () => {
    const { asked, next, answer } = given(1n)
    const ended = new AbortController()
    const counted = next(ended.signal)
    const others = [next(ended.signal), next(ended.signal)]
    const staying = next()
    ended.abort('enough')
    await expect(counted).rejects.toMatchObject({ code: 'ABORTED', cause: 'enough', mayHaveRun: true })
    for (const each of others)
      await expect(each).rejects.toMatchObject({ code: 'ABORTED', mayHaveRun: false })
    await answer() // whose id is used up
    await answer()
    expect(await staying).toBe(2n)
    expect(wantedIn(asked)).toEqual([1, 1])
  })

  it('are handed out in the order of the calls', async () => {
    const { asked, next, answer } = given(3n)
    const calls = [next(), next(), next()]
    await answer()
    expect(await Promise.all(calls)).toEqual([1n, 2n, 3n])
    expect(wantedIn(asked)).toEqual([1])
  })

  it('are asked for by one request at a time, which takes as many as are waited for', async () => {
    const { asked, next, answer } = given(2n)
    const calls = Array.from({ length: 8 }, next)
    expect(wantedIn(asked)).toEqual([1])
    await answer()
    expect(wantedIn(asked)).toEqual([1, 6])
    await answer(3n)
    expect(await Promise.all(calls)).toEqual([1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n])
    expect(asked).toHaveLength(2)
  })

  it.each([
    [1n, []],
    [3n, []],
    [4n, [3]],
    [8n, [6]],
    [10n, [8]],
  ])('are followed by others when a quarter of %d is left', async (blockSize, aheadAfter) => {
    const { asked, next, answer } = given(blockSize)
    const ahead: number[] = []
    const first = next()
    await answer()
    await first
    if (asked.length > 1) ahead.push(1)
    for (let used = 2; used <= blockSize; used += 1) {
      const before = asked.length
      await next()
      if (asked.length > before) ahead.push(used)
    }
    expect(ahead).toEqual(aheadAfter)
    expect(wantedIn(asked)).toEqual([1, ...aheadAfter.map(() => 0)])
  })

  it('go on with those that were taken ahead, and run low again', async () => {
    const { asked, next, answer } = given(4n)
    const first = next()
    await answer()
    expect([await first, await next(), await next()]).toEqual([1n, 2n, 3n])
    await answer()
    expect([await next(), await next(), await next()]).toEqual([4n, 5n, 6n])
    expect(wantedIn(asked)).toEqual([1, 0])
    expect(await next()).toBe(7n)
    expect(wantedIn(asked)).toEqual([1, 0, 0])
  })

  it('serve callers that wait for what was asked for ahead', async () => {
    const { asked, next, answer } = given(4n)
    const calls = [next(), next(), next(), next(), next(), next()]
    await answer()
    expect(wantedIn(asked)).toEqual([1, 2])
    await answer()
    expect(await Promise.all(calls)).toEqual([1n, 2n, 3n, 4n, 5n, 6n])
    expect(await next()).toBe(7n)
    expect(await next()).toBe(8n)
    const late = next()
    expect(wantedIn(asked)).toEqual([1, 2, 0])
    await answer()
    expect(await late).toBe(9n)
  })

  it('are asked for once more when they are needed and were not to be had ahead', async () => {
    const { asked, next, answer, fail } = given(4n)
    const first = next()
    await answer()
    await first
    await next()
    await next()
    await fail(new Error('not now'))
    expect(await next()).toBe(4n)
    expect(wantedIn(asked)).toEqual([1, 0])
    const late = next()
    expect(wantedIn(asked)).toEqual([1, 0, 1])
    await answer()
    expect(await late).toBe(5n)
  })

  it.each([
    ['failed', (request: Asked) => request.reject(new Error('not now'))],
    ['found no generator', (request: Asked) => request.resolve(undefined)],
  ])('are asked for by callers that waited while a request ahead %s', async (_, end) => {
    const { asked, next, answer } = given(4n)
    const first = next()
    await answer()
    await first
    for (let used = 2; used <= 4; used += 1) await next()
    const late = [next(), next()]
    expect(wantedIn(asked)).toEqual([1, 0])
    end(asked.at(-1) as Asked)
    await setImmediate()
    expect(wantedIn(asked)).toEqual([1, 0, 2])
    await answer()
    expect(await Promise.all(late)).toEqual([5n, 6n])
  })

  it('are refused to callers that waited when the failed request began, and not to others', async () => {
    const { asked, next, answer, fail } = given(2n)
    const early = next()
    const late = [next(), next()]
    const failure = new Error('not now')
    const refused = expect(early).rejects.toBe(failure)
    await fail(failure)
    await refused
    expect(wantedIn(asked)).toEqual([1, 2])
    await answer()
    expect(await Promise.all(late)).toEqual([1n, 2n])
  })

  it('are not taken ahead once the client is to end', async () => {
    const { asked, closing, next, answer } = given(4n)
    const first = next()
    await answer()
    closing.abort()
    expect([await first, await next(), await next(), await next()]).toEqual([1n, 2n, 3n, 4n])
    expect(wantedIn(asked)).toEqual([1])
  })

  it('are the largest that 64 bits have', async () => {
    const ids = new LocalIds(new AbortController().signal)
    const end = 2n ** 63n - 1n
    const take = (wanted: number) =>
      Promise.resolve(wanted === 0 ? undefined : { first: end - 4n, count: 4n, blockSize: 4n })
    const all = await Promise.all([1, 2, 3, 4].map(async () => await ids.next(take)))
    expect(all).toEqual([end - 4n, end - 3n, end - 2n, end - 1n])
  })
})
