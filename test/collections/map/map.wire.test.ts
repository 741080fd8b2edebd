import { describe, expect, it } from 'vitest'
import { jsonCodec, longCodec } from '../../../src/index.js'
import { twoClients } from '../../support/clients.js'
import { Look } from '../../support/look.js'
import { pairs } from '../../support/pairs.js'
import { topologies } from '../../support/topologies.js'

describe.each(topologies)('on the wire ($kind)', (topology) => {
  const clients = twoClients(topology)
  const look = new Look(topology)

  it.each(['wire-map', '{wire}:map', 'провод'])('a map called %s is one hash of that name', async (name) => {
    const map = clients.mine.getMap(name)
    await map.putAll({ text: 'é"', number: 1.5, list: [1, { a: null }], none: null, truth: true })
    await map.put('ключ', 2n ** 60n)
    await map.addAndGet('sum', 2.25)
    expect(await look.ask(name, 'TYPE')).toBe('hash')
    expect(pairs((await look.ask(name, 'HGETALL')) as string[])).toEqual({
      text: '"é\\""',
      number: '1.5',
      list: '[1,{"a":null}]',
      none: 'null',
      truth: 'true',
      ключ: '1152921504606846976',
      sum: '2.25',
    })
    expect(await look.ask(name, 'PTTL')).toBe(-1)
    await map.delete()
    expect(await look.ask(name, 'EXISTS')).toBe(0)
  })

  it.each([
    ['a map', 'wire-map-sum', '{wire-map-sum}', (name: string) => clients.mine.getMap<string, number>(name)],
    [
      'a map with a writer',
      '{wire}:map-sum',
      '{wire}:map-sum',
      (name: string) =>
        clients.mine.getMap<string, number>(name, { writer: { write: () => 0, delete: () => 0 } }),
    ],
  ] as const)('%s adds to a number without touching another object', async (_, name, tag, mapOf) => {
    const [map, counter] = [mapOf(name), clients.mine.getAtomicLong(`${tag}:sum`)]
    await counter.set(42)
    expect(await map.addAndGet('k', 1.5)).toBe(1.5)
    expect(await counter.get()).toBe(42)
    expect(await look.ask(`ioredisson_sum:${tag}`, 'EXISTS')).toBe(0)
    for (const each of [map, counter]) await each.delete()
  })

  it('keys are what their codec makes of them', async () => {
    const name = 'wire-map-keys'
    const byNumber = clients.mine.getMap(name, { codec: { key: longCodec() } })
    await byNumber.put(-5, 'v')
    const byObject = clients.mine.getMap(name, { codec: { key: jsonCodec() } })
    await byObject.put({ a: 1 }, 'w')
    expect(pairs((await look.ask(name, 'HGETALL')) as string[])).toEqual({ '-5': '"v"', '{"a":1}': '"w"' })
    await byObject.delete()
  })

  it('reads what others have written', async () => {
    const name = 'wire-map-others'
    await look.ask(name, 'HSET', 'a', '{"@class":"com.shop.Order","id":9223372036854775807}', 'b', ' [1, 2] ')
    const map = clients.mine.getMap(name)
    expect(await map.readAllMap()).toEqual(
      new Map<string, unknown>([
        ['a', { '@class': 'com.shop.Order', id: 9223372036854775807n }],
        ['b', [1, 2]],
      ]),
    )
    expect(await map.remove('b', [1, 2])).toBe(false) // its bytes have spaces
    await map.delete()
  })
})
