import { describe, expect, it } from 'vitest'
import { Redisson, stringCodec } from '../../../src/index.js'
import { twoClients } from '../../support/clients.js'
import { Look } from '../../support/look.js'
import { topologies } from '../../support/topologies.js'

describe.each(topologies)('on the wire ($kind)', (topology) => {
  const clients = twoClients(topology)
  const look = new Look(topology)

  it.each(['wire-priority', '{wire}:priority', 'очередь'])(
    'a priority queue called %s is one list of that name, in order',
    async (name) => {
      const texts = clients.mine.getPriorityBlockingDeque(name)
      await texts.addAll(['b"', '', 'é', 'a', 'a'])
      expect(await look.ask(name, 'TYPE')).toBe('list')
      expect(await look.ask(name, 'LRANGE', '0', '-1')).toEqual(['""', '"a"', '"a"', '"b\\""', '"é"'])
      expect(await look.ask(name, 'PTTL')).toBe(-1)
      await texts.clear()
      expect(await look.ask(name, 'EXISTS')).toBe(0)
      const numbers = clients.mine.getPriorityQueue<number>(name)
      await numbers.addAll([10, 9, -1.5])
      expect(await look.ask(name, 'LRANGE', '0', '-1')).toEqual(['-1.5', '9', '10'])
      await numbers.clear()
      const plain = clients.mine.getPriorityDeque(name, { codec: stringCodec() })
      await plain.addAll(['b', 'a'])
      expect(await look.ask(name, 'LRANGE', '0', '-1')).toEqual(['a', 'b'])
      await plain.delete()
    },
  )

  it('is deleted and renamed with the key of its order', async () => {
    const name = '{wire}:compared-priority'
    await look.ask(name, 'RPUSH', '"b"', '"a"')
    await look.ask(`${name}:redisson_sortedset_comparator`, 'SET', 'a.Class:sign')
    const queue = clients.mine.getPriorityQueue(name)
    await queue.rename('{wire}:renamed-priority')
    const comparator = '{wire}:renamed-priority:redisson_sortedset_comparator'
    expect(await look.ask(comparator, 'GET')).toBe('a.Class:sign')
    const renamed = clients.mine.getPriorityQueue('{wire}:renamed-priority')
    await expect(renamed.add('c')).rejects.toMatchObject({ code: 'WRONG_TYPE' })
    await renamed.delete()
    expect(await look.ask(comparator, 'EXISTS')).toBe(0)
    expect(await look.ask(`${name}:redisson_sortedset_comparator`, 'EXISTS')).toBe(0)
  })

  it.each(['m:', '{m}:'])(
    'has the lock where Java has it, whose name is mapped once, with the mapper %s',
    async (prefix) => {
      const nameMapper = {
        map: (name: string) => `${prefix}${name}`,
        unmap: (name: string) => name.slice(prefix.length),
      }
      const client = await Redisson.create({ ...topology.options(), nameMapper })
      const queue = client.getPriorityBlockingQueue('wire-mapped-priority')
      const key = `${prefix}wire-mapped-priority`
      await queue.add('b')
      const hold = await clients.mine
        .getLock(`${prefix}redisson_sortedset_lock:{wire-mapped-priority}`)
        .acquire()
      const added = queue.add('a')
      const late = queue.poll({ waitMs: 300 })
      await look.ask(key, 'LRANGE', '0', '-1')
      expect(await late).toBeUndefined()
      expect(await look.ask(key, 'LRANGE', '0', '-1')).toEqual(['"b"'])
      await hold.unlock()
      expect(await added).toBe(true)
      expect(await look.ask(key, 'LRANGE', '0', '-1')).toEqual(['"a"', '"b"'])
      expect(await queue.take()).toBe('a')
      await queue.delete()
      await client.shutdown()
    },
  )
})
