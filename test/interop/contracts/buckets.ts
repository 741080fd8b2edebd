import { describe, expect, it } from 'vitest'
import { askOwner } from '../../support/ask-owner.js'
import { eventually } from '../../support/eventually.js'
import type { InteropFixture } from '../interop-fixture.js'
import type { JavaThread } from '../java-peer.js'
import { expectAlmost } from '../measure.js'
import { describeCodecs, openSides } from './codec-pairs.js'
import { PLAIN_JSON } from '../java-peer.js'

/** So long that no test waits for its end. */
const LONG_MS = 60_000

/** Enough that every node of a cluster has some of them. */
const MANY = 60

/** What values of either side owe the other. */
export function bucketsAcrossSides(bench: InteropFixture): void {
  const inJava = (thread: JavaThread, name: string, ...call: [string, ...unknown[]]) =>
    thread.call(['getBucket', name], call)

  describeCodecs(bench, 'a bucket', (sides, { values }) => {
    it.each(['плод', '{tag}:bucket', 'a{tag}b'])('called %s has one value on both sides', async (at) => {
      const name = `${bench.name()}${at}`
      const bucket = sides.node.getBucket(name)
      for (const value of values) {
        await bucket.set(value)
        const bytes = await askOwner(bench.topology, name, 'GET')
        expect(await inJava(sides.java, name, 'get')).toEqual(value)
        await inJava(sides.java, name, 'set', value)
        expect(await askOwner(bench.topology, name, 'GET')).toEqual(bytes)
        expect(await bucket.get()).toEqual(value)
        expect(await inJava(sides.java, name, 'size')).toBe(await bucket.size())
      }
      await bucket.delete()
      expect(await inJava(sides.java, name, 'isExists')).toBe(false)
    })

    it('is compared, set and taken by either side', async () => {
      const name = bench.name()
      const bucket = sides.node.getBucket(name)
      const [one, two] = values
      expect(await bucket.setIfAbsent(one)).toBe(true)
      expect(await inJava(sides.java, name, 'setIfAbsent', two)).toBe(false)
      expect(await inJava(sides.java, name, 'compareAndSet', two, one)).toBe(false)
      expect(await inJava(sides.java, name, 'compareAndSet', one, two)).toBe(true)
      expect(await bucket.compareAndSet(one, two)).toBe(false)
      expect(await bucket.compareAndSet(two, one)).toBe(true)
      expect(await inJava(sides.java, name, 'getAndSet', two)).toEqual(one)
      expect(await bucket.getAndSet(one)).toEqual(two)
      expect(await inJava(sides.java, name, 'setIfExists', two)).toBe(true)
      expect(await bucket.compareAndDelete(one)).toBe(false)
      expect(await bucket.getAndDelete()).toEqual(two)
      expect(await inJava(sides.java, name, 'compareAndSet', null, one)).toBe(true)
      expect(await bucket.compareAndSet(undefined, two)).toBe(false)
      expect(await inJava(sides.java, name, 'getAndDelete')).toEqual(one)
      expect(await bucket.compareAndSet(undefined, two)).toBe(true)
      expect(await inJava(sides.java, name, 'trySet', one)).toBe(false)
      expect(await inJava(sides.java, name, 'compareAndSet', two, null)).toBe(true)
      expect(await bucket.get()).toBeUndefined()
    })
  })

  describe('a bucket', () => {
    const sides = openSides(bench, { java: { codec: PLAIN_JSON } })

    it('set to null by Java is gone, and set to null by Node holds that', async () => {
      const name = bench.name()
      const bucket = sides.node.getBucket(name)
      await bucket.set(1)
      await inJava(sides.java, name, 'set', null)
      expect(await bucket.isExists()).toBe(false)
      await bucket.set(null)
      expect(await inJava(sides.java, name, 'get')).toBeNull()
      expect(await inJava(sides.java, name, 'isExists')).toBe(true)
      expect(await bucket.get()).toBeNull()
      await bucket.delete()
    })

    it('has one time to live, which each change treats alike', async () => {
      const name = bench.name()
      const bucket = sides.node.getBucket(name)
      const ttl = async () => [
        await bucket.remainTimeToLive(),
        await inJava(sides.java, name, 'remainTimeToLive'),
      ]
      await inJava(sides.java, name, 'set', 1, 'PT60S')
      for (const leftMs of await ttl()) expectAlmost(leftMs, LONG_MS)
      await bucket.setAndKeepTTL(2)
      for (const leftMs of await ttl()) expectAlmost(leftMs, LONG_MS)
      await inJava(sides.java, name, 'setAndKeepTTL', 3)
      for (const leftMs of await ttl()) expectAlmost(leftMs, LONG_MS)
      await bucket.getAndSet(4)
      expect(await ttl()).toEqual([-1, -1])
      expect(await bucket.setIfExists(5, LONG_MS)).toBe(true)
      for (const leftMs of await ttl()) expectAlmost(leftMs, LONG_MS)
      await inJava(sides.java, name, 'compareAndSet', 5, 6)
      expect(await ttl()).toEqual([-1, -1])
      expect(await inJava(sides.java, name, 'getAndExpire', 'PT60S')).toBe(6)
      for (const leftMs of await ttl()) expectAlmost(leftMs, LONG_MS)
      expect(await bucket.getAndClearExpire()).toBe(6)
      expect(await ttl()).toEqual([-1, -1])
      await bucket.set(7, 20)
      await eventually(async () => expect(await inJava(sides.java, name, 'get')).toBeNull())
      expect(await ttl()).toEqual([-2, -2])
    })

    it('is renamed by Node for Java, and by Java for Node', async () => {
      const [one, two] = [`{${bench.name()}}1`, `{${bench.name()}}2`]
      const tagged = one.replace(/1$/, '2')
      await inJava(sides.java, one, 'set', 'v')
      await sides.node.getBucket(one).rename(tagged)
      expect(await inJava(sides.java, tagged, 'get')).toBe('v')
      await inJava(sides.java, tagged, 'rename', one)
      expect(await sides.node.getBucket(one).getAndDelete()).toBe('v')
      expect(await sides.node.getBucket(two).get()).toBeUndefined()
    })
  })

  describe('buckets of many slots', () => {
    const sides = openSides(bench, { java: { codec: PLAIN_JSON } })
    const all = (start: string) =>
      Object.fromEntries(Array.from({ length: MANY }, (_, n) => [`${start}ключ${String(n)}`, { n }]))
    const remove = (names: readonly string[]) =>
      Promise.all(names.map((name) => sides.node.getBucket(name).delete()))

    it('set by Node are read by Java, and set by Java are read by Node', async () => {
      for (const [index, set] of [
        (values: object) => sides.node.getBuckets().set(values as Record<string, unknown>),
        (values: object) => sides.java.call(['getBuckets'], ['set', values]),
      ].entries()) {
        const values = all(`${bench.name()}-${String(index)}`)
        const names = Object.keys(values)
        await set(values)
        expect(await sides.java.call(['getBuckets'], ['get', [...names, 'none']])).toEqual(values)
        expect(Object.fromEntries(await sides.node.getBuckets().get(...names, 'none'))).toEqual(values)
        await remove(names)
      }
    })

    it('are tried to be set by either side only where none is there', async () => {
      const tag = `{${bench.name()}}`
      const first = { [`${tag}a`]: 1, [`${tag}b`]: 2 }
      const second = { [`${tag}b`]: 3, [`${tag}c`]: 4 }
      const names = [`${tag}a`, `${tag}b`, `${tag}c`]
      const inNode = (values: object) => sides.node.getBuckets().trySet(values as Record<string, unknown>)
      const byJava = (values: object) => sides.java.call(['getBuckets'], ['trySet', values])
      expect(await inNode(first)).toBe(true)
      expect(await byJava(second)).toBe(false)
      expect(Object.fromEntries(await sides.node.getBuckets().get(...names))).toEqual(first)
      await remove(names)
      expect(await byJava(second)).toBe(true)
      expect(await inNode(first)).toBe(false)
      expect(await sides.java.call(['getBuckets'], ['get', names])).toEqual(second)
      await remove(names)
    })

    it('have the names that a mapper makes, on both sides', async () => {
      const prefix = 'mapped:'
      const nameMapper = {
        map: (name: string) => `${prefix}${name}`,
        unmap: (name: string) => name.slice(prefix.length),
      }
      await using mapped = await bench.open({ node: { nameMapper }, java: { prefix, codec: PLAIN_JSON } })
      const values = all(bench.name())
      const names = Object.keys(values)
      await mapped.node.getBuckets().set(values)
      const thread = mapped.java.thread('mapped')
      expect(await thread.call(['getBuckets'], ['get', names])).toEqual(values)
      expect(await askOwner(bench.topology, `${prefix}${String(names[0])}`, 'EXISTS')).toBe(1)
      await remove(names.map((name) => `${prefix}${name}`))
    })
  })
}
