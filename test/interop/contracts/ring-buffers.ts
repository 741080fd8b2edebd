import { describe, expect, it } from 'vitest'
import { allOf } from '../../support/all-of.js'
import { askOwner } from '../../support/ask-owner.js'
import type { InteropFixture } from '../interop-fixture.js'
import { PLAIN_JSON, type JavaThread } from '../java-peer.js'
import { describeCodecs, openSides } from './codec-pairs.js'

/** More than Node sends by one request, and Java by one command of a script. */
const MANY = 6_000

/** What ring buffers of either side owe the other. */
export function ringBuffersAcrossSides(bench: InteropFixture): void {
  const inJava = (thread: JavaThread, name: string, ...call: [string, ...unknown[]]) =>
    thread.call(['getRingBuffer', name], call)

  describeCodecs(bench, 'a ring buffer', (sides, { values }) => {
    it.each(['кольцо', '{tag}:ring', 'a{tag}b'])(
      'called %s has the same elements and the same capacity on both sides',
      async (at) => {
        const name = `${bench.name()}${at}`
        const buffer = sides.node.getRingBuffer(name)
        const java = (...call: [string, ...unknown[]]) => inJava(sides.java, name, ...call)
        const [one, two, three] = values as [unknown, unknown, unknown]
        expect(await java('trySetCapacity', 2)).toBe(true)
        expect(await buffer.trySetCapacity(3)).toBe(false)
        expect(await buffer.capacity()).toBe(2)
        expect(await buffer.add(one)).toBe(true)
        expect(await java('remainingCapacity')).toBe(1)
        expect(await java('add', two)).toBe(true)
        expect(await buffer.add(three)).toBe(true)
        expect(await java('readAll')).toEqual([two, three])
        expect(await java('add', one)).toBe(true)
        expect(await buffer.readAll()).toEqual([three, one])
        await buffer.setCapacity(values.length)
        expect(await java('capacity')).toBe(values.length)
        expect(await java('addAll', values)).toBe(true)
        expect(await allOf(buffer)).toEqual(values)
        expect(await buffer.addAll([...values, one])).toBe(true)
        expect(await java('readAll')).toEqual([...values.slice(1), one])
        expect(await java('readNewest', 2)).toEqual(await buffer.readNewest(2))
        expect(await java('readOldest', 2)).toEqual(await buffer.readOldest(2))
        expect(await java('peekLast')).toEqual(one)
        expect(await buffer.peekLast()).toEqual(one)
        expect(await java('poll')).toEqual(two)
        expect(await buffer.poll()).toEqual(three)
        expect(await java('remainingCapacity')).toBe(await buffer.remainingCapacity())
        await java('setCapacity', 1)
        expect(await buffer.readAll()).toEqual([one])
        await java('delete')
        expect(await buffer.capacity()).toBe(0)
      },
    )
  })

  describe('a ring buffer', () => {
    const sides = openSides(bench, { java: { codec: PLAIN_JSON } })
    const java = (name: string, ...call: [string, ...unknown[]]) => inJava(sides.java, name, ...call)
    const numbers = (length: number, first = 0) => Array.from({ length }, (_, n) => first + n)

    it('takes no value without a capacity on either side', async () => {
      const name = bench.name()
      const buffer = sides.node.getRingBuffer<string>(name)
      for (const call of ['add', 'offer'])
        await expect(java(name, call, 'a')).rejects.toThrow('capacity is not defined')
      await expect(java(name, 'remainingCapacity')).rejects.toThrow('capacity is not defined')
      expect(await java(name, 'capacity')).toBe(0)
      await expect(buffer.add('a')).rejects.toMatchObject({ code: 'CAPACITY_NOT_SET' })
      expect(await buffer.trySetCapacity(1)).toBe(true)
      expect(await java(name, 'trySetCapacity', 2)).toBe(false)
      expect(await java(name, 'offer', 'a')).toBe(true)
      expect(await buffer.delete()).toBe(true)
      expect(await java(name, 'capacity')).toBe(0)
    })

    it('keeps the newest of very many values, whichever side adds them', async () => {
      const name = bench.name()
      const buffer = sides.node.getRingBuffer<number>(name)
      await buffer.setCapacity(MANY - 1)
      expect(await java(name, 'addAll', numbers(MANY))).toBe(true)
      expect(await buffer.readAll()).toEqual(numbers(MANY - 1, 1))
      expect(await buffer.addAll(numbers(MANY, MANY))).toBe(true)
      expect(await java(name, 'readAll')).toEqual(numbers(MANY - 1, MANY + 1))
      await buffer.delete()
    })

    it('keeps its capacity where either side clears it, and both keys expire', async () => {
      const name = bench.name()
      const buffer = sides.node.getRingBuffer<string>(name)
      const ttl = async () => Number(await askOwner(bench.topology, `redisson_rb:{${name}}`, 'PTTL'))
      await buffer.trySetCapacity(2)
      await buffer.add('a')
      await java(name, 'clear')
      expect(await buffer.capacity()).toBe(2)
      await java(name, 'add', 'b')
      await buffer.clear()
      expect(await java(name, 'capacity')).toBe(2)
      await buffer.add('c')
      expect(await java(name, 'expire', 'PT600S')).toBe(true)
      expect(await ttl()).toBeGreaterThan(0)
      expect(await buffer.clearExpire()).toBe(true)
      expect(await ttl()).toBe(-1)
      expect(await buffer.expire(600_000)).toBe(true)
      expect(await java(name, 'clearExpire')).toBe(true)
      expect(await ttl()).toBe(-1)
      expect(await java(name, 'delete')).toBe(true)
      expect(await buffer.capacity()).toBe(0)
    })

    it('has too many elements, all of which Node removes with the next one, and Java one of them', async () => {
      const name = bench.name()
      const buffer = sides.node.getRingBuffer<number>(name)
      const list = sides.node.getList<number>(name)
      await buffer.setCapacity(2)
      await list.addAll([1, 2, 3, 4])
      expect(await java(name, 'add', 5)).toBe(true)
      expect(await java(name, 'readAll')).toEqual([2, 3, 4, 5])
      expect(await java(name, 'remainingCapacity')).toBe(0)
      expect(await buffer.add(6)).toBe(true)
      expect(await java(name, 'readAll')).toEqual([5, 6])
      await buffer.delete()
    })

    it('is renamed with its capacity by Node, and without it by Java', async () => {
      const [name, other] = [`{${bench.name()}}`, 'other']
      const buffer = sides.node.getRingBuffer<string>(name)
      const renamed = sides.node.getRingBuffer<string>(`${name}${other}`)
      await buffer.trySetCapacity(2)
      await buffer.add('a')
      await buffer.rename(`${name}${other}`)
      expect(await java(`${name}${other}`, 'capacity')).toBe(2)
      await java(`${name}${other}`, 'rename', name)
      expect(await buffer.readAll()).toEqual(['a'])
      expect(await buffer.capacity()).toBe(0)
      expect(await renamed.capacity()).toBe(2)
      await buffer.delete()
      await renamed.delete()
    })
  })
}
