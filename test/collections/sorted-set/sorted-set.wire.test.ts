import { describe, expect, it } from 'vitest'
import { Redisson, stringCodec } from '../../../src/index.js'
import { twoClients } from '../../support/clients.js'
import { Look } from '../../support/look.js'
import { Monitor } from '../../support/monitor.js'
import { single, topologies } from '../../support/topologies.js'

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

describe('on the wire, a long sorted set', () => {
  const clients = twoClients(single)
  const name = 'wire-long'

  /** How many values each request has inserted or removed. */
  const moved = async (call: () => Promise<unknown>) => {
    await using monitor = await Monitor.of(single.nodes)
    await call()
    const counts: number[] = []
    for (const { words, by } of await monitor.deeds()) {
      if (by === 'client') counts.push(0)
      else if (/^(linsert|lrem)$/.test(words[0] ?? '')) counts.push((counts.pop() ?? 0) + 1)
    }
    return counts.filter((count) => count > 0)
  }

  /** How many requests have looked for values. */
  const asked = async (call: () => Promise<unknown>) => {
    await using monitor = await Monitor.of(single.nodes)
    await call()
    const deeds = await monitor.deeds()
    return deeds.filter(({ words, by }) => by === 'client' && /^eval/i.test(words[0] ?? '')).length
  }

  it('is changed by requests for a few values each, where these are far from its ends, and by one in a batch', async () => {
    const set = clients.mine.getSortedSet<number>(name)
    const even = Array.from({ length: 30_000 }, (_, n) => n * 2)
    for (let start = 0; start < even.length; start += 5_000)
      await single.nodes[0].command('RPUSH', name, ...even.slice(start, start + 5_000).map(String))
    const odd = even.slice(14_950, 15_050).map((n) => n + 1)
    const tens = Array.from({ length: 10 }, () => 10)
    expect(await moved(() => set.addAll(odd))).toEqual(tens)
    expect(await set.addAll(odd)).toBe(false)
    expect(await set.containsAll(odd)).toBe(true)
    expect(await moved(() => set.removeAll(odd))).toEqual(tens)
    expect(await moved(() => set.addAll(even.slice(0, 50).map((n) => n + 1)))).toEqual([50])
    expect(await set.removeAll(even.slice(0, 50).map((n) => n + 1))).toBe(true)
    const inBatch = (change: 'addAll' | 'removeAll') => () =>
      clients.mine.batch((batch) => [batch.getSortedSet<number>(name)[change](odd)])
    expect(await moved(inBatch('addAll'))).toEqual([100])
    expect(await moved(inBatch('removeAll'))).toEqual([100])
    expect(await set.readAll()).toEqual(even)
    await set.delete()
  })

  it('is asked about a few values at a time, where these are large, and about all in a batch', async () => {
    const set = clients.mine.getSortedSet(name)
    const text = (n: number) => String(n).padStart(2, '0') + 'x'.repeat(40_000)
    const texts = Array.from({ length: 20 }, (_, n) => text(n))
    await set.addAll([text(98), text(99)])
    const twos = Array.from({ length: 10 }, () => 2)
    expect(await moved(() => set.addAll(texts))).toEqual(twos)
    expect(await asked(() => set.containsAll(texts))).toBe(11)
    expect(await moved(() => set.removeAll(texts))).toEqual(twos)
    expect(await set.containsAll(texts)).toBe(false)
    const inBatch = (call: 'addAll' | 'containsAll') => () =>
      clients.mine.batch((batch) => [batch.getSortedSet(name)[call](texts)])
    expect(await moved(inBatch('addAll'))).toEqual([20])
    expect(await inBatch('containsAll')()).toEqual([true])
    expect(await set.readAll()).toEqual([...texts, text(98), text(99)])
    await set.delete()
  })
})
