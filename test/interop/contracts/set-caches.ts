import { describe, expect, it } from 'vitest'
import { setCacheChannel } from '../../../src/core/context/names.js'
import { allOf } from '../../support/all-of.js'
import { askOwner } from '../../support/ask-owner.js'
import { eventually } from '../../support/eventually.js'
import type { InteropFixture } from '../interop-fixture.js'
import { PLAIN_JSON, type JavaThread } from '../java-peer.js'
import { describeCodecs, openSides } from './codec-pairs.js'

/** So long that no test waits for its end. */
const LONG_MS = 600_000

const LONG = [LONG_MS, 'MILLISECONDS'] as const

/** How far a measured time may be off. */
const TOLERANCE_MS = 60_000

/** From this score on, a value does not end. */
const NO_END = 9e16

const sorted = (found: unknown) => (found as unknown[]).map((value) => JSON.stringify(value)).toSorted()

/** What set caches of either side owe the other. */
export function setCachesAcrossSides(bench: InteropFixture): void {
  const inJava = (thread: JavaThread, name: string, ...call: [string, ...unknown[]]) =>
    thread.call(['getSetCache', name], call)

  const ask = (name: string, command: string, ...args: (string | number)[]) =>
    askOwner(bench.topology, name, command, ...args)

  describeCodecs(bench, 'a set cache', (sides, { values }) => {
    it.each(['плод', '{tag}:cache', 'a{tag}b'])('called %s has the same values on both sides', async (at) => {
      const name = `${bench.name()}${at}`
      const cache = sides.node.getSetCache(name)
      const content = async () => ((await ask(name, 'ZRANGE', 0, -1)) as string[]).toSorted()
      for (const value of values) {
        expect(await cache.add(value, { ttlMs: LONG_MS })).toBe(true)
        const bytes = await content()
        expect(await inJava(sides.java, name, 'contains', value)).toBe(true)
        expect(await inJava(sides.java, name, 'add', value, ...LONG)).toBe(false)
        expect(await inJava(sides.java, name, 'addIfAbsent', 'PT600S', value)).toBe(false)
        expect(await content()).toEqual(bytes)
      }
      expect(sorted(await inJava(sides.java, name, 'readAll'))).toEqual(sorted(values))
      for (const value of values) {
        expect(await inJava(sides.java, name, 'remove', value)).toBe(true)
        expect(await cache.contains(value)).toBe(false)
        expect(await inJava(sides.java, name, 'add', value)).toBe(true)
        expect(await cache.remove(value)).toBe(true)
      }
      expect(await cache.isExists()).toBe(false)
    })

    it('is changed by many values at a time, by either side', async () => {
      const name = bench.name()
      const cache = sides.node.getSetCache(name)
      const [one, two, three] = values as readonly [unknown, unknown, unknown]
      expect(await inJava(sides.java, name, 'addAll', [one, two])).toBe(true)
      expect(await cache.addAllCounted([two, three])).toBe(1)
      expect(await inJava(sides.java, name, 'containsAll', [one, two, three])).toBe(true)
      expect(await inJava(sides.java, name, 'size')).toBe(3)
      expect(await cache.tryAdd(three)).toBe(false)
      expect(sorted(await allOf(cache))).toEqual(sorted([one, two, three]))
      expect(await cache.retainAll([one, two])).toBe(true)
      expect(await inJava(sides.java, name, 'retainAll', [one, two])).toBe(false)
      expect(await inJava(sides.java, name, 'removeAll', [one])).toBe(true)
      expect(await cache.random()).toEqual(two)
      expect(await cache.removeAllCounted([one, two])).toBe(1)
      expect(await inJava(sides.java, name, 'isEmpty')).toBe(true)
    })
  })

  describe('a set cache', () => {
    const sides = openSides(bench, { java: { codec: PLAIN_JSON } })

    it('has the same ends on both sides', async () => {
      const name = bench.name()
      const cache = sides.node.getSetCache<string>(name)
      const java = (...call: [string, ...unknown[]]) => inJava(sides.java, name, ...call)
      const expectEnd = async (value: string, ms: number) => {
        const score = Number(await ask(name, 'ZSCORE', JSON.stringify(value)))
        if (ms === Infinity) expect(score).toBeGreaterThan(NO_END)
        else expect(Math.abs(score - Date.now() - ms)).toBeLessThan(TOLERANCE_MS)
      }
      await cache.add('mine', { ttlMs: LONG_MS })
      await java('add', 'theirs', ...LONG)
      for (const value of ['mine', 'theirs']) {
        expect(await java('addIfGreater', 'PT300S', value), value).toBe(false)
        expect(await cache.addIfLess(value, { ttlMs: 2 * LONG_MS }), value).toBe(false)
        await expectEnd(value, LONG_MS)
        expect(await java('addIfGreater', 'PT1200S', value), value).toBe(true)
        expect(await cache.addIfLess(value, { ttlMs: LONG_MS }), value).toBe(true)
        expect(await java('addIfExists', 'PT900S', value), value).toBe(true)
        await expectEnd(value, 900_000)
      }
      await cache.add('mine')
      await java('add', 'theirs')
      await java('addAll', ['many'])
      await java('addIfAbsent', 'PT0S', 'zero')
      for (const value of ['mine', 'theirs', 'many', 'zero']) {
        await expectEnd(value, Infinity)
        expect(await cache.addIfGreater(value, { ttlMs: LONG_MS }), value).toBe(false)
        expect(await java('addIfGreater', 'PT600S', value), value).toBe(false)
      }
      expect(await cache.addIfLess('theirs', { ttlMs: LONG_MS })).toBe(true)
      expect(await java('addIfLess', 'PT600S', 'mine')).toBe(true)
      await expectEnd('mine', LONG_MS)
      expect(await cache.size()).toBe(4)
      await cache.delete()
    })

    it('hides what has ended on both sides', async () => {
      const name = bench.name()
      const cache = sides.node.getSetCache<string>(name)
      const java = (...call: [string, ...unknown[]]) => inJava(sides.java, name, ...call)
      await cache.add('mine', { ttlMs: 200 })
      await java('add', 'theirs', 200, 'MILLISECONDS')
      await cache.add('stays', { ttlMs: LONG_MS })
      await eventually(async () => {
        expect(await cache.readAll()).toEqual(['stays'])
      })
      await eventually(async () => {
        expect(await java('readAll')).toEqual(['stays'])
      })
      expect(await java('contains', 'mine')).toBe(false)
      expect(await cache.contains('theirs')).toBe(false)
      expect(await java('size')).toBe(1)
      await cache.delete()
    })

    it('is combined by either side', async () => {
      const tag = `{${bench.name()}}`
      const [one, two] = [`${tag}:1`, `${tag}:2`] as const
      await sides.node.getSetCache(one).addAll(['a', 'b'], { ttlMs: LONG_MS })
      await inJava(sides.java, two, 'add', 'b', ...LONG)
      await inJava(sides.java, two, 'add', 'c', ...LONG)
      expect(sorted(await sides.node.getSetCache(one).readUnion([two]))).toEqual(sorted(['a', 'b', 'c']))
      expect(sorted(await inJava(sides.java, one, 'readUnion', [two]))).toEqual(sorted(['a', 'b', 'c']))
      expect(await sides.node.getSetCache(one).readDiff([two])).toEqual(['a'])
      expect(await inJava(sides.java, one, 'readDiff', [two])).toEqual(['a'])
      expect(await sides.node.getSetCache(one).intersection([one, two])).toBe(1)
      expect(await inJava(sides.java, one, 'readAll')).toEqual(['b'])
      await sides.node.getKeys().delete(one, two)
    })

    it('notifies either side of values that have expired', async () => {
      const name = bench.name()
      const cache = sides.node.getSetCache(name)
      const heard: unknown[] = []
      const subscription = await cache.addListener('valueExpired', ({ value }) => heard.push(value))
      await sides.java.listen(name, ['getSetCache', name])
      await cache.addAll([['é', 1], 'stays'], { ttlMs: LONG_MS })
      await ask(name, 'ZADD', 1, JSON.stringify(['é', 1]))
      expect(await cache.random()).toBe('stays')
      await eventually(async () => {
        expect(await sides.java.heard(name)).toEqual([['é', 1]])
      })
      expect(heard).toEqual([['é', 1]])
      await subscription.unsubscribe()
      const getTopic = bench.topology.kind === 'cluster' ? 'getShardedTopic' : 'getTopic'
      await sides.java.call([getTopic, setCacheChannel(name)], ['removeAllListeners'])
      await cache.delete()
    })

    it('expires as a whole, and is renamed with the ends of its values, by either side', async () => {
      const name = `{${bench.name()}}`
      const names = [`${name}a`, `${name}b`] as const
      const cache = sides.node.getSetCache<string>(names[0])
      await cache.add('v', { ttlMs: LONG_MS })
      await cache.rename(names[1])
      expect(await inJava(sides.java, names[1], 'readAll')).toEqual(['v'])
      await inJava(sides.java, names[1], 'rename', names[0])
      expect(await inJava(sides.java, names[0], 'expire', 'PT600S')).toBe(true)
      expect(await cache.remainTimeToLive()).toBeGreaterThan(0)
      expect(await cache.clearExpire()).toBe(true)
      expect(await cache.addIfExists('v')).toBe(true)
      await cache.delete()
    })

    it('has the lock of a value on both sides', async () => {
      const name = bench.name()
      const lock = sides.node.getSetCache<string>(name).getLock('a')
      await lock.lock()
      expect(await sides.java.call(['getSetCache', name], ['getLock', 'a'], ['isLocked'])).toBe(true)
      await lock.unlock()
      expect(await sides.java.call(['getSetCache', name], ['getLock', 'a'], ['isLocked'])).toBe(false)
    })
  })
}
