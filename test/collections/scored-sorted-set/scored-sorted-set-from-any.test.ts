import { describe, expect, it, vi } from 'vitest'
import type { RScoredSortedSet } from '../../../src/index.js'
import { askOwner, ownerOf } from '../../support/ask-owner.js'
import { twoClients } from '../../support/clients.js'
import { eventually } from '../../support/eventually.js'
import { noLeaks } from '../../support/no-leaks.js'
import { slottedTopologies } from '../../support/topologies.js'

/** Longer than a test may take, so that a waiter wakes by a change of a key. */
vi.mock('../../../src/waiting/recheck.js', () => ({ RECHECK_MS: 600_000 }))

/** More than any test takes. */
const LONG_MS = 60_000

describe.each(slottedTopologies)('polling any of several scored sorted sets ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)
  let tags = 0

  /** Three sets in one slot, and the names of the last two. */
  const three = () => {
    const tag = `{any-${topology.kind}-${String(tags++)}}`
    const [first, second, third] = ['first', 'second', 'third'].map((each) =>
      clients.mine.getScoredSortedSet<string>(`${tag}:${each}`),
    ) as [RScoredSortedSet<string>, RScoredSortedSet<string>, RScoredSortedSet<string>]
    return { first, second, third, others: [second.name, third.name] }
  }

  /** How many keys there are of whose next change a server tells some client. */
  const trackedBeside = async (name: string) => {
    const info = String(await (await ownerOf(topology, name)).command('INFO', 'stats'))
    return Number(/tracking_total_keys:(\d+)/.exec(info)?.[1])
  }

  /** Begins something that waits at three keys that are new, and resolves once it does. */
  const begun = async <T>(name: string, begin: () => T): Promise<{ readonly result: T }> => {
    const before = await trackedBeside(name)
    const result = begin()
    await eventually(async () => {
      expect(await trackedBeside(name)).toBe(before + 3)
    })
    return { result }
  }

  it('removes from the first that has a value', async () => {
    const { first, second, third, others } = three()
    expect(await first.pollFirstFromAny(others)).toBeUndefined()
    await third.addAll({ a: 1, b: 2, c: 3 })
    await second.addAll({ d: 4, e: 5 })
    expect(await first.pollFirstFromAny(others)).toBe('d')
    expect(await first.pollLastFromAny(others)).toBe('e')
    expect(await first.pollLastFromAny(others)).toBe('c')
    await first.add(9, 'own')
    expect(await first.pollFirstFromAny(others)).toBe('own')
    expect(await first.pollFirstFromAny(others)).toBe('a')
    expect(await first.pollFirstFromAny([])).toBeUndefined()
    expect(await third.pollFirstFromAny([third.name, first.name])).toBe('b')
    expect(await third.isExists()).toBe(false)
  })

  it('removes several of one set, and says of which', async () => {
    const { first, second, third, others } = three()
    await second.addAll({ a: 1, b: 2, c: 3 })
    await third.addAll({ d: 4 })
    expect(await first.pollFirstFromAny(others, 0)).toEqual([])
    expect(await first.pollFirstFromAny(others, 1)).toEqual(['a'])
    expect(await first.pollLastFromAny(others, 5)).toEqual(['b', 'c'])
    expect(await first.pollFirstEntriesFromAny(others, 5)).toEqual(new Map([[third.name, [['d', 4]]]]))
    await first.addAll({ x: 1, y: 2 })
    expect(await first.pollLastEntriesFromAny(others, 5)).toEqual(
      new Map([
        [
          first.name,
          [
            ['x', 1],
            ['y', 2],
          ],
        ],
      ]),
    )
    expect(await first.pollLastEntriesFromAny(others, 5)).toEqual(new Map())
  })

  it.each([0, 1, 2])('waits until one of them has a value, such as that at %d', async (place) => {
    const { first, second, third, others } = three()
    const poll = () => first.pollFirstFromAny([...others, ...others], { waitMs: LONG_MS })
    const { result } = await begun(first.name, poll)
    await askOwner(topology, [first, second, third][place]?.name as string, 'ZADD', '1', '"a"')
    expect(await result).toBe('a')
  })

  it('waits for the first value, and not for more', async () => {
    const { first, third, others } = three()
    const poll = () => first.pollLastEntriesFromAny(others, 2, { waitMs: LONG_MS })
    const { result } = await begun(first.name, poll)
    await third.add(1, 'a')
    expect(await result).toEqual(new Map([[third.name, [['a', 1]]]]))
  })

  it('gives each value to one of many that wait at different sets', async () => {
    const { first, second, third, others } = three()
    const { result } = await begun(first.name, () =>
      Array.from({ length: 10 }, () => [
        first.pollFirstFromAny(others, { waitMs: LONG_MS }),
        third.pollLastFromAny([second.name], { waitMs: LONG_MS }),
        second.takeFirst(),
      ]).flat(),
    )
    const values = result.map((_, n) => String(n))
    await second.addAll(values.map((value, n) => [value, n] as const))
    expect((await Promise.all(result)).toSorted()).toEqual(values.toSorted())
    expect(await second.isExists()).toBe(false)
  })

  it('ends after its time, with nothing', async () => {
    const { first, others } = three()
    expect(await first.pollFirstFromAny(others, { waitMs: 300 })).toBeUndefined()
    expect(await first.pollLastFromAny(others, 3, { waitMs: 300 })).toEqual([])
    expect(await first.pollFirstEntriesFromAny(others, 3, { waitMs: 300 })).toEqual(new Map())
  })

  it('ends with its signal, and removes nothing after that', async () => {
    const { first, second, others } = three()
    const abort = new AbortController()
    const poll = () => first.pollFirstFromAny(others, { waitMs: LONG_MS, signal: abort.signal })
    const { result } = await begun(first.name, poll)
    abort.abort(new Error('enough'))
    await expect(result).rejects.toThrow('enough')
    await second.add(1, 'a')
    expect(await second.readAll()).toEqual(['a'])
    await second.delete()
  })

  it('rejects where a name belongs to another kind of object', async () => {
    const { first, second, others } = three()
    await askOwner(topology, second.name, 'SET', 'text')
    await expect(first.pollFirstFromAny(others)).rejects.toMatchObject({ code: 'WRONG_TYPE' })
    await askOwner(topology, second.name, 'DEL')
  })

  it('is for batches where it does not wait', async () => {
    const { first, third, others } = three()
    await third.addAll({ a: 1, b: 2 })
    expect(
      await clients.mine.batch((batch) => [batch.getScoredSortedSet(first.name).pollFirstFromAny(others)]),
    ).toEqual(['a'])
    const waits = clients.mine.batch((batch) => [
      batch.getScoredSortedSet(first.name).pollFirstFromAny(others, { waitMs: 1 }),
    ])
    await expect(waits).rejects.toMatchObject({ code: 'NOT_IN_BATCH' })
    expect(await third.readAll()).toEqual(['b'])
    await third.delete()
  })

  it('refuses what are no names and no options, and sends nothing', async () => {
    const { first, third, others } = three()
    await third.add(1, 'a')
    for (const names of ['abc', 5, null, undefined, {}, [5], ['']] as never[]) {
      await expect(first.pollFirstFromAny(names)).rejects.toThrow(TypeError)
      await expect(first.pollLastEntriesFromAny(names, 1)).rejects.toThrow(TypeError)
    }
    await expect(first.pollFirstFromAny(others, 5_001)).rejects.toThrow(RangeError)
    await expect(first.pollFirstFromAny(others, { waitMS: 5 } as object)).rejects.toThrow(TypeError)
    if (topology.kind === 'cluster')
      await expect(first.pollFirstFromAny(['{elsewhere}:set'])).rejects.toMatchObject({ code: 'CROSS_SLOT' })
    expect(await third.readAll()).toEqual(['a'])
    await third.delete()
  })
})
