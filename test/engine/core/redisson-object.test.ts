import { beforeEach, describe, expect, it } from 'vitest'
import { ownerOf } from '../../support/ask-owner.js'
import { noLeaks } from '../../support/no-leaks.js'
import { slottedTopologies, single } from '../../support/topologies.js'
import {
  Box,
  expectMoments,
  filled,
  GONE,
  keysOfShelf,
  objectContext,
  Shelf,
  ShelfKeys,
} from './object-fixture.js'

/** A name, and others in the same slot. */
const names = [
  ['a plain name', '{shelf}', '{shelf}2'],
  ['a name with a hash tag', 'a{tag}b', 'c{tag}'],
  ['a name that is not ASCII', '{棚}é', '{棚}😀'],
] as const

describe.each(slottedTopologies)('an object of several keys ($kind)', (topology) => {
  noLeaks(topology)
  const context = objectContext(() => topology.options())
  const keys = new ShelfKeys(topology)
  const shelf = (name: string) => new Shelf(context(), name)

  describe.each(names)('with %s', (_, name, other) => {
    it.each(['delete', 'unlink'] as const)('leaves no key after %s()', async (method) => {
      await keys.fill(name, 1)
      expect(await shelf(name)[method]()).toBe(true)
      expect(await keys.look(name)).toEqual(GONE)
      expect(await shelf(name)[method]()).toBe(false)
    })

    it('leaves no key after its time to live', async () => {
      await keys.fill(name, 1)
      const moment = Date.now() + 60_000
      expect(await shelf(name).expire(new Date(moment))).toBe(true)
      expectMoments(await keys.expiry(name), [moment, moment, moment])
      expect(await shelf(name).expire(new Date(Date.now() - 1))).toBe(true)
      expect(await keys.look(name)).toEqual(GONE)
    })

    it('has all its keys under the new name after rename(), with their time to live', async () => {
      await keys.fill(name, 1)
      await keys.fill(other, 2)
      await shelf(name).expire(60_000)
      const expiry = await keys.expiry(name)
      const renamed = shelf(name)
      await renamed.rename(other)
      expect(await keys.look(name)).toEqual(GONE)
      expect(await keys.look(other)).toEqual(filled(1))
      expectMoments(await keys.expiry(other), expiry)
      expect(renamed.name).toBe(name)
      expect(await renamed.isExists()).toBe(false)
      await shelf(other).delete()
    })

    it('has all its keys twice after copy(), with their time to live', async () => {
      await keys.fill(name, 1)
      await shelf(name).expire(60_000)
      const expiry = await keys.expiry(name)
      expect(await shelf(name).copy(other)).toBe(true)
      expect(await shelf(name).copy(other)).toBe(false)
      for (const each of [name, other]) {
        expect(await keys.look(each)).toEqual(filled(1))
        expectMoments(await keys.expiry(each), expiry)
        await shelf(each).delete()
      }
    })
  })

  it('is there while its first key is', async () => {
    await keys.fill('{shelf}', 1)
    await keys.ask('{shelf}', 'DEL')
    const left = [null, ['a', 'b'], '1']
    expect(await shelf('{shelf}').isExists()).toBe(false)
    expect(await shelf('{shelf}').touch()).toBe(false)
    expect(await shelf('{shelf}').expire(60_000)).toBe(false)
    expect(await shelf('{shelf}').copy('{shelf}2')).toBe(false)
    await expect(shelf('{shelf}').rename('{shelf}2')).rejects.toMatchObject({
      code: 'NO_SUCH_OBJECT',
      object: '{shelf}',
    })
    await expect(shelf('{shelf}').renamenx('{shelf}2')).rejects.toMatchObject({ code: 'NO_SUCH_OBJECT' })
    expect(await keys.look('{shelf}')).toEqual(left)
    expect(await keys.look('{shelf}2')).toEqual(GONE)
    expect(await shelf('{shelf}').delete()).toBe(false)
    expect(await keys.look('{shelf}')).toEqual(GONE)
  })

  it.each(['rename', 'renamenx', 'copy', 'copy and replace'] as const)(
    'keeps nothing beside it of an object whose name it gets by %s',
    async (how) => {
      await keys.fill('{shelf}', 1)
      await keys.ask('{shelf}:order', 'DEL')
      await keys.fill('{shelf}2', 2)
      if (how === 'renamenx' || how === 'copy') await keys.ask('{shelf}2', 'DEL')
      const one = shelf('{shelf}')
      if (how === 'rename') await one.rename('{shelf}2')
      else if (how === 'renamenx') expect(await one.renamenx('{shelf}2')).toBe(true)
      else expect(await one.copy('{shelf}2', { replace: how !== 'copy' })).toBe(true)
      expect(await keys.look('{shelf}2')).toEqual(['1', [], '1'])
      await shelf('{shelf}').delete()
      await shelf('{shelf}2').delete()
    },
  )

  it.each(['renamenx', 'copy'] as const)(
    'stays as it is where the name is taken, by %s()',
    async (method) => {
      await keys.fill('{shelf}', 1)
      await keys.fill('{shelf}2', 2)
      expect(await shelf('{shelf}')[method]('{shelf}2')).toBe(false)
      expect(await keys.look('{shelf}')).toEqual(filled(1))
      expect(await keys.look('{shelf}2')).toEqual(filled(2))
      await shelf('{shelf}').delete()
      await shelf('{shelf}2').delete()
    },
  )

  it('keeps its own name where that is the new one', async () => {
    await keys.fill('{shelf}', 1)
    await shelf('{shelf}').rename('{shelf}')
    expect(await shelf('{shelf}').renamenx('{shelf}')).toBe(false)
    expect(await keys.look('{shelf}')).toEqual(filled(1))
    await shelf('{shelf}').delete()
  })

  it('may get a name that is another way to write its keys', async () => {
    await keys.fill('shelf', 1)
    await shelf('shelf').rename('{shelf}')
    expect(await keys.look('{shelf}')).toEqual(filled(1))
    expect(await shelf('shelf').isExists()).toBe(false)
    await shelf('{shelf}').delete()
  })

  it.each([
    ['rename', '{shelf}:order'],
    ['renamenx', '{shelf}:order'],
    ['copy', '{shelf}:order'],
    ['copy', '{shelf}'],
  ] as const)('refuses %s() to %s, where it would meet its own keys', async (method, name) => {
    await keys.fill('{shelf}', 1)
    await expect(shelf('{shelf}')[method](name)).rejects.toThrow(RangeError)
    expect(await keys.look('{shelf}')).toEqual(filled(1))
    await shelf('{shelf}').delete()
  })

  it('refuses names that Redis or the cluster cannot serve', async () => {
    await keys.fill('{shelf}', 1)
    const before = await countCalls()
    for (const method of ['rename', 'renamenx', 'copy'] as const) {
      await expect(shelf('{shelf}')[method]('')).rejects.toThrow(TypeError)
      if (topology.kind !== 'cluster') continue
      const refused = shelf('{shelf}')[method]('elsewhere')
      await expect(refused).rejects.toMatchObject({ code: 'CROSS_SLOT', object: 'elsewhere' })
    }
    expect(await countCalls()).toBe(before)
    await shelf('{shelf}').delete()
  })

  it('tells the size of all its keys', async () => {
    await keys.fill('{shelf}', 1)
    const sizes = await Promise.all(keysOfShelf('{shelf}').map((key) => sizeOf(key)))
    expect(await shelf('{shelf}').sizeInMemory()).toBe(sizes.reduce((sum, size) => sum + size))
    await shelf('{shelf}').delete()
    expect(await shelf('{shelf}').sizeInMemory()).toBe(0)
  })

  it('cannot be dumped, because its keys are not one', async () => {
    await expect(shelf('{shelf}').dump()).rejects.toThrow('Expected an object of one key')
    await expect(shelf('{shelf}').getIdleTime()).rejects.toThrow('Expected an object of one key')
    await expect(shelf('{shelf}').restore(new Uint8Array(1))).rejects.toThrow('Expected an object of one key')
  })

  it.runIf(topology.kind === 'cluster')('has no other database in a cluster', async () => {
    await expect(shelf('{shelf}').move(1)).rejects.toThrow('a cluster has only one')
    await expect(shelf('{shelf}').copy('{shelf}', { database: 1 })).rejects.toThrow('a cluster has only one')
  })

  async function sizeOf(key: string): Promise<number> {
    const script = `return redis.call('memory', 'usage', KEYS[1])`
    const owner = await ownerOf(topology, key)
    return Number(await owner.command('EVAL', script, 1, key))
  }

  async function countCalls(): Promise<number> {
    const stats = await Promise.all(topology.nodes.map((node) => node.command('INFO', 'commandstats')))
    return stats
      .flatMap((text) => [...String(text).matchAll(/cmdstat_evalsha?:calls=(\d+)/g)])
      .reduce((sum, [, calls]) => sum + Number(calls), 0)
  }
})

