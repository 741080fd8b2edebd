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

/** More than Node sends by one request, and Java by one command of a script. */
const MANY = 6_000

/** What lists of either side owe the other. */
export function listsAcrossSides(bench: InteropFixture): void {
  const inJava = (thread: JavaThread, name: string, ...call: [string, ...unknown[]]) =>
    thread.call(['getList', name], call)

  describeCodecs(bench, 'a list', (sides, { values }) => {
    it.each(['список', '{tag}:list', 'a{tag}b'])(
      'called %s has the same elements on both sides',
      async (at) => {
        const name = `${bench.name()}${at}`
        const list = sides.node.getList(name)
        const content = () => askOwner(bench.topology, name, 'LRANGE', 0, -1)
        await list.addAll(values)
        const bytes = await content()
        expect(await inJava(sides.java, name, 'readAll')).toEqual(values)
        await list.clear()
        expect(await inJava(sides.java, name, 'addAll', values)).toBe(true)
        expect(await content()).toEqual(bytes)
        expect(await list.readAll()).toEqual(values)
        expect(await allOf(list)).toEqual(values)
        for (const [index, value] of values.entries()) {
          expect(await list.indexOf(value)).toBe(index)
          expect(await list.contains(value)).toBe(true)
          expect(await inJava(sides.java, name, 'get', index)).toEqual(value)
        }
        expect(await inJava(sides.java, name, 'containsAll', values)).toBe(true)
        expect(await inJava(sides.java, name, 'removeAll', values)).toBe(true)
        expect(await list.isExists()).toBe(false)
      },
    )

    it('is changed by either side', async () => {
      const name = bench.name()
      const list = sides.node.getList(name)
      const [one, two, three] = values as [unknown, unknown, unknown]
      expect(await inJava(sides.java, name, 'add', one)).toBe(true)
      expect(await list.add(two)).toBe(true)
      await list.add(0, three)
      await inJava(sides.java, name, 'addAll', 1, [two, two])
      expect(await list.readAll()).toEqual([three, two, two, one, two])
      await list.addAll(4, [one, three])
      expect(await inJava(sides.java, name, 'readAll')).toEqual([three, two, two, one, one, three, two])
      expect(await inJava(sides.java, name, 'addAfter', three, one)).toBe(8)
      expect(await list.addBefore(three, one)).toBe(9)
      expect(await inJava(sides.java, name, 'range', 0, 2)).toEqual([one, three, one])
      expect(await inJava(sides.java, name, 'set', 1, two)).toEqual(three)
      expect(await list.set(1, three)).toEqual(two)
      await inJava(sides.java, name, 'fastSet', 0, two)
      await list.fastSet(2, two)
      expect(await list.range(2)).toEqual([two, three, two])
      await inJava(sides.java, name, 'fastRemove', 1)
      expect(await list.removeAt(1)).toEqual(two)
      expect(await list.readAll()).toEqual([two, two, two, one, one, three, two])
      expect(await inJava(sides.java, name, 'remove', two, 2)).toBe(true)
      expect(await list.remove(two, -1)).toBe(true)
      expect(await inJava(sides.java, name, 'readAll')).toEqual([two, one, one, three])
      await inJava(sides.java, name, 'trim', 0, 2)
      expect(await list.retainAll([one])).toBe(true)
      expect(await inJava(sides.java, name, 'size')).toBe(2)
      await list.delete()
      expect(await inJava(sides.java, name, 'isExists')).toBe(false)
    })
  })

  describe('a list', () => {
    const sides = openSides(bench, { java: { codec: PLAIN_JSON } })

    it('of many elements has their order on both sides', async () => {
      const name = bench.name()
      const list = sides.node.getList<number>(name)
      const all = Array.from({ length: MANY }, (_, n) => n)
      await list.addAll(all)
      expect(await inJava(sides.java, name, 'readAll')).toEqual(all)
      await inJava(sides.java, name, 'addAll', 3, all)
      expect(await allOf(list.values({ count: 700 }))).toEqual([...all.slice(0, 3), ...all, ...all.slice(3)])
      await list.delete()
    })

    it('has the same indexes on both sides, but errors of their own beyond the end', async () => {
      const name = bench.name()
      const list = sides.node.getList(name)
      await list.addAll(['a', 'b', 'a'])
      expect(await inJava(sides.java, name, 'indexOf', 'a')).toBe(await list.indexOf('a'))
      expect(await inJava(sides.java, name, 'lastIndexOf', 'a')).toBe(await list.lastIndexOf('a'))
      expect(await inJava(sides.java, name, 'indexOf', 'none')).toBe(await list.indexOf('none'))
      expect(await inJava(sides.java, name, 'get', -1)).toBe(await list.get(-1))
      expect(await inJava(sides.java, name, 'get', 3)).toBeNull()
      expect(await list.get(3)).toBeUndefined()
      expect(await inJava(sides.java, name, 'addAfter', 'none', 'x')).toBe(await list.addAfter('none', 'x'))
      await expect(inJava(sides.java, name, 'set', 3, 'x')).rejects.toMatchObject({
        type: 'IndexOutOfBoundsException',
      })
      await expect(list.set(3, 'x')).rejects.toMatchObject({ code: 'INDEX_OUT_OF_BOUNDS' })
      await list.delete()
    })

    it('is sorted alike on both sides', async () => {
      const tag = `{${bench.name()}}`
      const list = sides.node.getList<number>(`${tag}:list`)
      await list.addAll([30, 4, 200, 4])
      expect(await inJava(sides.java, list.name, 'readSort', 'DESC')).toEqual(
        await list.readSort({ order: 'DESC' }),
      )
      expect(await inJava(sides.java, list.name, 'readSortAlpha', 'ASC')).toEqual(await list.readSortAlpha())
      expect(await inJava(sides.java, list.name, 'sortTo', `${tag}:theirs`, 'ASC', 1, 2)).toBe(2)
      expect(await list.sortTo(`${tag}:ours`, { offset: 1, count: 2 })).toBe(2)
      for (const name of ['theirs', 'ours'])
        expect(await sides.node.getList(`${tag}:${name}`).readAll()).toEqual([4, 30])
      await sides.node.getKeys().delete(list.name, `${tag}:theirs`, `${tag}:ours`)
    })

    it('is walked through by both sides together', async () => {
      const name = bench.name()
      const list = sides.node.getList<number>(name)
      const all = Array.from({ length: 1_000 }, (_, n) => n)
      await list.addAll(all)
      const walk = list.distributedIterator({ count: 200 })[Symbol.asyncIterator]()
      const mine = [(await walk.next()).value as number]
      const theirs = (await inJava(sides.java, name, 'distributedIterator', 100)) as number[]
      for (let next = await walk.next(); next.done !== true; next = await walk.next()) mine.push(next.value)
      expect(mine).toEqual(all.slice(0, 200))
      expect(theirs).toEqual(all.slice(200))
      await sides.node.getKeys().delete(name, `__redisson_list_cursor_{${name}}`)
    })

    it('has one time to live', async () => {
      const name = bench.name()
      const list = sides.node.getList(name)
      await inJava(sides.java, name, 'add', 'a')
      expect(await list.expire(LONG_MS)).toBe(true)
      expectAlmost(await inJava(sides.java, name, 'remainTimeToLive'), LONG_MS)
      expect(await inJava(sides.java, name, 'clearExpire')).toBe(true)
      expect(await list.remainTimeToLive()).toBe(-1)
      expect(await inJava(sides.java, name, 'expire', 'PT0.02S')).toBe(true)
      await eventually(async () => expect(await list.get(0)).toBeUndefined())
    })
  })
}
