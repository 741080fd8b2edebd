import { describe, expect, it } from 'vitest'
import { askOwner } from '../../support/ask-owner.js'
import type { InteropFixture } from '../interop-fixture.js'
import { PLAIN_JSON, type JavaThread } from '../java-peer.js'
import { expectAlmost } from '../measure.js'
import { describeCodecs, openSides } from './codec-pairs.js'

/** So long that no test waits for its end. */
const LONG_MS = 600_000

/** Enough that a difference in any bit would be seen. */
const MANY = 10_000

/** What Bloom filters of either side owe the other. */
export function bloomFiltersAcrossSides(bench: InteropFixture): void {
  const inJava = (thread: JavaThread, name: string, ...call: [string, ...unknown[]]) =>
    thread.call(['getBloomFilter', name], call)

  describeCodecs(bench, 'a Bloom filter', (sides, { values }) => {
    it.each(['фильтр', '{tag}:filter', 'a{tag}b'])('called %s is one on both sides', async (at) => {
      const name = `${bench.name()}${at}`
      const filter = sides.node.getBloomFilter(name)
      expect(await inJava(sides.java, name, 'tryInit', 1_000, 0.0001)).toBe(true)
      expect(await filter.tryInit(5, 0.5)).toBe(false)
      for (const value of values) {
        expect(await filter.add(value)).toBe(true)
        expect(await inJava(sides.java, name, 'contains', [value])).toBe(1)
        expect(await inJava(sides.java, name, 'add', [value])).toBe(0)
      }
      expect(await filter.count()).toBe(await inJava(sides.java, name, 'count'))
      expect(await inJava(sides.java, name, 'delete')).toBe(true)
      expect(await filter.tryInit(1_000, 0.0001)).toBe(true)
      for (const value of values) {
        expect(await inJava(sides.java, name, 'add', [value])).toBe(1)
        expect(await filter.contains(value)).toBe(true)
        expect(await filter.add(value)).toBe(false)
      }
      expect(await filter.delete()).toBe(true)
      expect(await inJava(sides.java, name, 'isExists')).toBe(false)
    })
  })

  describe('a Bloom filter', () => {
    const sides = openSides(bench, { java: { codec: PLAIN_JSON } })

    it.each([
      [100, 0.03],
      [1_000_000, 0.01],
      [55_000_000, 0.001],
      [1_000, 0.0001],
      [1, 0.5],
      [7, 0.9],
      [3, 1e-7],
      [123_457, 0.0123],
    ])('for %i values with a probability of %d has the same settings on both sides', async (n, p) => {
      const name = bench.name()
      const filter = sides.node.getBloomFilter(name)
      const config = `{${name}}:config`
      await filter.tryInit(n, p)
      const written = await askOwner(bench.topology, config, 'HGETALL')
      for (const method of ['getSize', 'getHashIterations', 'getExpectedInsertions', 'getFalseProbability'])
        expect(await inJava(sides.java, name, method)).toBe(
          await filter[method as 'getSize' | 'getHashIterations'](),
        )
      await filter.delete()
      await inJava(sides.java, name, 'tryInit', n, p)
      expect(await askOwner(bench.topology, config, 'HGETALL')).toEqual(written)
      await filter.delete()
    })

    it('of many values says the same of each, whether it was added or not', async () => {
      const [theirs, ours] = [`${bench.name()}-java`, `${bench.name()}-node`]
      const all = Array.from({ length: MANY }, (_, n) => `значение ${String(n)}`)
      const added = all.slice(0, MANY / 2)
      await sides.node.getBloomFilter(ours).tryInit(MANY / 2, 0.05)
      await sides.node.getBloomFilter(theirs).tryInit(MANY / 2, 0.05)
      const news = await sides.node.getBloomFilter<string>(ours).addAll(added)
      expect(await inJava(sides.java, theirs, 'add', added)).toBe(news)
      expect(await askOwner(bench.topology, ours, 'GET')).toEqual(
        await askOwner(bench.topology, theirs, 'GET'),
      )
      const found = await sides.node.getBloomFilter<string>(theirs).exists(all)
      expect(found.length).toBeGreaterThan(added.length) // some that were not added as well
      expect(await inJava(sides.java, ours, 'contains', all)).toBe(found.length)
      expect(new Set((await inJava(sides.java, ours, 'exists', all)) as string[])).toEqual(new Set(found))
      expect(await inJava(sides.java, ours, 'count')).toBe(await sides.node.getBloomFilter(theirs).count())
      await sides.node.getBloomFilter(ours).delete()
      await sides.node.getBloomFilter(theirs).delete()
    })

    it('is renamed and made to expire by either side, with and without values', async () => {
      const tag = `{${bench.name()}}`
      const [one, two] = [`${tag}:one`, `${tag}:two`]
      await inJava(sides.java, one, 'tryInit', 100, 0.03)
      expect(await sides.node.getBloomFilter(one).isExists()).toBe(true)
      await sides.node.getBloomFilter(one).rename(two)
      expect(await inJava(sides.java, two, 'add', 'a')).toBe(true)
      await inJava(sides.java, two, 'rename', one)
      expect(await sides.node.getBloomFilter(one).contains('a')).toBe(true)
      expect(await sides.node.getBloomFilter(one).expire(LONG_MS)).toBe(true)
      expectAlmost(await inJava(sides.java, one, 'remainTimeToLive'), LONG_MS)
      expect(await inJava(sides.java, one, 'clearExpire')).toBe(true)
      expect(await sides.node.getBloomFilter(one).remainTimeToLive()).toBe(-1)
      await sides.node.getBloomFilter(one).delete()
    })
  })
}
