import { afterEach, describe, expect, it } from 'vitest'
import { twoClients } from '../../support/clients.js'
import { Look } from '../../support/look.js'
import { topologies } from '../../support/topologies.js'

/** The bytes of a message that has all there is to say: numbers, the lengths of three texts, those, and the value. */
const ALL = '-3 7 2 4 10\ngg' + 'déd' + '{"h":"é"}' + '"a"'

describe.each(topologies)('on the wire ($kind)', (topology) => {
  const clients = twoClients(topology)
  const look = new Look(topology)

  afterEach(() => clients.mine.getKeys().flushall())

  it.each([
    ['wire-reliable', '{wire-reliable}'],
    ['{wire}:reliable', '{wire}:reliable'],
    ['провод', '{провод}'],
  ])('a reliable queue called %s has its messages there, and the rest at %s:…', async (name, tag) => {
    const queue = clients.mine.getReliableQueue(name, { groupConcurrency: 1 })
    const first = await queue.offer({ a: 1 })
    const second = await queue.offer('a', {
      priority: -3,
      group: 'gg',
      maxDeliveries: 7,
      dedup: { id: 'déd' },
      headers: { h: 'é' },
    })
    const third = await queue.offer('b', { delayMs: 60_000 })
    const fourth = await queue.offer('c', { group: 'gg', priority: 5 })
    expect(await look.ask(name, 'HGET', first)).toBe('\n{"a":1}')
    expect(await look.ask(name, 'HGET', second)).toBe(ALL)
    expect(await look.ask(`${tag}:ready`, 'ZRANGE', 0, -1, 'WITHSCORES')).toEqual([first, '0', second, '3'])
    expect(await look.ask(`${tag}:delayed`, 'ZRANGE', 0, -1)).toEqual([third])
    expect(await look.ask(`${tag}:grouped`, 'ZRANGE', 0, -1)).toEqual([`gg\u00000999995${fourth}`])
    expect(await look.ask(`${tag}:facts`, 'HGET', 'sgg')).toBe('1')
    expect(await look.ask(`${tag}:facts`, 'HGET', 'ddéd')).toBe(second)
    const delivery = await queue.poll()
    expect(await look.ask(`${tag}:leases`, 'ZRANGE', 0, -1)).toEqual([
      `${first} ${String(delivery?.fencingToken)}`,
    ])
    await delivery?.nack({ error: 'why' })
    expect(await look.ask(`${tag}:facts`, 'HGET', `f${first}`)).toBe('1')
    await (await queue.poll())?.reject('because')
    expect(await look.ask(`${tag}:dead`, 'ZRANGE', 0, -1)).toEqual([first])
    expect(await look.ask(`${tag}:facts`, 'HGET', `r${first}`)).toBe('because')
    await queue.redrive()
    const last = await look.ask(`${tag}:facts`, 'HGET', '#')
    expect(await look.ask(`${tag}:facts`, 'HGET', `n${first}`)).toBe(last)
    expect(await look.ask(`${tag}:facts`, 'HEXISTS', `f${first}`)).toBe(0)
    await queue.delete()
    for (const key of ['ready', 'delayed', 'leases', 'dead', 'grouped', 'facts', 'dedups'])
      expect(await look.ask(`${tag}:${key}`, 'EXISTS')).toBe(0)
    expect(await look.ask(name, 'EXISTS')).toBe(0)
  })

  it('has ids and tokens that grow, also when the queue has been deleted', async () => {
    const queue = clients.mine.getReliableQueue<string>('wire-numbers')
    const before = await queue.offer('a')
    const delivery = await queue.poll()
    expect(Math.abs(Number(before) / 1000 - Date.now())).toBeLessThan(60_000)
    expect(delivery?.fencingToken).toBe(Number(before) + 1)
    await queue.delete()
    expect(Number(await queue.offer('b'))).toBeGreaterThan(delivery?.fencingToken ?? Infinity)
  })
})