describe('an object of several keys, in another database', () => {
  noLeaks(single)
  const keys = new ShelfKeys(single)
  const context = objectContext(() => single.options())
  const there = objectContext(() => {
    const { host, port } = single.nodes[0]
    return { singleServerConfig: { address: `redis://${host}:${String(port)}`, database: 1 } }
  })

  beforeEach(async () => {
    await keys.fill('{shelf}', 1)
    await keys.ask('{shelf}:order', 'DEL')
    await new Shelf(there(), '{shelf}').delete()
    await keys.ask('{shelf}:order', 'RPUSH', 'left')
    await keys.ask('{shelf}:order', 'MOVE', 1) // of a shelf that is not there any more
  })

  it('has all its keys there after move(), and none here', async () => {
    await new Shelf(context(), '{shelf}').expire(60_000)
    const moment = await keys.momentOf('{shelf}')
    expect(await new Shelf(context(), '{shelf}').move(1)).toBe(true)
    expect(await keys.look('{shelf}')).toEqual(GONE)
    expect(await new Shelf(context(), '{shelf}').move(1)).toBe(false)
    await back()
    expect(await keys.look('{shelf}')).toEqual(['1', [], '1'])
    expectMoments([await keys.momentOf('{shelf}'), await keys.momentOf('{shelf}:settings')], [moment, moment])
    await new Shelf(context(), '{shelf}').delete()
  })

  it('stays where it is if its name is taken there', async () => {
    expect(await new Shelf(context(), '{shelf}').copy('{shelf}', { database: 1 })).toBe(true)
    expect(await new Shelf(context(), '{shelf}').copy('{shelf}', { database: 1 })).toBe(false)
    expect(await new Shelf(context(), '{shelf}').move(1)).toBe(false)
    expect(await keys.look('{shelf}')).toEqual(['1', [], '1'])
    await new Shelf(context(), '{shelf}').delete()
    await new Shelf(there(), '{shelf}').delete()
  })

  it('has all its keys in both after copy(), under any name', async () => {
    await keys.ask('{shelf}2:settings', 'HSET', 'size', 5)
    expect(await new Shelf(context(), '{shelf}').copy('{shelf}2', { database: 1, replace: true })).toBe(true)
    expect(await keys.look('{shelf}2')).toEqual([null, [], '5'])
    expect(await new Shelf(context(), '{shelf}').delete()).toBe(true)
    await keys.ask('{shelf}2:settings', 'DEL')
    await new Shelf(there(), '{shelf}2').rename('{shelf}')
    await back()
    expect(await keys.look('{shelf}')).toEqual(['1', [], '1'])
    await new Shelf(context(), '{shelf}').delete()
  })

  it.each([-1, 1.5, NaN, 1_000, 2 ** 31, '1' as unknown as number])(
    'refuses database %s',
    async (database) => {
      const shelf = new Shelf(context(), '{shelf}')
      await expect(shelf.move(database)).rejects.toThrow(RangeError)
      await expect(shelf.copy('{shelf}2', { database })).rejects.toThrow(RangeError)
      expect(await keys.look('{shelf}')).toEqual(['1', [], '1'])
      await new Shelf(there(), '{shelf}').delete()
      await shelf.delete()
    },
  )

  it('is copied here where its own database is named', async () => {
    expect(await new Shelf(context(), '{shelf}').copy('{shelf}2', { database: 0 })).toBe(true)
    expect(await keys.look('{shelf}2')).toEqual(['1', [], '1'])
    await expect(new Shelf(context(), '{shelf}').move(0)).rejects.toThrow('another than that of the client')
    await new Shelf(there(), '{shelf}').delete()
    await new Shelf(context(), '{shelf}').delete()
    await new Shelf(context(), '{shelf}2').delete()
  })

  const back = () => new Shelf(there(), '{shelf}').move(0)
})

