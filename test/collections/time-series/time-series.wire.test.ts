import { describe, expect, it } from 'vitest'
import { stringCodec } from '../../../src/index.js'
import { twoClients } from '../../support/clients.js'
import { Look } from '../../support/look.js'
import { topologies } from '../../support/topologies.js'

/** In hexadecimal digits: a length of 64 bits, the lowest byte first, and a text. */
const sized = (text: string) => {
  const bytes = Buffer.from(text)
  const length = Buffer.alloc(8)
  length.writeBigUInt64LE(BigInt(bytes.length))
  return length.toString('hex') + bytes.toString('hex')
}

/** An entry as Redisson 4.7 writes it. */
const recordOf = (id: string, value: string, label?: string) =>
  `${label === undefined ? '02' : '03'}10${id}${sized(value)}${sized(label ?? '')}`

/** The same in the form of later versions. */
const numberedOf = (number: number, value: string, label?: string) => {
  const id = Buffer.from(String(number).padStart(20, '0')).toString('hex')
  return `0414${id}${sized(value)}${sized(label === undefined ? '\u0002' : `\u0003${label}`)}`
}

const ID = '000102030405060708090a0b0c0d0e0f'

/** What stands for no end. */
const HUNDRED_YEARS_MS = 100 * 365 * 86_400_000

describe.each(topologies)('on the wire ($kind)', (topology) => {
  const clients = twoClients(topology)
  const look = new Look(topology)

  const raw = (key: string, timestamp: number, hex: string) =>
    look.ask(
      key,
      'ZADD',
      timestamp,
      Buffer.from(hex, 'hex') as unknown as string, // ioredis takes bytes
    )

  it.each([
    ['wire-series', 'redisson__ts_ttl:{wire-series}', 'redisson__ts_seq:{wire-series}'],
    ['{wire}:series', 'redisson__ts_ttl:{wire}:series', 'redisson__ts_seq:{wire}:series'],
    ['провод', 'redisson__ts_ttl:{провод}', 'redisson__ts_seq:{провод}'],
  ])('a series called %s has its entries there, and their ends under %s', async (name, ttl, sequence) => {
    const series = clients.mine.getTimeSeries(name)
    const before = Date.now()
    await series.add(1_700_000_000_000, 'é"', { label: { a: 1 }, ttlMs: 60_000 })
    await series.add(-5, [1])
    const entries = await look.membersOf(name)
    const [plain, labelled] = Object.keys(entries).toSorted()
    const idOf = (record: string | undefined) => record?.slice(4, 36) ?? ''
    expect(entries).toEqual({
      [recordOf(idOf(labelled), '"é\\""', '{"a":1}')]: '1700000000000',
      [recordOf(idOf(plain), '[1]')]: '-5',
    })
    expect(idOf(labelled)).not.toBe(idOf(plain))
    const ends = await look.membersOf(ttl)
    expect(Object.keys(ends).toSorted()).toEqual([plain, labelled])
    const [never, soon] = [Number(ends[plain ?? '']), Number(ends[labelled ?? ''])]
    expect(soon - before).toBeGreaterThanOrEqual(60_000 - 1_000)
    expect(soon - before).toBeLessThan(90_000)
    expect(never - soon).toBeGreaterThanOrEqual(HUNDRED_YEARS_MS - 60_000)
    expect(never - soon).toBeLessThan(HUNDRED_YEARS_MS)
    expect(await look.ask(name, 'PTTL')).toBe(-1)
    await look.ask(sequence, 'HSET', 'id', 3)
    await series.expire(60_000)
    for (const key of [name, ttl, sequence]) expect(Number(await look.ask(key, 'PTTL'))).toBeGreaterThan(0)
    await series.delete()
    for (const key of [name, ttl, sequence]) expect(await look.ask(key, 'EXISTS')).toBe(0)
  })

  it('reads what Redisson 4.7 and later versions have written', async () => {
    const name = 'wire-series-others'
    await raw(name, 1_000, recordOf(ID, 'a'))
    await raw(name, 2_000, recordOf(ID, 'b', 'x'))
    await raw(name, 3_000, recordOf(ID, '', ''))
    await raw(name, 4_000, numberedOf(1, 'c'))
    await raw(name, 5_000, numberedOf(2, 'd', 'y'))
    await raw(name, 6_000, numberedOf(3, 'e', ''))
    const series = clients.mine.getTimeSeries<string>(name, { codec: stringCodec() })
    const entries = [
      { timestamp: 1_000, value: 'a' },
      { timestamp: 2_000, value: 'b', label: 'x' },
      { timestamp: 3_000, value: '', label: '' },
      { timestamp: 4_000, value: 'c' },
      { timestamp: 5_000, value: 'd', label: 'y' },
      { timestamp: 6_000, value: 'e', label: '' },
    ]
    expect(await series.firstEntries(9)).toEqual(entries)
    expect(await series.size()).toBe(6)
    expect(await series.pollFirstEntries(9)).toEqual(entries)
    expect(await series.isExists()).toBe(false)
  })

  it('takes an entry for one that has ended from the millisecond of its end on', async () => {
    const name = 'wire-series-ends'
    const ttl = `redisson__ts_ttl:{${name}}`
    await raw(name, 1, recordOf(ID, 'ended'))
    await raw(ttl, 1, recordOf(ID, 'ended'))
    await raw(name, 2, recordOf(ID, 'never'))
    await raw(ttl, 92_233_720_368_547_760, recordOf(ID, 'never'))
    const series = clients.mine.getTimeSeries<string>(name, { codec: stringCodec() })
    expect(await series.range(0, 9)).toEqual(['never'])
    expect(await series.size()).toBe(1)
    await series.delete()
  })
})
