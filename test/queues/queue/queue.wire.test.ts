import { describe, expect, it } from 'vitest'
import { twoClients } from '../../support/clients.js'
import { Look } from '../../support/look.js'
import { topologies } from '../../support/topologies.js'

describe.each(topologies)('on the wire ($kind)', (topology) => {
  const clients = twoClients(topology)
  const look = new Look(topology)

  it.each(['wire-queue', '{wire}:queue', 'провод'])(
    'a queue called %s is one list of that name',
    async (name) => {
      const queue = clients.mine.getQueue(name)
      await queue.addAll(['é"', 1.5, [1, { a: null }]])
      await queue.add(null)
      await queue.offer(2n ** 60n)
      expect(await look.ask(name, 'TYPE')).toBe('list')
      expect(await look.ask(name, 'LRANGE', 0, -1)).toEqual([
        '"é\\""',
        '1.5',
        '[1,{"a":null}]',
        'null',
        '1152921504606846976',
      ])
      expect(await look.ask(name, 'PTTL')).toBe(-1)
      expect(await queue.poll(4)).toEqual(['é"', 1.5, [1, { a: null }], null])
      expect(await look.ask(name, 'LRANGE', 0, -1)).toEqual(['1152921504606846976'])
      expect(await queue.remove()).toBe(2n ** 60n)
      expect(await look.ask(name, 'EXISTS')).toBe(0)
    },
  )

  it('a move leaves the bytes as they are, in a list of the other name', async () => {
    const [name, to] = ['{wire}:from', '{wire}:to']
    await look.ask(name, 'RPUSH', ' [1, 2] ', '"b"', '"c"')
    const queue = clients.mine.getQueue(name)
    expect(await queue.move({ to })).toEqual([[1, 2]])
    expect(await queue.pollLastAndOfferFirstTo(to)).toBe('c')
    expect(await look.ask(name, 'LRANGE', 0, -1)).toEqual(['"b"'])
    expect(await look.ask(to, 'LRANGE', 0, -1)).toEqual(['"c"', ' [1, 2] '])
    await clients.mine.getKeys().delete(name, to)
  })

  it('reads what others have written', async () => {
    const name = 'wire-queue-others'
    await look.ask(name, 'RPUSH', '{"@class":"com.shop.Order","id":9223372036854775807}', ' [1, 2] ', '5')
    const queue = clients.mine.getQueue(name)
    expect(await queue.peek()).toEqual({ '@class': 'com.shop.Order', id: 9223372036854775807n })
    expect(await queue.remove([1, 2])).toBe(false) // its bytes have spaces
    expect(await queue.poll(3)).toEqual([{ '@class': 'com.shop.Order', id: 9223372036854775807n }, [1, 2], 5])
  })
})