describe.each(slottedTopologies)('an object of one key ($kind)', (topology) => {
  noLeaks(topology)
  const context = objectContext(() => topology.options())
  const keys = new ShelfKeys(topology)
  const box = (name = 'box') => new Box(context(), name)

  it('is what it was once it is restored', async () => {
    await keys.ask('box', 'RPUSH', 'a', 'é')
    const state = (await box().dump()) ?? new Uint8Array()
    await expect(box().restore(state)).rejects.toMatchObject({ code: 'OBJECT_EXISTS', object: 'box' })
    await box().delete()
    expect(await box().dump()).toBeUndefined()
    await box().restore(state)
    expect(await keys.ask('box', 'LRANGE', 0, -1)).toEqual(['a', 'é'])
    expect(await box().remainTimeToLive()).toBe(-1)
    await keys.ask('box', 'RPUSH', 'b')
    await box().restoreAndReplace(state, 600_000)
    expect(await keys.ask('box', 'LRANGE', 0, -1)).toEqual(['a', 'é'])
    expect(await box().remainTimeToLive()).toBeGreaterThan(540_000)
    await box().delete()
  })

  it('stays as it is where the bytes are none of Redis', async () => {
    await keys.ask('box', 'SET', 'old')
    const state = new TextEncoder().encode('no dump')
    await expect(box().restoreAndReplace(state)).rejects.toThrow(RangeError)
    await expect(box().restore('text' as unknown as Uint8Array)).rejects.toThrow(TypeError)
    await expect(box().restore(state, 0)).rejects.toThrow(RangeError)
    expect(await keys.ask('box', 'GET')).toBe('old')
    await box().delete()
  })

  it('tells for how long it was not used, in milliseconds', async () => {
    expect(await box().getIdleTime()).toBeUndefined()
    await keys.ask('box', 'SET', 'new')
    await keys.age('box', 600)
    const idleMs = await box().getIdleTime()
    expect(idleMs).toBeGreaterThanOrEqual(600_000)
    expect(idleMs).toBeLessThanOrEqual(1000 * (await keys.idleSeconds('box')))
    expect(await box().touch()).toBe(true)
    expect(await keys.idleSeconds('box')).toBeLessThan(600)
    await box().delete()
  })
})

