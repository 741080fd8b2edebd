import { describe, expect, it } from 'vitest'
import { mapCacheChannel, mapCacheKeys } from '../../../src/core/context/names.js'
import { allOf } from '../../support/all-of.js'
import { askOwner } from '../../support/ask-owner.js'
import { eventually } from '../../support/eventually.js'
import type { InteropFixture } from '../interop-fixture.js'
import { PLAIN_JSON, type JavaThread } from '../java-peer.js'
import { describeCodecs, openSides } from './codec-pairs.js'

/** So long that no test waits for its end. */
const LONG_MS = 600_000

const LONG = [LONG_MS, 'MILLISECONDS'] as const

const EVENTS = ['entryCreated', 'entryUpdated', 'entryRemoved', 'entryExpired'] as const

/** What map caches of either side owe the other. */
export function mapCachesAcrossSides(bench: InteropFixture): void {
  const inJava = (thread: JavaThread, name: string, ...call: [string, ...unknown[]]) =>
    thread.call(['getMapCache', name], call)

  const ask = (name: string, command: string, ...args: (string | number)[]) =>
    askOwner(bench.topology, name, command, ...args)

  describeCodecs(bench, 'a map cache', (sides, { keys, values }) => {
    it.each(['плод', '{tag}:cache', 'a{tag}b'])(
      'called %s has the same entries on both sides',
      async (at) => {
        const name = `${bench.name()}${at}`
        const cache = sides.node.getMapCache(name)
        const content = () => ask(name, 'HGETALL')
        for (const key of keys as readonly string[])
          for (const value of values) {
            await cache.put(key, value, { maxIdleMs: LONG_MS })
            const bytes = await content()
            expect(await inJava(sides.java, name, 'get', key)).toEqual(value)
            expect(await inJava(sides.java, name, 'put', key, value, 0, 'MILLISECONDS', ...LONG)).toEqual(
              value,
            )
            expect(await content()).toEqual(bytes)
            expect(await cache.get(key)).toEqual(value)
            expect(await cache.containsValue(value)).toBe(true)
            expect(await inJava(sides.java, name, 'containsValue', value)).toBe(true)
            expect(await inJava(sides.java, name, 'remove', key, value)).toBe(true)
          }
        expect(await cache.isExists()).toBe(false)
      },
    )

    it('is read as a whole and walked through by either side', async () => {
      const name = bench.name()
      const cache = sides.node.getMapCache(name)
      const [value] = values
      const entries = (keys as readonly string[]).map((key) => [key, value] as const)
      await cache.putAll(entries, { ttlMs: LONG_MS })
      const sorted = (found: unknown) => (found as unknown[]).map(String).toSorted()
      for (const method of ['keySet', 'readAllKeySet'])
        expect(sorted(await inJava(sides.java, name, method)), method).toEqual(sorted(keys))
      expect(await inJava(sides.java, name, 'readAllValues')).toEqual(keys.map(() => value))
      const whole = Object.fromEntries(entries.map(([key]) => [key, value]))
      expect(await inJava(sides.java, name, 'readAllMap')).toEqual(whole)
      expect(await cache.readAllMap()).toEqual(new Map(entries))
      expect(new Map(await allOf(cache))).toEqual(new Map(entries))
      expect(await inJava(sides.java, name, 'size')).toBe(keys.length)
      await cache.delete()
    })
  })

  describe('a map cache', () => {
    const sides = openSides(bench, { java: { codec: PLAIN_JSON } })

    it('has the same ends on both sides', async () => {
      const name = bench.name()
      const cache = sides.node.getMapCache<string, string>(name)
      const java = (...call: [string, ...unknown[]]) => inJava(sides.java, name, ...call)
      const leftInJava = async (key: string) => Number(await java('remainTimeToLive', key))
      const isLong = (left: number) => left > LONG_MS - 60_000 && left <= LONG_MS + 60_000
      await cache.put('mine', 'a', { ttlMs: LONG_MS })
      await java('put', 'theirs', 'b', ...LONG)
      await cache.put('my-idle', 'c', { maxIdleMs: LONG_MS })
      await java('fastPut', 'their-idle', 'd', 0, 'MILLISECONDS', ...LONG)
      for (const key of ['mine', 'theirs', 'my-idle', 'their-idle']) {
        expect(isLong(await leftInJava(key)), key).toBe(true)
        expect(isLong(await cache.remainTimeToLive(key)), key).toBe(true)
      }
      await cache.put('theirs', 'e')
      expect(await leftInJava('theirs')).toBe(-1)
      await java('put', 'mine', 'f')
      expect(await cache.remainTimeToLive('mine')).toBe(-1)
      expect(await cache.expireEntry('mine', { ttlMs: LONG_MS })).toBe(true)
      expect(isLong(await leftInJava('mine'))).toBe(true)
      expect(await java('expireEntry', 'theirs', 'PT600S', 'PT0S')).toBe(true)
      expect(isLong(await cache.remainTimeToLive('theirs'))).toBe(true)
      expect(await cache.expireEntryIfNotSet('theirs', { ttlMs: 1 })).toBe(false)
      expect(await java('expireEntryIfNotSet', 'mine', 'PT0.001S', 'PT0S')).toBe(false)
      expect(await java('replace', 'mine', 'g')).toBe('f')
      expect(await cache.replace('theirs', 'h')).toBe('e')
      expect(isLong(await cache.remainTimeToLive('mine'))).toBe(true)
      expect(isLong(await leftInJava('theirs'))).toBe(true)
      await cache.delete()
    })

    it('hides what has ended on both sides', async () => {
      const name = bench.name()
      const cache = sides.node.getMapCache<string, string>(name)
      const java = (...call: [string, ...unknown[]]) => inJava(sides.java, name, ...call)
      await cache.put('mine', 'a', { ttlMs: 200 })
      await java('put', 'theirs', 'b', 200, 'MILLISECONDS')
      await cache.put('stays', 'c', { ttlMs: LONG_MS })
      await eventually(async () => {
        expect(await cache.readAllKeySet()).toEqual(['stays'])
      })
      await eventually(async () => {
        expect(await java('readAllKeySet')).toEqual(['stays'])
      })
      expect(await java('get', 'mine')).toBeNull()
      expect(await cache.get('theirs')).toBeUndefined()
      await cache.delete()
    })

    it('has the limit that either side sets', { tags: ['flaky'] }, async () => {
      const name = bench.name()
      const cache = sides.node.getMapCache<string, string>(name)
      const java = (...call: [string, ...unknown[]]) => inJava(sides.java, name, ...call)
      expect(await java('trySetMaxSize', 2)).toBe(true)
      expect(await cache.trySetMaxSize(3)).toBe(false)
      // Of two that were used in the same millisecond, the one whose name comes first is removed: it must not be this one.
      await cache.put('z', '1')
      await java('put', 'b', '2')
      await cache.get('z')
      await cache.put('c', '3')
      expect((await cache.readAllKeySet()).toSorted()).toEqual(['c', 'z'])
      await java('get', 'z')
      await java('fastPut', 'd', '4')
      expect((await cache.readAllKeySet()).toSorted()).toEqual(['d', 'z'])
      await cache.setMaxSize(2, { mode: 'LFU' })
      for (let times = 0; times < 3; times += 1) await java('get', 'd')
      await cache.get('z')
      await cache.put('e', '5')
      expect((await cache.readAllKeySet()).toSorted()).toEqual(['d', 'e'])
      await cache.delete()
    })

    it('gives the lease of a load to one side, whose value the other reads', async () => {
      const name = bench.name()
      const cache = sides.node.getMapCache<string, string>(name)
      const java = (...call: [string, ...unknown[]]) => inJava(sides.java, name, ...call)
      const leaseInJava = async (key: string) => {
        const get = (part: string) =>
          sides.java.call(['getMapCache', name], ['getWithLease', key, 'PT600S'], [part])
        return { value: await get('getValue'), token: await get('getLeaseToken') }
      }
      const mine = await cache.getWithLease('mine', LONG_MS)
      expect(mine.isLeaseAcquired).toBe(true)
      expect(await leaseInJava('mine')).toEqual({ value: null, token: mine.leaseToken })
      expect(await java('putWithLease', 'mine', 'late', 'another')).toBe(false)
      expect(await cache.putWithLease('mine', 'a', mine.leaseToken ?? '', { ttlMs: LONG_MS })).toBe(true)
      expect(await leaseInJava('mine')).toEqual({ value: 'a', token: null })
      const { token } = await leaseInJava('theirs')
      expect(await cache.getWithLease('theirs', LONG_MS)).toEqual({
        value: undefined,
        isLeaseAcquired: false,
        leaseToken: token,
      })
      expect(await java('putWithLease', 'theirs', 'b', 'PT600S', token)).toBe(true)
      expect(await cache.get('theirs')).toBe('b')
      const { leaseToken = '' } = await cache.getWithLease('gone', LONG_MS)
      expect(await java('removeWithLease', 'gone')).toBe(false)
      expect(await cache.putWithLease('gone', 'late', leaseToken)).toBe(false)
      const { token: late } = await leaseInJava('gone')
      expect(await cache.removeWithLease('gone')).toBe(false)
      expect(await java('putWithLease', 'gone', 'late', late)).toBe(false)
      await cache.delete()
    })

    it('tells either side of what happens to entries', async () => {
      const name = bench.name()
      const cache = sides.node.getMapCache(name)
      const java = (...call: [string, ...unknown[]]) => inJava(sides.java, name, ...call)
      const heard: unknown[] = []
      const subscriptions = await Promise.all(
        EVENTS.map((event) =>
          cache.addListener(event, ({ type, key, value, oldValue }) =>
            heard.push([type, key, value, oldValue]),
          ),
        ),
      )
      await sides.java.listen(name, ['getMapCache', name])
      await cache.put('a', 'é')
      await java('put', 'a', [1])
      await cache.put('a', 2)
      await java('put', 'b', 3)
      expect(await cache.remove('b')).toBe(3)
      await java('remove', 'a')
      await cache.put('c', 4, { ttlMs: LONG_MS })
      await ask(mapCacheKeys(name).ttl, 'ZADD', 1, 'c')
      expect(await cache.size()).toBe(0)
      const events = [
        ['CREATED', 'a', 'é', null],
        ['UPDATED', 'a', [1], 'é'],
        ['UPDATED', 'a', 2, [1]],
        ['CREATED', 'b', 3, null],
        ['REMOVED', 'b', null, 3],
        ['REMOVED', 'a', null, 2],
        ['CREATED', 'c', 4, null],
        ['EXPIRED', 'c', 4, null],
      ] as const
      const sorted = (all: readonly unknown[]) => all.map((each) => JSON.stringify(each)).toSorted()
      await eventually(async () => {
        // Java calls its listeners by several threads.
        expect(sorted(await sides.java.heard(name))).toEqual(sorted(events))
      })
      expect(heard).toHaveLength(events.length)
      const here = events.map(([type, key, value, old]) => [
        `entry${type.charAt(0)}${type.slice(1).toLowerCase()}`,
        key,
        value ?? old,
        value === null || old === null ? undefined : old,
      ])
      expect(sorted(heard)).toEqual(sorted(here))
      await Promise.all(subscriptions.map((each) => each.unsubscribe()))
      const getTopic = bench.topology.kind === 'cluster' ? 'getShardedTopic' : 'getTopic'
      for (const event of ['created', 'updated', 'removed', 'expired'])
        await sides.java.call([getTopic, mapCacheChannel(name, event)], ['removeAllListeners'])
      await cache.delete()
    })

    it('expires as a whole, and is renamed and copied with its ends, by either side', async () => {
      const name = `{${bench.name()}}`
      const names = [`${name}a`, `${name}b`] as const
      const cache = sides.node.getMapCache<string, string>(names[0])
      await cache.put('k', 'v', { ttlMs: LONG_MS, maxIdleMs: LONG_MS })
      await cache.rename(names[1])
      expect(Number(await inJava(sides.java, names[1], 'remainTimeToLive', 'k'))).toBeGreaterThan(0)
      await inJava(sides.java, names[1], 'rename', names[0])
      expect(await cache.remainTimeToLive('k')).toBeGreaterThan(0)
      expect(await inJava(sides.java, names[0], 'expire', 'PT600S')).toBe(true)
      expect(await cache.remainTimeToLive()).toBeGreaterThan(0)
      expect(await cache.readAllMap()).toEqual(new Map([['k', 'v']]))
      expect(await cache.clearExpire()).toBe(true)
      expect(Number(await inJava(sides.java, names[0], 'remainTimeToLive'))).toBe(-1)
      await cache.delete()
    })
  })
}
