import { describe, expect, it } from 'vitest'
import { twoClients } from '../../support/clients.js'
import { Look } from '../../support/look.js'
import { topologies } from '../../support/topologies.js'

describe.each(topologies)('on the wire ($kind)', (topology) => {
  const clients = twoClients(topology)
  const look = new Look(topology)

  it.each(['wire-list', '{wire}:list', 'провод'])(
    'a list called %s is one list of that name',
    async (name) => {
      const list = clients.mine.getList(name)
      await list.addAll(['é"', 1.5, [1, { a: null }], null, true, 2n ** 60n])
      await list.add(2, 'in between')
      await list.addAll(1, [-1, -2])
      expect(await look.ask(name, 'TYPE')).toBe('list')
      expect(await look.ask(name, 'LRANGE', 0, -1)).toEqual([
        '"é\\""',
        '-1',
        '-2',
        '1.5',
        '"in between"',
        '[1,{"a":null}]',
        'null',
        'true',
        '1152921504606846976',
      ])
      expect(await look.ask(name, 'PTTL')).toBe(-1)
      await list.delete()
      expect(await look.ask(name, 'EXISTS')).toBe(0)
    },
  )

  it('reads what others have written', async () => {
    const name = 'wire-list-others'
    await look.ask(name, 'RPUSH', '{"@class":"com.shop.Order","id":9223372036854775807}', ' [1, 2] ')
    const list = clients.mine.getList(name)
    expect(await list.readAll()).toEqual([{ '@class': 'com.shop.Order', id: 9223372036854775807n }, [1, 2]])
    expect(await list.remove([1, 2])).toBe(false) // its bytes have spaces
    expect(await list.removeAt(1)).toEqual([1, 2])
    await list.delete()
  })
})
