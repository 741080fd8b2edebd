import { describe, expect, it } from 'vitest'
import { allOf } from '../../support/all-of.js'
import { twoClients } from '../../support/clients.js'
import { Look } from '../../support/look.js'
import { noLeaks } from '../../support/no-leaks.js'
import { slottedTopologies } from '../../support/topologies.js'

const MANY = 3_000

describe.each(slottedTopologies)('a scored sorted set ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)
  const look = new Look(topology)
  const all = Array.from({ length: MANY }, (_, n) => [n, n / 2] as const)
  const values = all.map(([value]) => value)

  it('gives each value to one of several that walk through it together', async () => {
    const name = `shared-scored-${topology.kind}`
    const cursor = `__redisson_scored_sorted_set_cursor_{${name}}`
    await clients.mine.getScoredSortedSet(name).addAll(all)
    const walks = [clients.mine, clients.other, clients.mine].map((client) =>
      allOf(client.getScoredSortedSet<number>(name).distributedIterator({ count: 100 })),
    )
    const found = (await Promise.all(walks)).flat()
    expect(found.toSorted((a, b) => a - b)).toEqual(values)
    expect(await look.ask(cursor, 'GET')).toBe('-1')
    expect(await look.ask(cursor, 'TTL')).toBeGreaterThan(3_500)
    expect(await allOf(clients.other.getScoredSortedSet(name).distributedIterator())).toEqual([])
    await clients.mine.getKeys().delete(name, cursor)
  })

  it('begins another walk under another name, with a pattern', async () => {
    const name = `{scored-walk-${topology.kind}}:set`
    const iteratorName = `{scored-walk-${topology.kind}}:walk`
    const set = clients.mine.getScoredSortedSet<number>(name)
    await set.addAll(all)
    const found = await allOf(set.distributedIterator({ iteratorName, pattern: '*7' }))
    expect(new Set(found)).toEqual(new Set(values.filter((value) => value % 10 === 7)))
    expect(await look.ask(iteratorName, 'GET')).toBe('-1')
    await clients.mine.getKeys().delete(name, iteratorName)
  })

  it.each(['a{tag}b', '{tag}:scored'])('has a walk in the slot of a set called %s', async (name) => {
    const set = clients.mine.getScoredSortedSet<number>(name)
    await set.addAll(all.slice(0, 2))
    expect((await allOf(set.distributedIterator())).toSorted()).toEqual([0, 1])
    // Java's name is in another slot, so that in a cluster this one is used.
    const prefix = '__redisson_scored_sorted_set_cursor_'
    const cursor = topology.kind === 'cluster' ? `${prefix}${name}` : `${prefix}{${name}}`
    expect(await look.ask(cursor, 'GET')).toBe('-1')
    await clients.mine.getKeys().delete(name, cursor)
  })

  it('is sorted by its values, and not by its scores', async () => {
    const tag = `{sorted-scored-${topology.kind}}`
    const numbers = clients.mine.getScoredSortedSet<number>(`${tag}:numbers`)
    await numbers.addAll([
      [30, 1],
      [4, 2],
      [200, 3],
      [-1, 4],
    ])
    expect(await numbers.readSort()).toEqual([-1, 4, 30, 200])
    expect(await numbers.readSort({ order: 'DESC', offset: 1, count: 2 })).toEqual([30, 4])
    expect(await numbers.readSortAlpha()).toEqual([-1, 200, 30, 4])
    expect(await numbers.sortTo(`${tag}:list`, { order: 'DESC', count: 3 })).toBe(3)
    expect(await look.ask(`${tag}:list`, 'LRANGE', '0', '-1')).toEqual(['200', '30', '4'])
    await expect(numbers.sortTo(numbers.name)).rejects.toThrow(RangeError)
    expect(await clients.mine.getScoredSortedSet(`${tag}:none`).sortTo(`${tag}:list`)).toBe(0)
    await numbers.delete()
  })
})
