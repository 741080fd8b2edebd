import { describe, expect, it } from 'vitest'
import { stringCodec } from '../../../src/index.js'
import { twoClients } from '../../support/clients.js'
import { Look } from '../../support/look.js'
import { topologies } from '../../support/topologies.js'

/** What stands for no end in Java. */
const NO_TTL = 92_233_720_368_547_758n

/** By how much clocks may differ. */
const TOLERANCE_MS = 30_000

/** A length of 64 bits, the lowest byte first, and a text. */
const sized = (text: string) => {
  const bytes = Buffer.from(text)
  const length = Buffer.alloc(8)
  length.writeBigUInt64LE(BigInt(bytes.length))
  return Buffer.concat([length, bytes]).toString('latin1')
}

describe.each(topologies)('on the wire ($kind)', (topology) => {
  const clients = twoClients(topology)
  const look = new Look(topology)

  const scoreOf = async (name: string, value: string) => Number(await look.ask(name, 'ZSCORE', value))

  it.each(['wire-values', '{wire}:values', 'провод'])(
    'a set cache called %s is one sorted set, with the end of each value as its score',
    async (name) => {
      const cache = clients.mine.getSetCache(name)
      await cache.addAll(['é"', [1, { a: null }], 2n ** 60n], { ttlMs: 60_000 })
      await cache.add('always')
      expect(await look.ask(name, 'TYPE')).toBe('zset')
      expect(((await look.ask(name, 'ZRANGE', 0, -1)) as string[]).toSorted()).toEqual(
        ['"always"', '"é\\""', '1152921504606846976', '[1,{"a":null}]'].toSorted(),
      )
      const end = await scoreOf(name, '"é\\""')
      expect(Number.isInteger(end)).toBe(true)
      expect(Math.abs(end - Date.now() - 60_000)).toBeLessThan(TOLERANCE_MS)
      const never = Number(NO_TTL - BigInt(Date.now()))
      expect(Math.abs((await scoreOf(name, '"always"')) - never)).toBeLessThan(TOLERANCE_MS)
      expect(await look.ask(name, 'PTTL')).toBe(-1)
      await cache.delete()
      expect(await look.ask(name, 'EXISTS')).toBe(0)
    },
  )

  it('reads what Redisson 4.7 has written', async () => {
    const name = 'wire-values-java'
    const cache = clients.mine.getSetCache<string>(name)
    const scores = {
      'add(v)': String(NO_TTL),
      'add(v), a moment later': '92233720368547776',
      'addAll(v)': String(NO_TTL - BigInt(Date.now())),
      'for a while': String(Date.now() + 600_000),
      over: String(Date.now() - 1),
    }
    for (const [value, score] of Object.entries(scores))
      await look.ask(name, 'ZADD', score, JSON.stringify(value))
    const live = Object.keys(scores).slice(0, 4).toSorted()
    expect((await cache.readAll()).toSorted()).toEqual(live)
    expect(await cache.size()).toBe(4)
    expect(await cache.containsEach(Object.keys(scores))).toEqual([true, true, true, true, false])
    for (const value of live.filter((each) => each.startsWith('add'))) {
      expect(await cache.addIfGreater(value, { ttlMs: 8e15 })).toBe(false)
      expect(await cache.addIfLess(value)).toBe(false)
      expect(await cache.addIfLess(value, { ttlMs: 8e15 })).toBe(true)
    }
    await cache.delete()
  })

  it('publishes the end of each value as Redisson does, however many receivers the node counts', async () => {
    for (const [name, tag] of [
      ['wire-values-events', '{wire-values-events}'],
      ['{wire}:ends', '{wire}:ends'],
    ] as const) {
      const channel = `redisson_set_cache_expired:${tag}`
      const cache = clients.mine.getSetCache<string>(name, { codec: stringCodec() })
      await using subscription = await cache.addListener('valueExpired', () => undefined)
      await look.ask(name, 'ZADD', 1, 'one', 2, 'three', Date.now() + 600_000, 'stays')
      expect(await cache.random(9)).toEqual(['stays'])
      expect(await look.messagesAt(channel)).toEqual([
        `${look.publish} ${sized('one')}`,
        `${look.publish} ${sized('three')}`,
      ])
      await subscription.unsubscribe()
      await look.ask(name, 'ZADD', 1, 'four', 2, 'five')
      expect(await cache.random(9)).toEqual(['stays'])
      expect(await look.messagesAt(channel)).toHaveLength(4) // clients at other nodes may listen
      await cache.delete()
    }
  })

  it('goes on with a walk that Java has begun', async () => {
    const name = 'wire-values-cursor'
    const cursor = `__redisson_scored_sorted_set_cursor_{${name}}`
    const cache = clients.mine.getSetCache(name)
    await cache.add(1)
    await look.ask(cursor, 'SETEX', '3600', '-1')
    for await (const value of cache.distributedIterator()) expect.unreachable(String(value))
    await look.ask(cursor, 'SETEX', '3600', '0')
    const walked: unknown[] = []
    for await (const value of cache.distributedIterator()) walked.push(value)
    expect(walked).toEqual([1])
    expect(await look.ask(cursor, 'GET')).toBe('-1')
    await clients.mine.getKeys().delete(name, cursor)
  })

  it('has the locks of values where Java has them', async () => {
    const name = 'wire-values-lock'
    const lock = clients.mine.getSetCache(name, { codec: stringCodec() }).getLock('a')
    expect(lock.name).toBe(`{${name}}:qwvAS12pR0CgRitaypEjUw:lock`)
    await expect(lock.isLocked()).resolves.toBe(false)
  })
})
