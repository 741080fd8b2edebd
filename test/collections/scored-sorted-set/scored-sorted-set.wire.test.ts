import { describe, expect, it } from 'vitest'
import { twoClients } from '../../support/clients.js'
import { Look } from '../../support/look.js'
import { pairs } from '../../support/pairs.js'
import { topologies } from '../../support/topologies.js'

describe.each(topologies)('on the wire ($kind)', (topology) => {
  const clients = twoClients(topology)
  const look = new Look(topology)

  it.each(['wire-scored', '{wire}:scored', 'провод'])(
    'a set called %s is one sorted set of that name',
    async (name) => {
      const set = clients.mine.getScoredSortedSet(name)
      await set.addAll([
        ['é"', 0.1 + 0.2],
        [{ a: null }, -Infinity],
        [[1, 2], 1e21],
        [true, 3],
      ])
      await set.addScore(7, -2.5)
      expect(await look.ask(name, 'TYPE')).toBe('zset')
      expect(pairs((await look.ask(name, 'ZRANGE', '0', '-1', 'WITHSCORES')) as string[])).toEqual({
        '{"a":null}': '-inf',
        '7': '-2.5',
        '"é\\""': '0.30000000000000004',
        true: '3',
        '[1,2]': '1e+21',
      })
      expect(await look.ask(name, 'PTTL')).toBe(-1)
      await set.delete()
      expect(await look.ask(name, 'EXISTS')).toBe(0)
    },
  )

  it('reads what others have written', async () => {
    const name = 'wire-scored-others'
    await look.ask(
      name,
      'ZADD',
      '1e-7',
      '{"@class":"com.shop.Order","id":9223372036854775807}',
      '+inf',
      ' [1, 2] ',
    )
    const set = clients.mine.getScoredSortedSet(name)
    expect(await set.readAllEntries()).toEqual([
      [{ '@class': 'com.shop.Order', id: 9223372036854775807n }, 1e-7],
      [[1, 2], Infinity],
    ])
    expect(await set.remove([1, 2])).toBe(false) // its bytes have spaces
    await set.delete()
  })
})
