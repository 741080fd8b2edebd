import { describe, expect, it } from 'vitest'
import { twoClients } from '../../support/clients.js'
import { Look } from '../../support/look.js'
import { topologies } from '../../support/topologies.js'
import { cacheKinds } from './kinds.js'

/** By how much clocks may differ. */
const TOLERANCE_MS = 30_000

/** What Redisson makes of a key: the text `key1`, as the hash of it. */
const HASH = 'td70ePIfZeWyYYH5QeK0MQ'

describe.each(topologies)('multimap caches on the wire ($kind)', (topology) => {
  describe.each(cacheKinds)('with a $what of values for each key', ({ what, of }) => {
    const clients = twoClients(topology)
    const look = new Look(topology)

    it.each([
      [`wire-mm-${what}`, `{wire-mm-${what}}:`],
      [`{wire}:mm-${what}`, `{wire}:mm-${what}:`],
      [`провод-${what}`, `{провод-${what}}:`],
    ])('one called %s has the keys of Redisson', async (name, prefix) => {
      const ends = `${prefix}redisson_${what}_multimap_ttl`
      const cache = of(clients.mine, name)
      await cache.putAll('key1', ['a', 'b'])
      expect(await look.ask(name, 'HGETALL')).toEqual(['key1', HASH])
      expect(await look.ask(prefix + HASH, 'TYPE')).toBe(what)
      expect(await look.ask(ends, 'EXISTS')).toBe(0)
      await cache.expireKey('key1', 60_000)
      const [key, score] = (await look.ask(ends, 'ZRANGE', 0, -1, 'WITHSCORES')) as string[]
      expect(key).toBe('key1')
      expect(Number.isInteger(Number(score))).toBe(true)
      expect(Math.abs(Number(score) - Date.now() - 60_000)).toBeLessThan(TOLERANCE_MS)
      await cache.expire(60_000)
      for (const each of [name, prefix + HASH, ends])
        expect(Number(await look.ask(each, 'PTTL'))).toBeGreaterThan(0)
      await cache.delete()
      for (const each of [name, prefix + HASH, ends]) expect(await look.ask(each, 'EXISTS')).toBe(0)
    })

    it('reads the ends that Redisson has written, and tolerates what it leaves', async () => {
      const name = `wire-mm-java-${what}`
      const ends = `{${name}}:redisson_${what}_multimap_ttl`
      const cache = of(clients.mine, name)
      await cache.put('over', 1)
      await cache.put('key1', 2)
      await look.ask(ends, 'ZADD', Date.now() - 1, 'over', Date.now() + 60_000, 'key1', 1, 'no-key')
      await look.ask(ends, 'ZADD', '92233720368547758', 'redisson__expiretag') // of expire() in Java
      await look.ask(ends, 'PEXPIRE', 60_000)
      expect(await cache.readAllKeySet()).toEqual(['key1'])
      expect(await look.ask(ends, 'ZRANGE', 0, -1)).toEqual(['key1', 'redisson__expiretag'])
      expect(await cache.expireKey('key1', 120_000)).toBe(true)
      expect(await look.ask(ends, 'PTTL')).toBe(-1) // or else the end of the key would be forgotten
      await cache.delete()
      expect(await look.ask(ends, 'EXISTS')).toBe(0)
    })
  })
})
