import { describe, expect, it, vi } from 'vitest'
import { Redisson, type RequestTrace } from '../../../src/index.js'
import { askOwner, ownerOf } from '../../support/ask-owner.js'
import { ChannelEvents } from '../../support/channel-events.js'
import { twoClients } from '../../support/clients.js'
import { eventually } from '../../support/eventually.js'
import { noLeaks } from '../../support/no-leaks.js'
import { slottedTopologies } from '../../support/topologies.js'

/** Longer than a test may take, so that a waiter wakes by a change of the key. */
vi.mock('../../../src/waiting/recheck.js', () => ({ RECHECK_MS: 600_000 }))

/** More than any test takes. */
const LONG_MS = 60_000

describe.each(slottedTopologies)('waiting for a value of a scored sorted set ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)
  let names = 0

  const sets = () => {
    const name = `polls-${topology.kind}-${String(names++)}`
    return {
      name,
      mine: clients.mine.getScoredSortedSet<string>(name),
      other: clients.other.getScoredSortedSet<string>(name),
    }
  }

  /** Resolves once the server tells some client of the next change of a key. */
  const waiting = (name: string) =>
    eventually(async () => {
      const info = String(await (await ownerOf(topology, name)).command('INFO', 'stats'))
      expect(info).toMatch(/tracking_total_keys:[1-9]/)
    })

  it('takes one that is there', async () => {
    const { mine } = sets()
    await mine.addAll({ a: 1, b: 2, c: 3 })
    expect(await mine.takeFirst()).toBe('a')
    expect(await mine.takeLast()).toBe('c')
    expect(await mine.pollFirst({ waitMs: LONG_MS })).toBe('b')
  })

  it.each([
    ['add', (name: string) => clients.other.getScoredSortedSet<string>(name).add(1, 'a')],
    ['addScore', (name: string) => clients.other.getScoredSortedSet<string>(name).addScore('a', 1)],
    ['a command of another program', (name: string) => askOwner(topology, name, 'ZADD', '1', '"a"')],
  ])('takes one that comes by %s', async (_, add) => {
    const { name, mine } = sets()
    const taken = mine.takeFirst()
    await waiting(name)
    await add(name)
    expect(await taken).toBe('a')
    expect(await mine.isExists()).toBe(false)
  })

  it('returns entries, and as many as there are', async () => {
    const { name, mine, other } = sets()
    const entry = mine.pollLastEntry({ waitMs: LONG_MS })
    await waiting(name)
    await other.add(1.5, 'a')
    expect(await entry).toEqual(['a', 1.5])
    const few = mine.pollLastEntries(2, { waitMs: LONG_MS })
    await waiting(name)
    await other.addAll({ a: 1, b: 2, c: 3 })
    expect(await few).toEqual([
      ['b', 2],
      ['c', 3],
    ])
    expect(await mine.pollFirst(5, { waitMs: LONG_MS })).toEqual(['a'])
  })

  it('gives each value to one of many that wait', async () => {
    const { name, mine, other } = sets()
    const values = Array.from({ length: 20 }, (_, n) => `v${String(n)}`)
    const taken = values.map((_, n) => (n % 2 === 0 ? mine : other).takeFirst())
    await waiting(name)
    for (const [score, value] of values.entries()) await other.add(score, value)
    expect((await Promise.all(taken)).toSorted()).toEqual(values.toSorted())
    expect(await mine.isExists()).toBe(false)
  })

  it('sends a few requests for each value, with a thousand that wait', async () => {
    const { name, mine, other } = sets()
    let taken = 0
    const take = async () => {
      await mine.takeFirst()
      taken += 1
    }
    const takers = Array.from({ length: 1_000 }, take)
    await mine.size() // their first requests have found nothing by then
    await waiting(name)
    using requests = new ChannelEvents<RequestTrace>('ioredisson:request')
    for (let value = 1; value <= 5; value += 1) {
      await other.add(value, String(value))
      await eventually(() => {
        expect(taken).toBe(value)
      })
    }
    const pops = requests.all.filter(([event, trace]) => event === 'start' && trace.name === 'ZPOPMIN')
    expect(pops.length).toBeGreaterThanOrEqual(5)
    expect(pops.length).toBeLessThan(50)
    await other.addAll(takers.slice(5).map((_, n) => [String(n), n] as const))
    await Promise.all(takers)
    expect(await mine.isExists()).toBe(false)
  })

  it('ends after its time, with nothing', async () => {
    const { mine } = sets()
    expect(await mine.pollFirst({ waitMs: 300 })).toBeUndefined()
    expect(await mine.pollLast(3, { waitMs: 300 })).toEqual([])
    expect(await mine.pollFirstEntry({ waitMs: 300 })).toBeUndefined()
    expect(await mine.pollLastEntries(3, { waitMs: 300 })).toEqual([])
  })

  it('ends with its signal, and takes nothing after that', async () => {
    const { name, mine, other } = sets()
    const abort = new AbortController()
    const taken = mine.takeFirst({ signal: abort.signal })
    await waiting(name)
    abort.abort(new Error('enough'))
    await expect(taken).rejects.toThrow('enough')
    await other.add(1, 'a')
    await expect(mine.takeFirst({ signal: abort.signal })).rejects.toThrow('enough')
    await expect(mine.pollFirst({ signal: abort.signal })).rejects.toThrow('enough') // without a time to wait
    expect(await mine.readAll()).toEqual(['a'])
    await mine.delete()
  })

  it('ends with the client', async () => {
    const { name } = sets()
    const client = await Redisson.create(topology.options())
    const taken = client.getScoredSortedSet(name).takeFirst()
    await waiting(name)
    const refused = expect(taken).rejects.toMatchObject({ code: 'CLOSED' })
    await client.shutdown()
    await refused
  })

  it('is not for batches', async () => {
    const { name } = sets()
    const batch = clients.mine.batch((calls) => [calls.getScoredSortedSet(name).takeFirst()])
    await expect(batch).rejects.toMatchObject({ code: 'NOT_IN_BATCH' })
  })
})
