import { describe, expect, it } from 'vitest'
import { twoClients } from '../../support/clients.js'
import { Look } from '../../support/look.js'
import { topologies } from '../../support/topologies.js'

describe.each(topologies)('on the wire ($kind)', (topology) => {
  const clients = twoClients(topology)
  const look = new Look(topology)

  it.each(['wire-deque', '{wire}:deque', 'провод'])(
    'a deque called %s is one list of that name, whose first element is the head',
    async (name) => {
      const deque = clients.mine.getDeque(name)
      await deque.addLast('é"', 1.5)
      await deque.addFirst([1, { a: null }], null)
      await deque.push(true)
      expect(await look.ask(name, 'TYPE')).toBe('list')
      expect(await look.ask(name, 'LRANGE', 0, -1)).toEqual([
        'true',
        'null',
        '[1,{"a":null}]',
        '"é\\""',
        '1.5',
      ])
      expect(await look.ask(name, 'PTTL')).toBe(-1)
      expect(await deque.pollLast(2)).toEqual([1.5, 'é"'])
      expect(await deque.pollFirst(2)).toEqual([true, null])
      expect(await look.ask(name, 'LRANGE', 0, -1)).toEqual(['[1,{"a":null}]'])
      await deque.removeLast()
      expect(await look.ask(name, 'EXISTS')).toBe(0)
    },
  )

  it('a move leaves the bytes as they are, in a list of the other name', async () => {
    const [name, to] = ['{wire}:from', '{wire}:to']
    await look.ask(name, 'RPUSH', ' [1, 2] ', '"b"', '"c"', ' 4')
    const deque = clients.mine.getDeque(name)
    expect(await deque.move({ poll: 'first', addFirstTo: to })).toEqual([1, 2])
    expect(await deque.move({ poll: 'last', addFirstTo: to })).toBe(4)
    expect(await deque.move({ poll: 'first', addLastTo: to })).toBe('b')
    expect(await deque.move({ poll: 'last', addLastTo: to })).toBe('c')
    expect(await look.ask(name, 'EXISTS')).toBe(0)
    expect(await look.ask(to, 'LRANGE', 0, -1)).toEqual([' 4', ' [1, 2] ', '"b"', '"c"'])
    await clients.mine.getKeys().delete(to)
  })
})
