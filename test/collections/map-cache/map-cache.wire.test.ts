import { describe, expect, it } from 'vitest'
import { stringCodec, type RMapCache } from '../../../src/index.js'
import { ownerOf } from '../../support/ask-owner.js'
import { twoClients } from '../../support/clients.js'
import { Look } from '../../support/look.js'
import { topologies } from '../../support/topologies.js'

/** A length of 64 bits, the lowest byte first, and a text. */
const sized = (text: string) => {
  const bytes = Buffer.from(text)
  const length = Buffer.alloc(8)
  length.writeBigUInt64LE(BigInt(bytes.length))
  return Buffer.concat([length, bytes])
}

/** A record as Redisson 4.7 writes it. */
const recordOf = (idleMs: number, value: string) => {
  const idle = Buffer.alloc(8)
  idle.writeDoubleLE(idleMs)
  return Buffer.concat([idle, sized(value)]).toString('hex')
}

/** What stands for no end in Java. */
const NO_TTL = '92233720368547758'

const IN_HEX = `return (string.gsub(redis.call('hget', KEYS[1], ARGV[1]) or '', '.', function(byte)
  return string.format('%02x', string.byte(byte))
end))`

describe.each(topologies)('on the wire ($kind)', (topology) => {
  const clients = twoClients(topology)
  const look = new Look(topology)

  const recordAt = async (name: string, field: string) =>
    await (await ownerOf(topology, name)).command('EVAL', IN_HEX, 1, name, field)

  const raw = (name: string, field: string, hex: string) =>
    look.ask(name, 'HSET', field, Buffer.from(hex, 'hex') as unknown as string) // ioredis takes bytes

  it('has the record of a value without an idle time as the specification has it', () => {
    expect(recordOf(0, '"b')).toBe('00000000000000000200000000000000' + Buffer.from('"b').toString('hex'))
    expect(recordOf(5_000, '').slice(0, 16)).toBe('000000000088b340')
  })

  it.each([
    ['wire-cache', '{wire-cache}', '{wire-cache}:redisson_options'],
    ['{wire}:cache', '{wire}:cache', '{wire}:cache:redisson_options'],
    ['провод', '{провод}', '{провод}:redisson_options'],
  ])('a cache called %s has its entries there, and the rest under %s', async (name, tag, options) => {
    const ttl = `redisson__timeout__set:${tag}`
    const idle = `redisson__idle__set:${tag}`
    const access = `redisson__map_cache__last_access__set:${tag}`
    const cache = clients.mine.getMapCache(name)
    const before = Date.now()
    await cache.setMaxSize(9)
    await cache.put('é', 'ä"', { ttlMs: 60_000, maxIdleMs: 5_000 })
    await cache.put('plain', [1])
    expect(await recordAt(name, 'é')).toBe(recordOf(5_000, '"ä\\""'))
    expect(await recordAt(name, 'plain')).toBe(recordOf(0, '[1]'))
    for (const [key, least, most] of [
      [ttl, 59_000, 90_000],
      [idle, 4_000, 35_000],
    ] as const) {
      expect(await look.ask(key, 'ZCARD')).toBe(1)
      const end = Number(await look.ask(key, 'ZSCORE', 'é'))
      expect(Number.isInteger(end)).toBe(true)
      expect(end - before).toBeGreaterThan(least)
      expect(end - before).toBeLessThan(most)
    }
    expect(await look.ask(access, 'ZCARD')).toBe(2)
    expect(await look.ask(options, 'HGETALL')).toEqual(['max-size', '9', 'mode', 'LRU'])
    await cache.setMaxSize(8, { mode: 'LFU' })
    await cache.get('é')
    expect(await look.ask(access, 'ZSCORE', 'é')).toBe('1')
    expect(await look.ask(options, 'HGETALL')).toEqual(['max-size', '8', 'mode', 'LFU'])
    await cache.expire(60_000)
    for (const key of [name, ttl, idle, access, options])
      expect(Number(await look.ask(key, 'PTTL'))).toBeGreaterThan(0)
    await cache.clear()
    for (const key of [name, ttl, idle, access]) expect(await look.ask(key, 'EXISTS')).toBe(0)
    expect(await look.ask(options, 'EXISTS')).toBe(1)
    await cache.delete()
    expect(await look.ask(options, 'EXISTS')).toBe(0)
  })

  it('publishes events as Redisson does', async () => {
    const name = 'wire-cache-events'
    const cache = clients.mine.getMapCache<string, string>(name, { codec: stringCodec() })
    await look.ask(`{${name}}:redisson_options`, 'HSET', 'has-listeners', 1)
    await cache.put('k', 'one')
    await cache.put('k', 'two', { ttlMs: 60_000 })
    await cache.remove('k')
    await cache.put('k', 'over', { ttlMs: 60_000 })
    await look.ask(`redisson__timeout__set:{${name}}`, 'ZADD', 1, 'k')
    expect(await cache.size()).toBe(0)
    const messages = (event: string) => look.messagesAt(`redisson_map_cache_${event}:{${name}}`)
    const message = (...parts: string[]) =>
      `${look.publish} ${Buffer.concat(parts.map(sized)).toString('latin1')}`
    expect(await messages('created')).toEqual([message('k', 'one'), message('k', 'over')])
    expect(await messages('updated')).toEqual([message('k', 'two', 'one')])
    expect(await messages('removed')).toEqual([message('k', 'two')])
    expect(await messages('expired')).toEqual([message('k', 'over')])
    await cache.delete()
  })

  /** A cache in which a client in Java has left something. */
  const withLeftovers = async (
    name: string,
    use: (cache: RMapCache<string, string>) => Promise<void>,
  ): Promise<void> => {
    const cache = clients.mine.getMapCache<string, string>(name, { codec: stringCodec() })
    await use(cache)
    await cache.delete()
    for (const key of await keysOf(name)) expect(await look.ask(key, 'EXISTS')).toBe(0)
  }

  const keysOf = (name: string) =>
    Promise.resolve([
      name,
      `redisson__timeout__set:{${name}}`,
      `redisson__idle__set:{${name}}`,
      `redisson__map_cache__last_access__set:{${name}}`,
    ])

  it('reads what Redisson has written, and tolerates its faults', async () => {
    await withLeftovers('wire-cache-java', async (cache) => {
      const [name, ttl = '', idle = ''] = await keysOf('wire-cache-java')
      await raw(name ?? '', 'plain', recordOf(0, 'a'))
      await raw(name ?? '', 'no-idle-end', recordOf(5_000, 'b')) // of which Java says that it has an idle time
      await raw(name ?? '', 'idle-end-alone', recordOf(0, 'c')) // putIfAbsent() leaves it
      await look.ask(idle, 'ZADD', 1, 'idle-end-alone')
      await look.ask(ttl, 'ZADD', 1, 'no-entry')
      await look.ask(ttl, 'ZADD', NO_TTL, 'redisson__expiretag')
      await look.ask(idle, 'ZADD', NO_TTL, 'redisson__expiretag')
      expect(Object.fromEntries(await cache.getAll(['plain', 'no-idle-end', 'idle-end-alone']))).toEqual({
        plain: 'a',
        'no-idle-end': 'b',
        'idle-end-alone': 'c',
      })
      expect(await cache.replace('no-idle-end', 'd')).toBe('b')
      expect(await cache.size()).toBe(3)
      expect((await cache.readAllKeySet()).toSorted()).toEqual(['idle-end-alone', 'no-idle-end', 'plain'])
      expect(await look.ask(ttl, 'ZRANGE', 0, -1)).toEqual(['redisson__expiretag'])
      expect(await look.ask(idle, 'ZRANGE', 0, -1)).toEqual(['no-idle-end', 'redisson__expiretag'])
    })
  })

  it('keeps the mark of Java by which the sorted sets expire, where it makes room', async () => {
    await withLeftovers('wire-cache-tag', async (cache) => {
      const access = 'redisson__map_cache__last_access__set:{wire-cache-tag}'
      await cache.setMaxSize(2)
      await cache.putAll({ a: '1', b: '2' })
      await look.ask(access, 'ZADD', NO_TTL, 'redisson__expiretag')
      await cache.putAll({ c: '3', d: '4' })
      expect(await look.ask(access, 'ZRANGE', 0, -1)).toEqual(['c', 'd', 'redisson__expiretag'])
    })
  })

  it.each([
    [
      'a map cache',
      'wire-cache-sum',
      '{wire-cache-sum}',
      (name: string) => clients.mine.getMapCache<string, number>(name),
    ],
    [
      'a local cached map cache',
      '{wire}:cache-sum',
      '{wire}:cache-sum',
      (name: string) => clients.mine.getLocalCachedMapCache<string, number>(name),
    ],
  ] as const)('%s adds to a number without touching another object', async (_, name, tag, mapOf) => {
    const [map, counter] = [mapOf(name), clients.mine.getAtomicLong(`${tag}:sum`)]
    await counter.set(42)
    expect(await map.addAndGet('k', 1.5)).toBe(1.5)
    expect(await counter.get()).toBe(42)
    expect(await look.ask(`ioredisson_sum:${tag}`, 'EXISTS')).toBe(0)
    for (const each of [map, counter]) await each.delete()
  })

  it('ends the lease under which a client in Java loads a value', async () => {
    const cache = clients.mine.getMapCache('wire-cache-lease')
    const lease = 'redisson__map__lease:{wire-cache-lease}:k'
    await look.ask(lease, 'SET', 'token')
    await cache.fastPut('k', 1)
    expect(await look.ask(lease, 'EXISTS')).toBe(0)
    await cache.delete()
  })
})
