import { describe, expect, it } from 'vitest'
import { allOf } from '../../support/all-of.js'
import { askOwner } from '../../support/ask-owner.js'
import type { InteropFixture } from '../interop-fixture.js'
import { PLAIN_JSON, type JavaThread } from '../java-peer.js'
import { expectAlmost } from '../measure.js'
import { describeCodecs, openSides } from './codec-pairs.js'

/** So long that no test waits for its end. */
const LONG_MS = 600_000

/** More than Node reads by one request. */
const MANY = 6_000

const sorted = (found: unknown) => (found as unknown[]).map((value) => JSON.stringify(value)).toSorted()

/** What sets of either side owe the other. */
export function setsAcrossSides(bench: InteropFixture): void {
  const inJava = (thread: JavaThread, name: string, ...call: [string, ...unknown[]]) =>
    thread.call(['getSet', name], call)

  describeCodecs(bench, 'a set', (sides, { values }) => {
    it.each(['плод', '{tag}:set', 'a{tag}b'])('called %s has the same values on both sides', async (at) => {
      const name = `${bench.name()}${at}`
      const set = sides.node.getSet(name)
      const content = async () => ((await askOwner(bench.topology, name, 'SMEMBERS')) as string[]).toSorted()
      for (const value of values) {
        expect(await set.add(value)).toBe(true)
        const bytes = await content()
        expect(await inJava(sides.java, name, 'contains', value)).toBe(true)
        expect(await inJava(sides.java, name, 'add', value)).toBe(false)
        expect(await content()).toEqual(bytes)
      }
      expect(sorted(await inJava(sides.java, name, 'readAll'))).toEqual(sorted(values))
      for (const value of values) {
        expect(await inJava(sides.java, name, 'remove', value)).toBe(true)
        expect(await set.contains(value)).toBe(false)
        expect(await inJava(sides.java, name, 'add', value)).toBe(true)
        expect(await set.remove(value)).toBe(true)
      }
      expect(await set.isExists()).toBe(false)
    })

    it('is changed by many values at a time, by either side', async () => {
      const name = bench.name()
      const set = sides.node.getSet(name)
      const [one, two, three] = values as readonly [unknown, unknown, unknown]
      expect(await inJava(sides.java, name, 'addAllCounted', [one, two])).toBe(2)
      expect(await set.addAllCounted([two, three])).toBe(1)
      expect(await inJava(sides.java, name, 'containsAll', [one, two, three])).toBe(true)
      expect(sorted(await inJava(sides.java, name, 'containsEach', [one, two]))).toEqual(sorted([one, two]))
      expect(await inJava(sides.java, name, 'tryAdd', [three])).toBe(false)
      expect(await set.containsAll([one, two, three])).toBe(true)
      expect(await inJava(sides.java, name, 'retainAll', [one, two])).toBe(true)
      expect(await set.containsEach([one, two, three])).toEqual([true, true, false])
      expect(await set.retainAll([one])).toBe(true)
      expect(await inJava(sides.java, name, 'readAll')).toEqual([one])
      expect(await set.tryAdd(two, three)).toBe(true)
      expect(await inJava(sides.java, name, 'removeAllCounted', [two, three])).toBe(2)
      expect(await inJava(sides.java, name, 'random')).toEqual(one)
      expect(await inJava(sides.java, name, 'removeRandom')).toEqual(one)
      expect(await set.isExists()).toBe(false)
    })

    it('is moved from and combined with others by either side', async () => {
      const tag = `{${bench.name()}}`
      const [one, two] = values as readonly [unknown, unknown]
      const [from, to] = [`${tag}:from`, `${tag}:to`]
      await sides.node.getSet(from).addAll([one, two])
      expect(await inJava(sides.java, from, 'move', to, one)).toBe(true)
      expect(await sides.node.getSet(from).move(to, two)).toBe(true)
      expect(sorted(await inJava(sides.java, to, 'readAll'))).toEqual(sorted([one, two]))
      expect(await sides.node.getSet(from).union([to])).toBe(2)
      expect(await inJava(sides.java, from, 'countIntersection', [to])).toBe(2)
      expect(await inJava(sides.java, to, 'remove', two)).toBe(true)
      expect(await sides.node.getSet(from).readDiff([to])).toEqual([two])
      expect(await inJava(sides.java, from, 'readDiff', [to])).toEqual([two])
      expect(await inJava(sides.java, from, 'intersection', [from, to])).toBe(1)
      expect(await sides.node.getSet(from).readAll()).toEqual([one])
      await sides.node.getKeys().delete(from, to)
    })
  })

  describeCodecs(bench, 'the values of a set', (sides, { values }) => {
    it.each(['плод', '{tag}:set'])('called %s have the same locks on both sides', async (at) => {
      const name = `${bench.name()}${at}`
      const set = sides.node.getSet(name)
      const [value] = values
      const locks = [
        [set.getLock(value), ['getLock', value]],
        [set.getFairLock(value), ['getFairLock', value]],
        [set.getReadWriteLock(value).writeLock(), ['getReadWriteLock', value], ['writeLock']],
      ] as const
      for (const [lock, ...path] of locks) {
        const byJava = (method: string) => sides.java.call(['getSet', name], ...path, [method])
        await lock.withLock(async () => {
          expect(await byJava('tryLock')).toBe(false)
        })
        expect(await byJava('tryLock')).toBe(true)
        expect(await lock.tryAcquire()).toBeUndefined()
        await byJava('unlock')
      }
      const inJavas = (...path: [string, ...unknown[]][]) => sides.java.call(['getSet', name], ...path)
      await set.getSemaphore(value).trySetPermits(3)
      expect(await inJavas(['getSemaphore', value], ['availablePermits'])).toBe(3)
      await set.getSemaphore(value).delete()
      const permits = set.getPermitExpirableSemaphore(value)
      await permits.trySetPermits(2)
      expect(await inJavas(['getPermitExpirableSemaphore', value], ['availablePermits'])).toBe(2)
      await permits.delete()
      await set.getCountDownLatch(value).trySetCount(4)
      expect(await inJavas(['getCountDownLatch', value], ['getCount'])).toBe(4)
      await set.getCountDownLatch(value).delete()
    })
  })

  describe('a set', () => {
    const sides = openSides(bench, { java: { codec: PLAIN_JSON } })

    it('of many values is walked through by the other side, and by both together', async () => {
      const name = bench.name()
      const set = sides.node.getSet<number>(name)
      const all = Array.from({ length: MANY }, (_, n) => n)
      await inJava(sides.java, name, 'addAll', all)
      expect((await set.readAll()).toSorted((a, b) => a - b)).toEqual(all)
      expect(new Set(await allOf(set.values({ count: 700 }))).size).toBe(MANY)
      expect(new Set((await inJava(sides.java, name, 'iterator', 500)) as number[]).size).toBe(MANY)

      const half = set.distributedIterator({ count: 500 })[Symbol.asyncIterator]()
      const mine: number[] = []
      for (let next = await half.next(); next.done !== true; next = await half.next()) {
        mine.push(next.value)
        if (mine.length === 300) break // within the first page, which is ours whole
      }
      const theirs = (await inJava(sides.java, name, 'distributedIterator', 500)) as number[]
      for (let next = await half.next(); next.done !== true; next = await half.next()) mine.push(next.value)
      expect([...mine, ...theirs].toSorted((a, b) => a - b)).toEqual(all)
      expect(theirs.length).toBeGreaterThan(MANY / 2)
      await sides.node.getKeys().delete(name, `__redisson_set_cursor_{${name}}`)
    })

    it('is sorted by either side', async () => {
      const tag = `{${bench.name()}}`
      const set = sides.node.getSet<number>(`${tag}:set`)
      await set.addAll([30, 4, 200])
      expect(await inJava(sides.java, set.name, 'readSort', 'DESC')).toEqual(
        await set.readSort({ order: 'DESC' }),
      )
      expect(await inJava(sides.java, set.name, 'sortTo', `${tag}:theirs`, 'ASC', 1, 2)).toBe(2)
      expect(await set.sortTo(`${tag}:ours`, { offset: 1, count: 2 })).toBe(2)
      const list = (name: string) => askOwner(bench.topology, name, 'LRANGE', 0, -1)
      expect(await list(`${tag}:theirs`)).toEqual(await list(`${tag}:ours`))
      await sides.node.getKeys().delete(set.name, `${tag}:theirs`, `${tag}:ours`)
    })

    it('has one time to live', async () => {
      const name = bench.name()
      const set = sides.node.getSet<number>(name)
      await inJava(sides.java, name, 'add', 1)
      expect(await set.expire(LONG_MS)).toBe(true)
      expectAlmost(await inJava(sides.java, name, 'remainTimeToLive'), LONG_MS)
      expect(await inJava(sides.java, name, 'clearExpire')).toBe(true)
      expect(await set.remainTimeToLive()).toBe(-1)
      await set.delete()
    })
  })
}
