import { describe, expect, it, vi } from 'vitest'
import { thorough } from '../../../src/collections/shared/cleaning.js'
import { WrongTypeError } from '../../../src/errors/reply-errors.js'
import type { EvictionTask } from '../../../src/eviction/eviction-service.js'

const FIRST = { limit: 100, delaySeconds: 5 }
const FURTHER = { limit: 500, delaySeconds: 0 }

describe('the cleaning of an object', () => {
  const { signal } = new AbortController()

  it.each<[string, readonly (number | undefined)[], number]>([
    ['is one request where little has ended', [99], 1],
    ['is one request where another client cleans', [undefined], 1],
    ['goes on until a part has removed less than it may', [100, 500, 500, 499], 4],
    ['ends where another client has begun', [100, undefined], 2],
  ])('%s', async (_, counts, requests) => {
    const left = [...counts]
    const task = vi.fn<EvictionTask>(() => Promise.resolve(left.shift()))
    expect(await thorough(task)(signal, FIRST)).toBe(counts[0])
    const further = Array.from({ length: requests - 1 }, () => FURTHER)
    expect(task.mock.calls.map(([, run]) => run)).toEqual([FIRST, ...further])
  })

  it('finds nothing where another object has the name by now', async () => {
    const error = new WrongTypeError('map', { cause: new Error('WRONGTYPE') })
    expect(await thorough(() => Promise.reject(error))(signal, FIRST)).toBe(0)
    const other = new Error('another')
    await expect(thorough(() => Promise.reject(other))(signal, FIRST)).rejects.toBe(other)
  })

  it('ends after 200 parts, or when nothing refers to the object any more', async () => {
    const always = vi.fn<EvictionTask>((_, { limit }) => Promise.resolve(limit))
    await thorough(always)(signal, FIRST)
    expect(always).toHaveBeenCalledTimes(201)
    const ended = vi.fn<EvictionTask>((_, { limit }) => Promise.resolve(limit))
    await thorough(ended)(AbortSignal.abort(), FIRST)
    expect(ended).toHaveBeenCalledTimes(1)
  })
})
