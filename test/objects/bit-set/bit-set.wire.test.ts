import { describe, expect, it } from 'vitest'
import { allOf } from '../../support/all-of.js'
import { twoClients } from '../../support/clients.js'
import { Look } from '../../support/look.js'
import { Monitor, type Deed } from '../../support/monitor.js'
import { single, topologies } from '../../support/topologies.js'
import { COMBINATIONS } from './model.js'

/** A string with these bytes, as `SET` takes it. */
const IN_ASCII = 'Ab' // 0x41 0x62

describe.each(topologies)('on the wire ($kind)', (topology) => {
  const clients = twoClients(topology)
  const look = new Look(topology)

  it.each(['wire-bits', '{wire}:bits', 'a{wire}b', 'биты'])(
    'a bit set called %s is a string of that name',
    async (name) => {
      const bits = clients.mine.getBitSet(name)
      await bits.setAll([1, 7, 9, 10, 14])
      expect(await look.ask(name, 'GET')).toBe(IN_ASCII)
      expect(await look.ask(name, 'GETBIT', 7)).toBe(1)
      expect(await look.ask(name, 'BITFIELD', 'SET', 'i8', 8, -1)).toEqual([0x62])
      expect(await bits.getByte(8)).toBe(-1)
      expect(await look.ask(name, 'PTTL')).toBe(-1)
      await bits.delete()
      expect(await look.ask(name, 'EXISTS')).toBe(0)
    },
  )

  it('reads what others have written', async () => {
    const name = 'wire-bits-others'
    await look.ask(name, 'SET', IN_ASCII)
    const bits = clients.mine.getBitSet(name)
    expect(await allOf(bits.indexes())).toEqual([1, 7, 9, 10, 14])
    expect([await bits.length(), await bits.cardinality(), await bits.size()]).toEqual([15, 5, 16])
    await bits.delete()
  })

  it.each([
    ['wire-combined', '{wire-combined}'],
    ['{wire}:combined', '{wire}:combined'],
  ])('what is combined into %s is at ioredisson_bits_…:%s while it is combined', async (name, tag) => {
    const other = `${name.includes('{') ? '{wire}' : `{${name}}`}:other`
    await using monitor = await Monitor.of(topology.nodes)
    for (const { name: combination } of COMBINATIONS) {
      await clients.mine.getBitSet(name).set(1)
      await clients.mine.getBitSet(other).set(2)
      await clients.mine.getBitSet(name)[combination]([other])
    }
    await clients.mine.getBitSet(name).or(Array.from({ length: 4 }, () => other))
    for (const which of ['partial', 'union', 'twice', 'both']) {
      const key = `ioredisson_bits_${which}:${tag}`
      expect((await monitor.deedsOn(key)).length, which).toBeGreaterThan(0)
      expect(await look.ask(key, 'EXISTS')).toBe(0)
    }
    for (const each of [name, other]) await look.ask(each, 'DEL')
  })
})

describe('what Redis reads to combine one long bit set and many short ones', () => {
  const clients = twoClients(single)
  const LONG = 10_000
  const names = Array.from({ length: 200 }, (_, n) => `{wire-read}:${n}`)
  const bytes = LONG + names.length - 1
  const [first = '', ...others] = names

  describe.each(COMBINATIONS)('by $name', ({ name: combination }) => {
    it.each([
      ['the one that is combined', first],
      ['one of the others', names.at(100) ?? ''],
    ])('is some times what they have, with a long one that is %s', async (_, long) => {
      for (const name of names) await clients.mine.getBitSet(name).setByteArray(Uint8Array.of(1))
      await clients.mine.getBitSet(long).set(LONG * 8 - 1)
      await using monitor = await Monitor.of(single.nodes)
      await clients.mine.getBitSet(first)[combination](others)
      const lengths = new Map(names.map((name) => [name, name === long ? LONG : 1]))
      expect(bytesRead(await monitor.deeds(), lengths)).toBeLessThan(9 * bytes)
      await clients.mine.getKeys().delete(...names)
    })
  })
})

/** How many bytes `BITOP` has read: of each bit set as many as the longest has. */
function bytesRead(deeds: readonly Deed[], lengths: Map<string, number>): number {
  let read = 0
  for (const { words } of deeds) {
    const [command, , result = '', ...sources] = words
    if (command !== 'bitop') continue
    const longest = Math.max(...sources.map((source) => lengths.get(source) ?? 0))
    lengths.set(result, longest)
    read += longest * sources.length
  }
  return read
}

describe('the requests for ranges and lists', () => {
  const clients = twoClients(single)

  it('are one each, of some hundred bytes', async () => {
    const bits = clients.mine.getBitSet('wire-range')
    await bits.setRange(0, 8) // so that the server knows the script
    await using monitor = await Monitor.of(single.nodes)
    await bits.setRange(3, 1_000_000)
    await bits.setRange(5, 999_000, false)
    await bits.setAll([1, 2, 3], false)
    await bits.getEach([1, 2, 3])
    const sent = (await monitor.deedsOn(bits.name)).filter(({ by }) => by === 'client')
    expect(sent.map(({ words: [command] }) => command)).toEqual([
      'evalsha',
      'evalsha',
      'bitfield',
      'bitfield_ro',
    ])
    expect(Math.max(...sent.map(({ words }) => words.join(' ').length))).toBeLessThan(200)
    await bits.delete()
  })
})
