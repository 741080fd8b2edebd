import { describe, expect, it } from 'vitest'
import { twoClients } from '../../support/clients.js'
import { Look } from '../../support/look.js'
import { topologies } from '../../support/topologies.js'

describe.each(topologies)('on the wire ($kind)', (topology) => {
  const clients = twoClients(topology)
  const look = new Look(topology)

  it.each(['wire-lex', '{wire}:lex', 'провод'])(
    'a set called %s is one sorted set of that name, of texts as they are and with the score 0',
    async (name) => {
      const set = clients.mine.getLexSortedSet(name)
      await set.addAll(['é"', '', '{"a":1}', '5'])
      expect(await look.ask(name, 'TYPE')).toBe('zset')
      expect(await look.ask(name, 'ZRANGE', '0', '-1', 'WITHSCORES')).toEqual([
        '',
        '0',
        '5',
        '0',
        '{"a":1}',
        '0',
        'é"',
        '0',
      ])
      expect(await look.ask(name, 'PTTL')).toBe(-1)
      await set.delete()
      expect(await look.ask(name, 'EXISTS')).toBe(0)
    },
  )

  it('reads what others have written', async () => {
    const name = 'wire-lex-others'
    await look.ask(name, 'ZADD', '0', '"quoted"', '0', 'plain')
    const set = clients.mine.getLexSortedSet(name)
    expect(await set.readAll()).toEqual(['"quoted"', 'plain'])
    await set.delete()
  })
})
