import { describe, expect, it } from 'vitest'
import { doubleCodec, longCodec, stringCodec } from '../../../src/index.js'
import { twoClients } from '../../support/clients.js'
import { Look } from '../../support/look.js'
import { topologies } from '../../support/topologies.js'

describe.each(topologies)('on the wire ($kind)', (topology) => {
  const clients = twoClients(topology)
  const look = new Look(topology)
  const membersOf = async (name: string) => ((await look.ask(name, 'SMEMBERS')) as string[]).toSorted()

  it.each(['wire-set', '{wire}:set', 'провод'])('a set called %s is one set of that name', async (name) => {
    const set = clients.mine.getSet(name)
    await set.addAll(['é"', 1.5, [1, { a: null }], null, true, 2n ** 60n])
    expect(await look.ask(name, 'TYPE')).toBe('set')
    expect(await membersOf(name)).toEqual(
      ['"é\\""', '1.5', '[1,{"a":null}]', 'null', 'true', '1152921504606846976'].toSorted(),
    )
    expect(await look.ask(name, 'PTTL')).toBe(-1)
    await set.delete()
    expect(await look.ask(name, 'EXISTS')).toBe(0)
  })

  it('values are what their codec makes of them', async () => {
    const name = 'wire-set-codecs'
    await clients.mine.getSet(name, { codec: stringCodec() }).add('plain')
    await clients.mine.getSet<number>(name, { codec: longCodec() }).add(-5)
    await clients.mine.getSet<number>(name, { codec: doubleCodec() }).add(2)
    expect(await membersOf(name)).toEqual(['-5', '2.0', 'plain'])
    await clients.mine.getSet(name).delete()
  })

  it('reads what others have written', async () => {
    const name = 'wire-set-others'
    await look.ask(name, 'SADD', '{"@class":"com.shop.Order","id":9223372036854775807}', ' [1, 2] ')
    const set = clients.mine.getSet(name)
    const found = await set.readAll()
    expect(found).toContainEqual({ '@class': 'com.shop.Order', id: 9223372036854775807n })
    expect(found).toContainEqual([1, 2])
    expect(await set.remove([1, 2])).toBe(false) // its bytes have spaces
    await set.delete()
  })

  it('goes on with a walk that Java has begun', async () => {
    const name = 'wire-set-cursor'
    const cursor = '__redisson_set_cursor_{wire-set-cursor}'
    const set = clients.mine.getSet(name)
    await set.add(1)
    await look.ask(cursor, 'SETEX', '3600', '-1')
    for await (const value of set.distributedIterator()) expect.unreachable(String(value))
    await look.ask(cursor, 'SETEX', '3600', '0')
    const walked: unknown[] = []
    for await (const value of set.distributedIterator()) walked.push(value)
    expect(walked).toEqual([1])
    expect(await look.ask(cursor, 'GET')).toBe('-1')
    await clients.mine.getKeys().delete(name, cursor)
  })
})
