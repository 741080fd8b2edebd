import { describe, expect, it } from 'vitest'
import { allOf } from '../../support/all-of.js'
import { twoClients } from '../../support/clients.js'
import { Look } from '../../support/look.js'
import { noLeaks } from '../../support/no-leaks.js'
import { topologies } from '../../support/topologies.js'
import { needEndsOfFields } from '../map-cache-native/ends-of-fields.js'
import { nativeKinds } from './kinds.js'

/** What Redisson makes of a key: the text `key1`, as the hash of it. */
const HASH = 'td70ePIfZeWyYYH5QeK0MQ'

const LONG_MS = 600_000

describe.each(topologies)('native multimap caches on the wire ($kind)', (topology) => {
  noLeaks(topology)
  needEndsOfFields()

  describe.each(nativeKinds)('with a $what of values for each key', ({ what, of }) => {
    const clients = twoClients(topology)
    const look = new Look(topology)

    const endOfField = async (name: string) =>
      ((await look.ask(name, 'HPEXPIRETIME', 'FIELDS', 1, 'key1')) as number[])[0]

    it.each([
      [`wire-mmn-${what}`, `{wire-mmn-${what}}:`],
      [`{wire}:mmn-${what}`, `{wire}:mmn-${what}:`],
      [`нативный-${what}`, `{нативный-${what}}:`],
    ])('one called %s has the keys of Redisson, and no others', async (name, prefix) => {
      const cache = of(clients.mine, name)
      await cache.putAll('key1', ['a', 'b'])
      await cache.expireKey('key1', LONG_MS)
      expect(await look.ask(name, 'HGETALL')).toEqual(['key1', HASH])
      expect(await look.ask(prefix + HASH, 'TYPE')).toBe(what)
      expect(await look.ask(prefix + HASH, 'PEXPIRETIME')).toBe(await endOfField(name))
      for (const of of ['set', 'list'])
        expect(await look.ask(`${prefix}redisson_${of}_multimap_ttl`, 'EXISTS')).toBe(0)
      await cache.delete()
      for (const each of [name, prefix + HASH]) expect(await look.ask(each, 'EXISTS')).toBe(0)
    })

    it('bears what Redisson leaves', async () => {
      const name = `wire-mmn-java-${what}`
      const values = `{${name}}:${HASH}`
      const cache = of(clients.mine, name)

      // `putAll()` in Java sets the field anew, which has no end then, and leaves the end of the values.
      await cache.put('key1', 1)
      await cache.expireKey('key1', LONG_MS)
      await look.ask(name, 'HSET', 'key1', HASH)
      expect(await endOfField(name)).toBe(-1)
      await cache.put('key1', 2)
      expect(await look.ask(values, 'PTTL')).toBe(-1)

      // So does `expire()` with the end of the values, and `clearExpire()` has them outlast the key.
      await cache.expireKey('key1', LONG_MS)
      await look.ask(values, 'PERSIST')
      await cache.put('key1', 3)
      expect(await look.ask(values, 'PEXPIRETIME')).toBe(await endOfField(name))
      await look.ask(values, 'PERSIST')
      await look.ask(name, 'HPEXPIREAT', 1, 'FIELDS', 1, 'key1')
      expect(await cache.containsKey('key1')).toBe(false)
      expect(await look.ask(values, 'EXISTS')).toBe(0)

      // `replaceValues()` with none leaves a key without values.
      await look.ask(name, 'HSET', 'key1', HASH)
      expect(await cache.keySize()).toBe(1)
      expect(await allOf(cache)).toEqual([])
      expect(await cache.expireKey('key1', LONG_MS)).toBe(true)
      await cache.put('key1', 4)
      expect(await look.ask(values, 'PEXPIRETIME')).toBe(await endOfField(name))
      await cache.delete()
    })
  })
})
