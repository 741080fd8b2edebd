import { describe, expect, it } from 'vitest'
import { allOf } from '../../support/all-of.js'
import type { InteropFixture } from '../interop-fixture.js'
import { PLAIN_JSON } from '../java-peer.js'
import { expectAlmost } from '../measure.js'
import { openSides } from './codec-pairs.js'

/** So long that no test waits for its end. */
const LONG_MS = 600_000

/** The highest index that does not take much memory. */
const FAR = 1_000_003

/** What bit sets of either side owe the other. */
export function bitSetsAcrossSides(bench: InteropFixture): void {
  describe('a bit set', () => {
    const sides = openSides(bench, { java: { codec: PLAIN_JSON } })
    const inJava = (name: string, ...call: [string, ...unknown[]]) =>
      sides.java.call(['getBitSet', name], call)
    /** The bits as Java sees them. */
    const javaBits = async (name: string) => {
      const text = String(await inJava(name, 'asBitSet')).slice(1, -1)
      return text === '' ? [] : text.split(', ').map(Number)
    }

    it.each(['биты', '{tag}:bits', 'a{tag}b'])('called %s has the same bits on both sides', async (at) => {
      const name = `${bench.name()}${at}`
      const bits = sides.node.getBitSet(name)
      expect([await inJava(name, 'length'), await inJava(name, 'size')]).toEqual([0, 0])
      expect(await inJava(name, 'set', 3)).toBe(false)
      expect(await bits.set(3)).toBe(true)
      await bits.setAll([0, 7, 8, FAR])
      expect(await javaBits(name)).toEqual([0, 3, 7, 8, FAR])
      expect(await inJava(name, 'get', [FAR, 1])).toEqual([true, false])
      for (const method of ['length', 'size', 'cardinality'] as const)
        expect(await inJava(name, method), method).toBe(await bits[method]())
      await inJava(name, 'set', [7, 9], false)
      await inJava(name, 'set', 20, 40)
      await inJava(name, 'clear', 30, 38)
      await bits.setRange(24, 28, false)
      const left = [0, 3, 8, 20, 21, 22, 23, 28, 29, 38, 39, FAR]
      expect(await allOf(bits.indexes())).toEqual(left)
      expect(await javaBits(name)).toEqual(left)
      await inJava(name, 'clear')
      expect(await bits.isExists()).toBe(false)
    })

    it('is written as bytes by either side', async () => {
      const name = bench.name()
      const bits = sides.node.getBitSet(name)
      for (const indexes of [[], [0], [7], [8], [1, 2, 300]]) {
        await inJava(name, 'set', indexes)
        expect(await allOf(bits.indexes())).toEqual(indexes)
        const bytes = await bits.toByteArray()
        await bits.delete()
        await bits.setByteArray(bytes)
        expect(await javaBits(name)).toEqual(indexes)
      }
      await bits.delete()
    })

    it('is inverted and combined by either side', async () => {
      const tag = `{${bench.name()}}`
      const [own, one, two] = [`${tag}:own`, `${tag}:one`, `${tag}:two`]
      await sides.node.getBitSet(one).setAll([1, 2, 20])
      await sides.node.getBitSet(two).setAll([2, 3])
      const results: Record<string, unknown> = {}
      const methods = ['and', 'or', 'xor'] as const // those that servers before 8.2 have for Java
      for (const method of methods) {
        await sides.node.getBitSet(own).setAll([0, 1, 2, 3])
        results[method] = [await inJava(own, method, [one, two]), await javaBits(own)]
        await sides.node.getBitSet(own).delete()
        await sides.node.getBitSet(own).setAll([0, 1, 2, 3])
        const bytes = await sides.node.getBitSet(own)[method]([one, two])
        expect([bytes, await allOf(sides.node.getBitSet(own).indexes())], method).toEqual(results[method])
        expect(await inJava(own, 'not')).toBe(bytes)
        expect(await sides.node.getBitSet(own).not()).toBe(bytes)
        expect([bytes, await javaBits(own)]).toEqual(results[method])
        await sides.node.getBitSet(own).delete()
      }
      for (const each of [one, two]) await inJava(each, 'delete')
    })

    it('has the same integers on both sides', async () => {
      const name = bench.name()
      const bits = sides.node.getBitSet(name)
      for (const [size, what] of [
        [8, 'Byte'],
        [16, 'Short'],
        [32, 'Integer'],
        [64, 'Long'],
      ] as const) {
        const least = -(2 ** Math.min(size - 1, 52))
        expect(await bits[`set${what}`](5, least)).toBe(0)
        expect(await inJava(name, `get${what}`, 5)).toBe(least)
        expect(await inJava(name, `incrementAndGet${what}`, 5, 7)).toBe(least + 7)
        expect(await bits[`incrementAndGet${what}`](5, -7)).toBe(least)
        expect(await inJava(name, `set${what}`, 5, 9)).toBe(least)
        expect(await bits[`get${what}`](5)).toBe(9)
        expect(await inJava(name, 'getSigned', size, 5)).toBe(9)
        await bits.delete()
      }
      expect(await bits.setUnsigned(53, 11, 2 ** 53 - 1)).toBe(0)
      expect(await inJava(name, 'getUnsigned', 53, 11)).toBe(2 ** 53 - 1)
      expect(await inJava(name, 'setUnsigned', 5, 11, 17)).toBe(31)
      expect(await bits.getUnsigned(5, 11)).toBe(17)
      await bits.delete()
    })

    it('is renamed and made to expire by either side', async () => {
      const tag = `{${bench.name()}}`
      const [one, two] = [`${tag}:one`, `${tag}:two`]
      await inJava(one, 'set', 5)
      await sides.node.getBitSet(one).rename(two)
      expect(await sides.node.getBitSet(two).expire(LONG_MS)).toBe(true)
      await inJava(two, 'set', 6)
      expectAlmost(await inJava(two, 'remainTimeToLive'), LONG_MS)
      await inJava(two, 'or', [one])
      expect(await sides.node.getBitSet(two).remainTimeToLive()).toBe(-1) // as here
      expect(await inJava(two, 'delete')).toBe(true)
    })
  })
}
