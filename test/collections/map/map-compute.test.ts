import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { bytesCodec, type ComputeFunction, type RMap } from '../../../src/index.js'
import { twoClients } from '../../support/clients.js'
import { Monitor } from '../../support/monitor.js'
import { noLeaks } from '../../support/no-leaks.js'
import { slottedTopologies } from '../../support/topologies.js'

/** What a program remembers of its requests for a while. */

const EACH = 25

describe.each(slottedTopologies)('a value of a map that is computed ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)
  let names = 0

  const withMap = async (use: (map: RMap<string, unknown>, name: string) => Promise<void>, mark = '') => {
    const name = `compute-${topology.kind}-${String(names++)}${mark}`
    const map = clients.mine.getMap(name)
    try {
      await use(map, name)
    } finally {
      await map.delete()
    }
  }

  it('is set to what the function returns, and removed for undefined', async () => {
    await withMap(async (map) => {
      expect(await map.compute('a', (key, value) => [key, value === undefined])).toEqual(['a', true])
      expect(await map.get('a')).toEqual(['a', true])
      expect(await map.compute('a', (_, value) => Promise.resolve([value, 1]))).toEqual([['a', true], 1])
      expect(await map.compute('a', () => null)).toBeNull()
      expect(await map.containsKey('a')).toBe(true)
      expect(await map.compute('a', () => undefined)).toBeUndefined()
      expect(await map.containsKey('a')).toBe(false)
      expect(await map.compute('a', () => undefined)).toBeUndefined()
      expect(await map.isExists()).toBe(false)
    })
  })

  it('is computed where there is none, or where there is one', async () => {
    await withMap(async (map) => {
      expect(await map.computeIfPresent('a', () => 1)).toBeUndefined()
      expect(await map.computeIfAbsent('a', () => undefined)).toBeUndefined()
      expect(await map.isExists()).toBe(false)
      expect(await map.computeIfAbsent('a', (key) => Promise.resolve(`for ${key}`))).toBe('for a')
      expect(await map.computeIfAbsent('a', () => Promise.reject(new Error('not called')))).toBe('for a')
      expect(await map.computeIfPresent('a', (key, value) => [key, value])).toEqual(['a', 'for a'])
      expect(await map.get('a')).toEqual(['a', 'for a'])
      expect(await map.computeIfPresent('a', () => undefined)).toBeUndefined()
      expect(await map.containsKey('a')).toBe(false)
      await map.put('none', null)
      expect(await map.computeIfAbsent('none', () => 1)).toBeNull()
      expect(await map.computeIfPresent('none', (_, value) => [value])).toEqual([null])
    })
  })

  it('is merged with another', async () => {
    await withMap(async (map) => {
      const sum = (one: unknown, two: unknown) => Number(one) + Number(two)
      expect(await map.merge('a', 5, sum)).toBe(5)
      expect(await map.merge('a', 2, sum)).toBe(7)
      expect(await map.get('a')).toBe(7)
      expect(await map.merge('a', 2, () => Promise.resolve(undefined))).toBeUndefined()
      expect(await map.isExists()).toBe(false)
    })
  })

  it.each(['{tag}', 'ключ', 'a{b}c'])('has a lock of its own in a map whose name has %s', async (mark) => {
    await withMap(async (map) => {
      expect(await map.compute('', (_, value = 0) => Number(value) + 1)).toBe(1)
      expect(await map.compute('é😀', () => mark)).toBe(mark)
    }, mark)
  })

  it.each([
    ['compute', (map: RMap<string, number>) => map.compute('n', async (_, value = 0) => later(value + 1))],
    ['merge', (map: RMap<string, number>) => map.merge('n', 1, async (before, one) => later(before + one))],
  ] as const)('counts by %s of many clients at once, and by other means', async (_, count) => {
    await withMap(async (__, name) => {
      const maps = [clients.mine, clients.other, clients.mine].map((client) =>
        client.getMap<string, number>(name),
      )
      let called = 0
      const adding = async (map: RMap<string, number>) => {
        for (let n = 0; n < EACH; n += 1) {
          await map.addAndGet('n', 1)
          called += 1
          await sleep(1)
        }
      }
      await Promise.all([
        ...maps.flatMap((map) => Array.from({ length: EACH }, () => count(map))),
        adding(clients.other.getMap<string, number>(name)),
      ])
      expect(await clients.mine.getMap<string, number>(name).get('n')).toBe(EACH * 3 + called)
    })
  })

  it('is computed once by all who find none at the same time', async () => {
    await withMap(async (map, name) => {
      let called = 0
      const load = async () => later(`loaded ${String((called += 1))}`)
      const other = clients.other.getMap(name)
      const found = await Promise.all(
        Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? map : other).computeIfAbsent('k', load)),
      )
      expect(new Set(found)).toEqual(new Set(['loaded 1']))
      expect(called).toBe(1)
    })
  })

  it('is computed once more from what another program has put meanwhile', async () => {
    await withMap(async (map, name) => {
      const seen: unknown[] = []
      const computed = await map.compute('k', async (_, value) => {
        seen.push(value)
        if (seen.length === 1) await clients.other.getMap(name).put('k', 'put')
        if (seen.length === 2) await clients.other.getMap(name).remove('k')
        return seen.length
      })
      expect(seen).toEqual([undefined, 'put', undefined])
      expect(computed).toBe(3)
      expect(await map.get('k')).toBe(3)
    })
  })

  it('is not overwritten by who has lost the lock', async () => {
    await withMap(async (map, name) => {
      const other = clients.other.getMap(name)
      const seen: unknown[] = []
      const computed = await map.compute('k', async (_, value = 0) => {
        seen.push(value)
        if (seen.length === 1) {
          await clients.other.getMap(name).getLock('k').forceUnlock()
          await other.compute('k', () => 10)
        }
        return Number(value) + 1
      })
      expect(seen).toEqual([0, 10])
      expect(computed).toBe(11)
      expect(await map.get('k')).toBe(11)
    })
  })

  it('stays as it is if the function throws, rejects or returns what cannot be written', async () => {
    await withMap(async (map) => {
      await map.put('k', 1)
      const failing: readonly ComputeFunction<string, unknown>[] = [
        () => {
          throw new Error('no')
        },
        () => Promise.reject(new Error('no')),
      ]
      for (const fn of failing) {
        await expect(map.compute('k', fn)).rejects.toThrow('no')
        await expect(map.computeIfPresent('k', fn)).rejects.toThrow('no')
        await expect(map.computeIfAbsent('none', (key, context) => fn(key, 1, context))).rejects.toThrow('no')
        await expect(map.merge('k', 1, (before) => fn('k', before, undefined as never))).rejects.toThrow('no')
      }
      await expect(map.compute('k', () => NaN)).rejects.toMatchObject({ code: 'CODEC', key: 'k' })
      expect(await map.readAllMap()).toEqual(new Map([['k', 1]]))
      expect(await map.getLock('k').isLocked()).toBe(false)
    })
  })

  it('may be computed while values of other keys are, and while its lock is held', async () => {
    await withMap(async (map) => {
      const computed = await map.compute('a', async () => map.compute('b', () => 'inner'))
      expect(computed).toBe('inner')
      await map.getLock('a').withLock(async () => {
        expect(await map.compute('a', (_, value) => [value])).toEqual(['inner'])
      })
      expect(await map.readAllMap()).toEqual(
        new Map<string, unknown>([
          ['a', ['inner']],
          ['b', 'inner'],
        ]),
      )
    })
  })

  it('is not computed by the function that computes it', async () => {
    await withMap(async (map, name) => {
      const nested = { code: 'NESTED_COMPUTE', object: name, mayHaveRun: false }
      const again = clients.mine.getMap(name)
      await expect(map.compute('a', () => again.compute('a', () => 1))).rejects.toMatchObject(nested)
      const deep = map.compute('a', () => map.compute('b', () => map.merge('a', 1, () => 2)))
      await expect(deep).rejects.toMatchObject(nested)
      expect(await map.isExists()).toBe(false)
      // What the function leaves running may do so when that has ended.
      const ended = Promise.withResolvers<undefined>()
      let left: Promise<unknown> | undefined
      await map.compute('a', () => {
        left = ended.promise.then(() => map.compute('a', (_, value) => [value]))
        return 1
      })
      ended.resolve(undefined)
      expect(await left).toEqual([1])
    })
  })

  it('is given up after a hundred times if the function itself changes it', async () => {
    await withMap(async (map, name) => {
      let called = 0
      const computed = map.compute('k', async () => {
        await map.put('k', (called += 1))
        return 'never'
      })
      await expect(computed).rejects.toMatchObject({ code: 'ENTRY_CONTENDED', object: name, attempts: 100 })
      expect(await map.get('k')).toBe(called)
    })
  })

  it('is waited for until a signal aborts, or the time is over', async () => {
    await withMap(async (map) => {
      const busy = Promise.withResolvers<number>()
      const entered = Promise.withResolvers<AbortSignal>()
      const first = map.compute('k', (_, __, { signal }) => {
        entered.resolve(signal)
        return busy.promise
      })
      expect((await entered.promise).aborted).toBe(false)
      await expect(map.compute('k', () => 2, { waitMs: 300 })).rejects.toMatchObject({ code: 'LOCK_TIMEOUT' })
      const abort = new AbortController()
      const waiting = map.computeIfAbsent('k', () => 3, { signal: abort.signal })
      await sleep(20)
      abort.abort(new Error('enough'))
      await expect(waiting).rejects.toThrow('enough')
      busy.resolve(1)
      expect(await first).toBe(1)
      expect(await map.get('k')).toBe(1)
    })
  })

  it('tells its function when the caller gives up', async () => {
    await withMap(async (map) => {
      const abort = new AbortController()
      const computed = map.compute(
        'k',
        async (_, __, { signal }) => {
          abort.abort(new Error('enough'))
          signal.throwIfAborted()
          return later(1)
        },
        { signal: abort.signal },
      )
      await expect(computed).rejects.toThrow('enough')
      expect(await map.isExists()).toBe(false)
      await expect(map.compute('k', () => 1, { signal: AbortSignal.abort() })).rejects.toThrow('abort')
    })
  })

  it('may be written into by its function, where it is bytes', async () => {
    await withMap(async (_, name) => {
      const map = clients.mine.getMap<string, Uint8Array>(name, { codec: bytesCodec() })
      await map.put('k', Buffer.of(1, 2))
      const computed = await map.compute('k', (__, bytes = Buffer.alloc(2)) => {
        bytes[0] = 9
        return bytes
      })
      expect(Buffer.from(computed ?? [])).toEqual(Buffer.of(9, 2))
      expect(Buffer.from((await map.get('k')) ?? [])).toEqual(Buffer.of(9, 2))
    })
  })

  it('is refused with bad arguments, and nothing is sent', async () => {
    await withMap(async (map) => {
      const none = undefined as never
      for (const call of [
        () => map.compute(none, () => 1),
        () => map.compute('k', none),
        () => map.compute('k', () => 1, { leaseMs: 5 } as never),
        () => map.compute('k', () => 1, 5 as never),
        () => map.computeIfAbsent('k', 1 as never),
        () => map.computeIfPresent('k', null as never),
        () => map.merge('k', undefined, () => 1),
        () => map.merge('k', 1, none),
        () => (map.compute as (...args: unknown[]) => Promise<unknown>)('k', () => 1, {}, 5),
      ])
        await expect(call()).rejects.toThrow(TypeError)
      expect(await map.isExists()).toBe(false)
    })
  })

  it.each([
    { waitMs: '1' },
    { waitMs: NaN },
    { waitMs: null },
    { signal: '5' },
    { signal: null },
    { signal: {} },
  ])('is refused with %o, also where there is nothing to compute, and nothing is sent', async (wrong) => {
    await withMap(async (map, name) => {
      await map.put('there', 1)
      await using monitor = await Monitor.of(topology.nodes)
      const fn = vi.fn(() => 2)
      for (const key of ['there', 'none'])
        for (const call of [
          () => map.compute(key, fn, wrong as never),
          () => map.computeIfAbsent(key, fn, wrong as never),
          () => map.computeIfPresent(key, fn, wrong as never),
          () => map.merge(key, 1, fn, wrong as never),
        ])
          await expect(call()).rejects.toThrow(/^Expected `(waitMs|signal)` to be an? /)
      expect(fn).not.toHaveBeenCalled()
      expect(await monitor.deedsOn(name)).toEqual([])
    })
  })
})

/** A value that takes a while. */
async function later<T>(value: T): Promise<T> {
  await sleep(1)
  return value
}
