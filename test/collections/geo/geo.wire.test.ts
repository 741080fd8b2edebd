import { describe, expect, it } from 'vitest'
import { bytesCodec, stringCodec } from '../../../src/index.js'
import { twoClients } from '../../support/clients.js'
import { Look } from '../../support/look.js'
import { pairs } from '../../support/pairs.js'
import { topologies } from '../../support/topologies.js'

describe.each(topologies)('on the wire ($kind)', (topology) => {
  const clients = twoClients(topology)
  const look = new Look(topology)

  it.each(['wire-geo', '{wire}:geo', 'провод'])(
    'a geo called %s is one sorted set of that name, whose scores are geohashes',
    async (name) => {
      const geo = clients.mine.getGeo(name)
      await geo.add(
        { longitude: 13.361389, latitude: 38.115556, member: 'é"' },
        { longitude: 15.087269, latitude: 37.502669, member: { a: null } },
        { longitude: -180, latitude: -85.05112878, member: 7 },
      )
      expect(await geo.tryAdd(1e-7, -1e-7, [1])).toBe(true)
      expect(await look.ask(name, 'TYPE')).toBe('zset')
      expect(pairs((await look.ask(name, 'ZRANGE', '0', '-1', 'WITHSCORES')) as string[])).toEqual({
        '"é\\""': '3479099956230698',
        '{"a":null}': '3479447370796909',
        '7': '0',
        '[1]': '2627099782632789',
      })
      expect(await look.ask(name, 'GEOADD', '13.361389', '38.115556', '"é\\""')).toBe(0)
      expect(await look.ask(name, 'PTTL')).toBe(-1)
      await geo.delete()
      expect(await look.ask(name, 'EXISTS')).toBe(0)
    },
  )

  it('reads what others have written', async () => {
    const name = 'wire-geo-others'
    await look.ask(name, 'GEOADD', '13.361389', '38.115556', 'Palermo', '15.087269', '37.502669', 'Catania')
    const geo = clients.mine.getGeo(name, { codec: stringCodec() })
    expect(await geo.dist('Palermo', 'Catania', 'm')).toBe(166274.1516)
    const found = { from: { longitude: 15, latitude: 37 }, radius: 200, unit: 'km', order: 'ASC' } as const
    expect([...(await geo.searchWithDistance(found))]).toEqual([
      ['Catania', 56.4413],
      ['Palermo', 190.4424],
    ])
    await geo.delete()
  })

  it('stores geohashes, or distances', async () => {
    const name = '{wire}:geo-from'
    const to = '{wire}:geo-to'
    const geo = clients.mine.getGeo(name, { codec: stringCodec() })
    await geo.add(13.361389, 38.115556, 'Palermo')
    const area = {
      from: { longitude: 15, latitude: 37 },
      box: { width: 400, height: 400 },
      unit: 'km',
    } as const
    await geo.storeSearchTo(to, area)
    expect(await look.ask(to, 'ZSCORE', 'Palermo')).toBe('3479099956230698')
    await geo.storeSortedSearchTo(to, area)
    expect(Number(await look.ask(to, 'ZSCORE', 'Palermo'))).toBeCloseTo(190.4424, 4)
    await clients.mine.getKeys().delete(name, to)
  })

  it('has members of any bytes, also those that Redis takes for words', async () => {
    const name = 'wire-geo-bytes'
    const geo = clients.mine.getGeo(name, { codec: bytesCodec() })
    const members = ['ASC', 'COUNT', '', '\u0000\u00ff'].map((text) => Buffer.from(text, 'latin1'))
    for (const member of members) {
      await geo.add(1, 1, member)
      const found = await geo.search({ from: { member }, radius: 1, unit: 'm', count: 9 })
      expect(found.map((each) => Buffer.from(each).toString('latin1'))).toContain(member.toString('latin1'))
    }
    expect((await geo.hash(...members)).size).toBe(4)
    await geo.delete()
  })
})