describe.each(slottedTopologies)('the end of an object ($kind)', (topology) => {
  noLeaks(topology)
  const context = objectContext(() => topology.options())
  const keys = new ShelfKeys(topology)
  const shelf = () => new Shelf(context(), '{shelf}')
  const SOON = 600_000
  const BETWEEN = 900_000
  const LATE = 1_200_000

  /** When it expires: never, soon or late; and what becomes of it under each condition with a time in between. */
  it.each([
    [
      'never',
      { expire: true, expireIfSet: false, expireIfNotSet: true, expireIfGreater: false, expireIfLess: true },
    ],
    [
      'soon',
      { expire: true, expireIfSet: true, expireIfNotSet: false, expireIfGreater: true, expireIfLess: false },
    ],
    [
      'late',
      { expire: true, expireIfSet: true, expireIfNotSet: false, expireIfGreater: false, expireIfLess: true },
    ],
  ] as const)('is set if the condition is met by one that expires %s', async (when, outcomes) => {
    for (const [method, outcome] of Object.entries(outcomes) as [keyof typeof outcomes, boolean][]) {
      for (const time of [BETWEEN, new Date(Date.now() + BETWEEN)]) {
        await keys.fill('{shelf}', 1)
        if (when !== 'never') await shelf().expire(when === 'soon' ? SOON : LATE)
        const before = await keys.expiry('{shelf}')
        expect([method, await shelf()[method](time)]).toEqual([method, outcome])
        const after = await keys.expiry('{shelf}')
        const moment = typeof time === 'number' ? Number(await shelf().getExpireTime()) : time.getTime()
        expectMoments(after, outcome ? [moment, moment, moment] : before)
        if (outcome) expect(await shelf().remainTimeToLive()).toBeLessThanOrEqual(BETWEEN)
        await shelf().delete()
      }
    }
  })

  it('is returned, and cleared', async () => {
    expect(await shelf().remainTimeToLive()).toBe(-2)
    expect(await shelf().getExpireTime()).toBeUndefined()
    expect(await shelf().clearExpire()).toBe(false)
    await keys.fill('{shelf}', 1)
    expect(await shelf().remainTimeToLive()).toBe(-1)
    expect(await shelf().getExpireTime()).toBeUndefined()
    expect(await shelf().clearExpire()).toBe(false)
    await shelf().expire(SOON)
    const leftMs = await shelf().remainTimeToLive()
    expect(leftMs).toBeGreaterThan(SOON - 60_000) // a test takes no longer
    expect(leftMs).toBeLessThanOrEqual(SOON)
    expect(await shelf().clearExpire()).toBe(true)
    expect(await keys.expiry('{shelf}')).toEqual([-1, -1, -1])
    await shelf().delete()
  })

  it.each([
    [0, RangeError],
    [-1, RangeError],
    [NaN, RangeError],
    [Infinity, RangeError],
    [2 ** 60, RangeError],
    [new Date(NaN), RangeError],
    ['60000', TypeError],
    [undefined, TypeError],
    [{ getTime: 1 }, TypeError],
  ])('is not set to %s', async (time, type) => {
    await keys.fill('{shelf}', 1)
    await expect(shelf().expire(time as number)).rejects.toThrow(type)
    expect(await keys.expiry('{shelf}')).toEqual([-1, -1, -1])
    await shelf().delete()
  })

  it('is set as far in the future as a Date reaches, and as far in the past', async () => {
    await keys.fill('{shelf}', 1)
    const last = new Date(8.64e15)
    expect(await shelf().expire(last)).toBe(true)
    expectMoments([Number(await shelf().getExpireTime())], [last.getTime()])
    expect(await shelf().expire(8e15)).toBe(true)
    await expect(shelf().expire(Number.MAX_SAFE_INTEGER)).rejects.toThrow(
      'at most 8000000000000000 milliseconds',
    )
    expect(await shelf().expire(new Date(-8.64e15))).toBe(true)
    expect(await keys.look('{shelf}')).toEqual(GONE)
  })

  it('takes one time', async () => {
    const untyped = shelf() as unknown as { expire: (...args: readonly unknown[]) => Promise<unknown> }
    await expect(untyped.expire(60, 'SECONDS')).rejects.toThrow('Expected no further argument')
  })
})
