import { describe, expect, it } from 'vitest'
import { allOf } from '../../support/all-of.js'
import { twoClients } from '../../support/clients.js'
import { Look } from '../../support/look.js'
import { noLeaks } from '../../support/no-leaks.js'
import { slottedTopologies } from '../../support/topologies.js'

const MANY = 3_000

describe.each(slottedTopologies)('a walk through a set that several make ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)
  const look = new Look(topology)
  const all = Array.from({ length: MANY }, (_, n) => n)

  it('gives each value to one of them, and is over for all', async () => {
    const name = `shared-${topology.kind}`
    const cursor = `__redisson_set_cursor_{${name}}`
    await clients.mine.getSet(name).addAll(all)
    const walks = [clients.mine, clients.other, clients.mine].map((client) =>
      allOf(client.getSet<number>(name).distributedIterator({ count: 100 })),
    )
    const found = (await Promise.all(walks)).flat()
    expect(found.toSorted((a, b) => a - b)).toEqual(all)
    expect(await look.ask(cursor, 'GET')).toBe('-1')
    expect(await look.ask(cursor, 'TTL')).toBeGreaterThan(3_500)
    expect(await allOf(clients.other.getSet(name).distributedIterator())).toEqual([])
    await clients.mine.getKeys().delete(name, cursor)
  })

  it('goes on where others were, and begins again under another name', async () => {
    const name = `{goes-on-${topology.kind}}:set`
    const iteratorName = `{goes-on-${topology.kind}}:walk`
    const set = clients.mine.getSet<number>(name)
    await set.addAll(all)
    const before: number[] = []
    for await (const value of set.distributedIterator({ iteratorName, count: 10 })) {
      before.push(value)
      if (before.length === 1) break
    }
    expect(Number(await look.ask(iteratorName, 'GET'))).toBeGreaterThan(0)
    const after = await allOf(clients.other.getSet<number>(name).distributedIterator({ iteratorName }))
    expect(after.length).toBeGreaterThan(MANY / 2)
    expect(after.length).toBeLessThan(MANY) // the page of the first is gone
    await clients.mine.getKeys().delete(iteratorName)
    expect(new Set(await allOf(set.distributedIterator({ iteratorName, pattern: '*7' }))).size).toBe(
      MANY / 10,
    )
    await clients.mine.getKeys().delete(name, iteratorName)
  })

  it('has pages of large values', async () => {
    const name = `large-${topology.kind}`
    const texts = all.slice(0, 300).map((n) => String(n).padEnd(1_000, 'x'))
    const set = clients.mine.getSet<string>(name)
    await set.addAll(texts)
    expect((await allOf(set.distributedIterator({ count: 5_000 }))).toSorted()).toEqual(texts.toSorted())
    await clients.mine.getKeys().delete(name, `__redisson_set_cursor_{${name}}`)
  })

  it('ends with a signal, and keeps the page that was asked for', async () => {
    const name = `signal-${topology.kind}`
    const set = clients.mine.getSet<number>(name)
    await set.addAll(all)
    const abort = new AbortController()
    const walk = set.distributedIterator({ count: 10, signal: abort.signal })[Symbol.asyncIterator]()
    expect((await walk.next()).done).toBe(false)
    abort.abort(new Error('enough'))
    await expect(walk.next()).rejects.toThrow('enough')
    await clients.mine.getKeys().delete(name, `__redisson_set_cursor_{${name}}`)
  })

  it.each(['a{tag}b', '{tag}:set'])('is in one slot with a set called %s', async (name) => {
    const set = clients.mine.getSet<number>(name)
    await set.addAll([1, 2])
    expect((await allOf(set.distributedIterator())).toSorted()).toEqual([1, 2])
    // Java's name is in another slot, so that in a cluster this one is used.
    const cursor =
      topology.kind === 'cluster' ? `__redisson_set_cursor_${name}` : `__redisson_set_cursor_{${name}}`
    expect(await look.ask(cursor, 'GET')).toBe('-1')
    await clients.mine.getKeys().delete(name, cursor)
  })
})
