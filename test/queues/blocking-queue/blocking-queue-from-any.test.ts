import { describe, expect, it, vi } from 'vitest'
import type { RBlockingDeque } from '../../../src/index.js'
import { askOwner, mastersAmong } from '../../support/ask-owner.js'
import { twoClients } from '../../support/clients.js'
import { eventually } from '../../support/eventually.js'
import { noLeaks } from '../../support/no-leaks.js'
import { slottedTopologies } from '../../support/topologies.js'

/** Longer than a test may take, so that a waiter wakes by a change of a key. */
vi.mock('../../../src/waiting/recheck.js', () => ({ RECHECK_MS: 600_000 }))

/** More than any test takes. */
const LONG_MS = 60_000

type Three = [RBlockingDeque<string>, RBlockingDeque<string>, RBlockingDeque<string>]

const everyCase = slottedTopologies.flatMap((topology) =>
  (['one slot', 'several slots'] as const).map((where) => ({ topology, kind: topology.kind, where })),
)

describe.each(everyCase)('polling any of several queues ($kind, $where)', ({ topology, where }) => {
  noLeaks(topology)
  const clients = twoClients(topology)
  let tags = 0

  /** Three queues, and the names of the last two. */
  const three = () => {
    const tag = `any-${topology.kind}-${String(tags++)}`
    const [first, second, third] = ['first', 'second', 'third'].map((each) =>
      clients.mine.getBlockingDeque<string>(where === 'one slot' ? `{${tag}}:${each}` : `${tag}:${each}`),
    ) as Three
    return { first, second, third, others: [second.name, third.name] }
  }

  /** How many keys there are of whose next change a server tells some client. */
  const tracked = async () => {
    let keys = 0
    for (const node of await mastersAmong(topology.nodes))
      keys += Number(/tracking_total_keys:(\d+)/.exec(String(await node.command('INFO', 'stats')))?.[1])
    return keys
  }

  /** Begins something that waits at three keys that are new, and resolves once it does. */
  const begun = async <T>(begin: () => T): Promise<{ readonly result: T }> => {
    const before = await tracked()
    const result = begin()
    await eventually(async () => {
      expect(await tracked()).toBe(before + 3)
    })
    return { result }
  }

  it('removes from the first that has an element', async () => {
    const { first, second, third, others } = three()
    expect(await first.pollFromAny(others)).toBeUndefined()
    await third.addAll(['a', 'b', 'c', 'd'])
    await second.addAll(['e', 'f', 'g'])
    expect(await first.pollFromAny(others)).toBe('e')
    expect(await first.pollFirstFromAny(others)).toBe('f')
    expect(await first.pollLastFromAny(others)).toBe('g')
    expect(await first.pollLastFromAny(others)).toBe('d')
    expect(await first.pollLastFromAnyWithName(others)).toEqual([third.name, 'c'])
    await first.add('own')
    expect(await first.pollFromAnyWithName(others)).toEqual([first.name, 'own'])
    expect(await first.pollFromAnyWithName(others, { waitMs: LONG_MS })).toEqual([third.name, 'a'])
    expect(await first.pollFromAny([])).toBeUndefined()
    expect(await third.pollFromAny([third.name, first.name])).toBe('b')
    expect(await first.pollFromAnyWithName(others)).toBeUndefined()
  })

  it('removes several of one queue', async () => {
    const { first, second, third, others } = three()
    await second.addAll(['a', 'b', 'c'])
    await third.add('d')
    expect(await first.pollFirstFromAny(others, 0)).toEqual(new Map())
    expect(await first.pollFirstFromAny(others, 1)).toEqual(new Map([[second.name, ['a']]]))
    expect(await first.pollLastFromAny(others, 5)).toEqual(new Map([[second.name, ['c', 'b']]]))
    expect(await first.pollLastFromAny(others, 5, { waitMs: LONG_MS })).toEqual(
      new Map([[third.name, ['d']]]),
    )
    expect(await first.pollLastFromAny(others, 5, { waitMs: 100 })).toEqual(new Map())
  })

  it.each([0, 1, 2])('waits until one of them has an element, such as that at %d', async (place) => {
    const { first, second, third, others } = three()
    const { result } = await begun(() =>
      first.pollFromAnyWithName([...others, ...others], { waitMs: LONG_MS }),
    )
    const { name } = [first, second, third][place] as RBlockingDeque<string>
    await askOwner(topology, name, 'RPUSH', '"a"')
    expect(await result).toEqual([name, 'a'])
  })

  it('gives each element to one of many that wait at different queues', async () => {
    const { first, second, third, others } = three()
    const { result } = await begun(() =>
      Array.from({ length: 20 }, () => [
        first.pollFromAny(others, { waitMs: LONG_MS }),
        third.pollLastFromAny([second.name], { waitMs: LONG_MS }),
        second.take(),
      ]).flat(),
    )
    const values = result.map((_, n) => String(n))
    for (const value of values) await second.put(value)
    expect((await Promise.all(result)).toSorted()).toEqual(values.toSorted())
    expect(await second.isExists()).toBe(false)
  })

  it('ends after its time, with nothing', async () => {
    const { first, others } = three()
    expect(await first.pollFromAny(others, { waitMs: 300 })).toBeUndefined()
    expect(await first.pollLastFromAny(others, 3, { waitMs: 300 })).toEqual(new Map())
  })

  it('ends with its signal, and removes nothing after that', async () => {
    const { first, second, others } = three()
    const abort = new AbortController()
    const { result } = await begun(() => first.pollFromAny(others, { waitMs: LONG_MS, signal: abort.signal }))
    abort.abort(new Error('enough'))
    await expect(result).rejects.toThrow('enough')
    await second.put('a')
    expect(await second.readAll()).toEqual(['a'])
    await second.delete()
  })

  it('rejects where a name belongs to another kind of object', async () => {
    const { first, second, others } = three()
    await askOwner(topology, second.name, 'SET', 'text')
    await expect(first.pollFromAny(others)).rejects.toMatchObject({ code: 'WRONG_TYPE' })
    await expect(first.pollFromAny(others, { waitMs: LONG_MS })).rejects.toMatchObject({ code: 'WRONG_TYPE' })
    await askOwner(topology, second.name, 'DEL')
  })

  it('is for batches where it is one request', async () => {
    const { first, third, others } = three()
    await third.add('a')
    const polled = clients.mine.batch((batch) => [batch.getBlockingQueue(first.name).pollFromAny(others)])
    if (topology.kind === 'cluster' && where === 'several slots')
      await expect(polled).rejects.toMatchObject({ code: 'NOT_IN_BATCH' })
    else expect(await polled).toEqual(['a'])
    await third.delete()
  })

  it('refuses what are no names, counts and options, and sends nothing', async () => {
    const { first, third, others } = three()
    await third.add('a')
    for (const names of ['abc', 5, null, undefined, {}, [5], ['']] as never[]) {
      await expect(first.pollFromAny(names)).rejects.toThrow(TypeError)
      await expect(first.pollFirstFromAny(names, 1)).rejects.toThrow(TypeError)
    }
    await expect(first.pollFirstFromAny(others, 5_001)).rejects.toThrow(RangeError)
    const many = Array.from({ length: 5_001 }, () => third.name)
    for (const options of [{}, { waitMs: LONG_MS }])
      await expect(first.pollFromAny(many, options)).rejects.toThrow(
        new RangeError('Expected `names` to have at most 5000 items, got 5001'),
      )
    await expect(first.pollFirstFromAny(many, 1)).rejects.toThrow(RangeError)
    await expect(first.pollFromAny(others, { waitMS: 5 } as object)).rejects.toThrow(TypeError)
    expect(await third.readAll()).toEqual(['a'])
    await third.delete()
  })
})
