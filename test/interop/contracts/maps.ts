import { describe, expect, it } from 'vitest'
import { allOf } from '../../support/all-of.js'
import { askOwner } from '../../support/ask-owner.js'
import { eventually } from '../../support/eventually.js'
import type { InteropFixture } from '../interop-fixture.js'
import { PLAIN_JSON, type JavaThread } from '../java-peer.js'
import { expectAlmost } from '../measure.js'
import { describeCodecs, openSides } from './codec-pairs.js'

/** So long that no test waits for its end. */
const LONG_MS = 600_000

/** More than Node reads by one request, and than Java walks through by some. */
const MANY = 6_000

/** How often each side counts, which takes some ten milliseconds each. */
const COUNTS = 40

/** What maps of either side owe the other. */
export function mapsAcrossSides(bench: InteropFixture): void {
  const inJava = (thread: JavaThread, name: string, ...call: [string, ...unknown[]]) =>
    thread.call(['getMap', name], call)

  describeCodecs(bench, 'a map', (sides, { keys, values }) => {
    it.each(['плод', '{tag}:map', 'a{tag}b'])('called %s has the same entries on both sides', async (at) => {
      const name = `${bench.name()}${at}`
      const map = sides.node.getMap(name)
      const content = () => askOwner(bench.topology, name, 'HGETALL')
      for (const key of keys as readonly string[])
        for (const value of values) {
          await map.put(key, value)
          const bytes = await content()
          expect(await inJava(sides.java, name, 'get', key)).toEqual(value)
          expect(await inJava(sides.java, name, 'put', key, value)).toEqual(value)
          expect(await content()).toEqual(bytes)
          expect(await map.get(key)).toEqual(value)
          expect(await map.containsValue(value)).toBe(true)
          expect(await inJava(sides.java, name, 'containsValue', value)).toBe(true)
          expect(await inJava(sides.java, name, 'remove', key, value)).toBe(true)
        }
      expect(await map.isExists()).toBe(false)
    })

    it('is changed by either side if it is as expected', async () => {
      const name = bench.name()
      const map = sides.node.getMap(name)
      const [key, other] = keys as readonly [string, string, string]
      const [one, two] = values
      expect(await map.putIfAbsent(key, one)).toBeUndefined()
      expect(await inJava(sides.java, name, 'putIfAbsent', key, two)).toEqual(one)
      expect(await inJava(sides.java, name, 'fastPutIfAbsent', key, two)).toBe(false)
      expect(await inJava(sides.java, name, 'replace', key, one, two)).toBe(true)
      expect(await map.replace(key, one, two)).toBe(false)
      expect(await map.replace(key, two, one)).toBe(true)
      expect(await inJava(sides.java, name, 'putIfExists', key, two)).toEqual(one)
      expect(await map.putIfExists(key, one)).toEqual(two)
      expect(await inJava(sides.java, name, 'fastPutIfExists', other, two)).toBe(false)
      expect(await map.fastPut(other, two)).toBe(true)
      expect(await inJava(sides.java, name, 'fastPut', other, one)).toBe(false)
      expect(await inJava(sides.java, name, 'remove', key)).toEqual(one)
      expect(await map.remove(other, two)).toBe(false)
      expect(await inJava(sides.java, name, 'fastRemove', [key, other])).toBe(1)
      expect(await map.size()).toBe(0)
    })

    it('is read as a whole and walked through by either side', async () => {
      const name = bench.name()
      const map = sides.node.getMap(name)
      const [value] = values
      const entries = (keys as readonly string[]).map((key) => [key, value] as const)
      await map.putAll(entries)
      const sorted = (found: unknown) => (found as unknown[]).map(String).toSorted()
      for (const method of ['keySet', 'readAllKeySet'])
        expect(sorted(await inJava(sides.java, name, method)), method).toEqual(sorted(keys))
      for (const method of ['values', 'readAllValues'])
        expect(await inJava(sides.java, name, method), method).toEqual(keys.map(() => value))
      const whole = Object.fromEntries(entries.map(([key]) => [key, value]))
      expect(await inJava(sides.java, name, 'readAllMap')).toEqual(whole)
      expect(await inJava(sides.java, name, 'getAll', [...keys, ...keys])).toEqual(whole)
      expect(await map.readAllMap()).toEqual(new Map(entries))
      expect(new Map(await allOf(map))).toEqual(new Map(entries))
      expect(await inJava(sides.java, name, 'size')).toBe(keys.length)
      await map.delete()
    })
  })

  describeCodecs(bench, 'the entries of a map', (sides, { keys }) => {
    it.each(['плод', '{tag}:map'])('called %s have the same locks on both sides', async (at) => {
      const name = `${bench.name()}${at}`
      const map = sides.node.getMap(name)
      for (const key of keys as readonly string[]) {
        const locks = [
          [map.getLock(key), ['getLock', key]],
          [map.getFairLock(key), ['getFairLock', key]],
          [map.getReadWriteLock(key).writeLock(), ['getReadWriteLock', key], ['writeLock']],
        ] as const
        for (const [lock, ...path] of locks) {
          const byJava = (method: string) => sides.java.call(['getMap', name], ...path, [method])
          await lock.withLock(async () => {
            expect(await byJava('tryLock')).toBe(false)
          })
          expect(await byJava('tryLock')).toBe(true)
          expect(await lock.tryAcquire()).toBeUndefined()
          await byJava('unlock')
        }
        await map.getSemaphore(key).trySetPermits(3)
        expect(await sides.java.call(['getMap', name], ['getSemaphore', key], ['availablePermits'])).toBe(3)
        await map.getSemaphore(key).delete()
        const permits = map.getPermitExpirableSemaphore(key)
        await permits.trySetPermits(2)
        expect(
          await sides.java.call(['getMap', name], ['getPermitExpirableSemaphore', key], ['availablePermits']),
        ).toBe(2)
        await permits.delete()
        await map.getCountDownLatch(key).trySetCount(4)
        expect(await sides.java.call(['getMap', name], ['getCountDownLatch', key], ['getCount'])).toBe(4)
        await map.getCountDownLatch(key).delete()
      }
    })
  })

  describe('the entries of a map under a mapped name', () => {
    it('have the same locks on both sides', async () => {
      const prefix = 'mapped:'
      const nameMapper = {
        map: (name: string) => `${prefix}${name}`,
        unmap: (name: string) => name.slice(prefix.length),
      }
      await using mapped = await bench.open({ node: { nameMapper }, java: { prefix, codec: PLAIN_JSON } })
      const name = bench.name()
      const byJava = (method: string) =>
        mapped.java.thread('mapped').call(['getMap', name], ['getLock', 'k'], [method])
      await mapped.node
        .getMap(name)
        .getLock('k')
        .withLock(async () => {
          expect(await byJava('tryLock')).toBe(false)
        })
      expect(await byJava('tryLock')).toBe(true)
      expect(await mapped.node.getMap(name).getLock('k').tryAcquire()).toBeUndefined()
      await byJava('unlock')
    })
  })

  describe('a map', () => {
    const sides = openSides(bench, { java: { codec: PLAIN_JSON } })

    it.each(['compute', 'merge'] as const)('counts by %s on both sides at once', async (by) => {
      const name = bench.name()
      const map = sides.node.getMap<string, number>(name)
      const inNode = async () => {
        for (let n = 0; n < COUNTS; n += 1)
          await (by === 'compute'
            ? map.compute('n', (_, value = 0) => value + 1)
            : map.merge('n', 1, (before, one) => before + one))
      }
      const byJava = sides.java.compute({ key: 'n', times: COUNTS, by }, ['getMap', name])
      await Promise.all([byJava, inNode(), inNode()])
      expect(await map.get('n')).toBe(COUNTS * 3)
      await map.delete()
    })

    it('is one of several that either side replaces', async () => {
      const [a, b] = [bench.name(), bench.name()]
      await sides.node.getMaps().set({ [a]: { k: 'é' }, [b]: { other: 1 } })
      const bytes = await askOwner(bench.topology, a, 'HGETALL')
      expect(await inJava(sides.java, b, 'readAllMap')).toEqual({ other: 1 })
      await sides.java.call(['getMaps'], ['set', { [a]: { k: 'é' }, [b]: { k: [2] } }])
      expect(await askOwner(bench.topology, a, 'HGETALL')).toEqual(bytes)
      expect(await sides.node.getMap(b).readAllMap()).toEqual(new Map([['k', [2]]]))
      await sides.node.getMaps().set({ [a]: {}, [b]: {} })
      expect(await inJava(sides.java, b, 'isExists')).toBe(false)
    })

    it('of many entries is walked through by the other side', async () => {
      const name = bench.name()
      const map = sides.node.getMap<string, number>(name)
      const all = Object.fromEntries(Array.from({ length: MANY }, (_, n) => [`k${String(n)}`, n]))
      await inJava(sides.java, name, 'putAll', all)
      expect(Object.fromEntries(await map.readAllMap())).toEqual(all)
      expect(Object.fromEntries(await allOf(map.entries({ count: 700 })))).toEqual(all)
      expect(new Set(await allOf(map.keys({ pattern: 'k59*' }))).size).toBe(111)
      expect(new Set((await inJava(sides.java, name, 'keySet', 500)) as string[]).size).toBe(MANY)
      expect(new Set((await inJava(sides.java, name, 'keySet', 'k59*', 500)) as string[]).size).toBe(111)
      await map.delete()
    })

    it('takes no null from Java, and one from Node is there for Java', async () => {
      const name = bench.name()
      const map = sides.node.getMap(name)
      await expect(inJava(sides.java, name, 'put', 'k', null)).rejects.toMatchObject({
        type: 'NullPointerException',
      })
      await map.put('k', null)
      expect(await inJava(sides.java, name, 'get', 'k')).toBeNull()
      expect(await inJava(sides.java, name, 'containsKey', 'k')).toBe(true)
      expect(await inJava(sides.java, name, 'putIfAbsent', 'k', 1)).toBeNull()
      expect(await map.get('k')).toBeNull() // so Java has set nothing, whatever it says
      await map.delete()
    })

    it('adds to numbers of the other side', async () => {
      const name = bench.name()
      const map = sides.node.getMap<string, number>(name)
      expect(await map.addAndGet('n', 5)).toBe(5)
      expect(await inJava(sides.java, name, 'addAndGet', 'n', 2)).toBe(7)
      expect(await inJava(sides.java, name, 'addAndGet', 'n', 0.5)).toBe(7.5)
      expect(await map.addAndGet('n', -7.5)).toBe(0)
      await inJava(sides.java, name, 'put', 'n', 1e7)
      expect(await map.addAndGet('n', 1)).toBe(10_000_001)
      await map.delete()
    })

    it('has one time to live', async () => {
      const name = bench.name()
      const map = sides.node.getMap<string, number>(name)
      await inJava(sides.java, name, 'put', 'k', 1)
      expect(await map.expire(LONG_MS)).toBe(true)
      expectAlmost(await inJava(sides.java, name, 'remainTimeToLive'), LONG_MS)
      expect(await inJava(sides.java, name, 'clearExpire')).toBe(true)
      expect(await map.remainTimeToLive()).toBe(-1)
      expect(await inJava(sides.java, name, 'expire', 'PT0.02S')).toBe(true)
      await eventually(async () => expect(await map.get('k')).toBeUndefined())
    })
  })
}
