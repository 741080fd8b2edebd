import { describe, expect, it } from 'vitest'
import { Redisson, stringCodec } from '../../../src/index.js'
import { twoClients } from '../../support/clients.js'
import { Look } from '../../support/look.js'
import { topologies } from '../../support/topologies.js'

describe.each(topologies)('on the wire ($kind)', (topology) => {
  const clients = twoClients(topology)
  const look = new Look(topology)

  it.each(['wire-sorted', '{wire}:sorted', 'провод'])(
    'a set called %s is one list of that name, in order',
    async (name) => {
      const texts = clients.mine.getSortedSet(name)
      await texts.addAll(['b"', '', 'é', 'a'])
      expect(await look.ask(name, 'TYPE')).toBe('list')
      expect(await look.ask(name, 'LRANGE', '0', '-1')).toEqual(['""', '"a"', '"b\\""', '"é"'])
      expect(await look.ask(name, 'PTTL')).toBe(-1)
      await texts.clear()
      expect(await look.ask(name, 'EXISTS')).toBe(0)
      const numbers = clients.mine.getSortedSet<number>(name)
      await numbers.addAll([10, 9, -1.5])
      expect(await look.ask(name, 'LRANGE', '0', '-1')).toEqual(['-1.5', '9', '10'])
      await numbers.clear()
      const plain = clients.mine.getSortedSet(name, { codec: stringCodec() })
      await plain.addAll(['b', 'a'])
      expect(await look.ask(name, 'LRANGE', '0', '-1')).toEqual(['a', 'b'])
      await plain.delete()
    },
  )

  it('is deleted and renamed with the keys of its order', async () => {
    const name = '{wire}:compared'
    const [named, instance] = ['comparator', 'comparator_instance'].map(
      (part) => `redisson_sortedset_${part}:${name}`,
    ) as [string, string]
    await look.ask(name, 'RPUSH', '"b"', '"a"')
    await look.ask(named, 'SET', 'a.Class:sign')
    await look.ask(instance, 'SET', 'bytes')
    const set = clients.mine.getSortedSet(name)
    await set.rename('{wire}:renamed')
    expect(await look.ask('redisson_sortedset_comparator:{wire}:renamed', 'GET')).toBe('a.Class:sign')
    const renamed = clients.mine.getSortedSet('{wire}:renamed')
    await expect(renamed.add('c')).rejects.toMatchObject({ code: 'WRONG_TYPE' })
    await renamed.delete()
    expect(await look.ask('redisson_sortedset_comparator_instance:{wire}:renamed', 'EXISTS')).toBe(0)
    expect(await look.ask(named, 'EXISTS')).toBe(0)
  })

  it('has the lock where Java has it, whose name is mapped twice', async () => {
    const nameMapper = { map: (name: string) => `m:${name}`, unmap: (name: string) => name.slice(2) }
    const client = await Redisson.create({ ...topology.options(), nameMapper })
    const set = client.getSortedSet('wire-mapped')
    await set.add('b')
    const hold = await clients.mine.getLock('m:redisson_sortedset_lock:{m:wire-mapped}').acquire()
    const added = set.add('a')
    await look.ask('m:wire-mapped', 'LRANGE', '0', '-1')
    expect(await look.ask('m:wire-mapped', 'LRANGE', '0', '-1')).toEqual(['"b"'])
    await hold.unlock()
    expect(await added).toBe(true)
    expect(await look.ask('m:wire-mapped', 'LRANGE', '0', '-1')).toEqual(['"a"', '"b"'])
    await set.delete()
    await client.shutdown()
  })
})
