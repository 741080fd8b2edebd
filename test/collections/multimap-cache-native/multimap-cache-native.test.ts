import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { multimapValues } from '../../../src/core/context/names.js'
import { highwayHashName } from '../../../src/util/hash/highway-hash.js'
import { allOf } from '../../support/all-of.js'
import { askOwner } from '../../support/ask-owner.js'
import { twoClients } from '../../support/clients.js'
import { eventually } from '../../support/eventually.js'
import { noLeaks } from '../../support/no-leaks.js'
import { slottedTopologies } from '../../support/topologies.js'
import { needEndsOfFields } from '../map-cache-native/ends-of-fields.js'
import { sorted } from '../multimap/kinds.js'
import { nativeKinds, type AnyNative } from './kinds.js'

/** As a program without types calls. */
interface Untyped {
  expireKey(...args: readonly unknown[]): Promise<unknown>
}

/** So long that no test waits for its end. */
const LONG_MS = 600_000

/** How far a measured time may be off. */
const TOLERANCE_MS = 20_000

const NEVER = -1

describe.each(slottedTopologies)('native multimap caches ($kind)', (topology) => {
  noLeaks(topology)
  needEndsOfFields()

  describe.each(nativeKinds)('with a $what of values for each key', ({ what, of }) => {
    const clients = twoClients(topology)
    let names = 0

    const ask = (key: string, command: string, ...args: readonly (string | number)[]) =>
      askOwner(topology, key, command, ...args)

    const nextName = () => `${what}-mm-native-${topology.kind}-${String(names++)}`

    const valuesAt = (name: string, key: string) => multimapValues(name, highwayHashName(Buffer.from(key)))

    /** When a key ends, and when its values do. */
    const endsOf = async (name: string, key: string) => {
      const [field] = (await ask(name, 'HPEXPIRETIME', 'FIELDS', 1, key)) as number[]
      return [field, await ask(valuesAt(name, key), 'PEXPIRETIME')]
    }

    /** A key and its values have one end, in about `ms` milliseconds. */
    const expectEnd = async (name: string, key: string, ms: number) => {
      const [field, values] = await endsOf(name, key)
      expect(field).toBe(values)
      expect(Math.abs(Number(field) - Date.now() - ms)).toBeLessThan(TOLERANCE_MS)
    }

    const write = (key: string, ...values: (string | number)[]) =>
      ask(key, what === 'set' ? 'SADD' : 'RPUSH', ...values)

    /** Has a key end whose values stay, as Redisson does where it has set another time to live for them, or none. */
    const endWithoutValues = async (name: string, key: string) => {
      await ask(valuesAt(name, key), 'PERSIST')
      await ask(name, 'HPEXPIREAT', 1, 'FIELDS', 1, key)
      expect(await ask(valuesAt(name, key), 'EXISTS')).toBe(1)
    }

    /** A cache that is removed after the test, with the values of its keys. */
    const withCache = async (
      use: (cache: AnyNative, name: string) => Promise<void>,
      name = nextName(),
    ): Promise<void> => {
      const cache = of(clients.mine, name)
      try {
        await use(cache, name)
      } finally {
        await cache.delete()
      }
      for (const key of ['a', 'b', 'é']) expect(await ask(valuesAt(name, key), 'EXISTS')).toBe(0)
    }

    /** Has servers not remove by themselves what has ended. */
    const withoutCleaning = async (use: () => Promise<void>) => {
      const set = (on: 0 | 1) =>
        Promise.all(topology.nodes.map((node) => node.command('DEBUG', 'SET-ACTIVE-EXPIRE', on)))
      await set(0)
      try {
        await use()
      } finally {
        await set(1)
      }
    }

    it.each(['{braces}:native', 'a{b}c', 'имя', 'plain-native'])('may be called %s', async (at) => {
      await withCache(async (cache, name) => {
        await cache.putAll('é', [1, 2])
        expect(await cache.expireKey('é', LONG_MS)).toBe(true)
        expect(await of(clients.other, name).getAll('é')).toHaveLength(2)
        await expectEnd(name, 'é', LONG_MS)
      }, `${at}-${what}`)
    })

    it('has keys that end with their values, after their time to live', async () => {
      await withCache(async (cache, name) => {
        await cache.putAll('a', [1, 2])
        await cache.putAll('b', [1])
        expect(await cache.expireKey('a', 150)).toBe(true)
        expect(await cache.expireKey('none', 150)).toBe(false)
        await eventually(async () => {
          expect(await of(clients.other, name).getAll('a')).toEqual([])
        })
        expect(await allOf(cache)).toEqual([['b', 1]])
        await eventually(async () => {
          expect(await cache.keySize()).toBe(1) // the server has removed the field
        })
        expect(await ask(valuesAt(name, 'a'), 'EXISTS')).toBe(0)
      })
    })

    it('sets when a key ends: later, earlier or never, at the same moment as its values', async () => {
      await withCache(async (cache, name) => {
        await cache.putAll('a', [1, 2])
        expect(await endsOf(name, 'a')).toEqual([NEVER, NEVER])
        for (const ms of [LONG_MS, 2 * LONG_MS, LONG_MS / 2]) {
          expect(await cache.expireKey('a', ms)).toBe(true)
          await expectEnd(name, 'a', ms)
        }
        expect(await cache.get('a').remainTimeToLive()).toBeGreaterThan(0)
        expect(await cache.expireKey('a', 0)).toBe(true)
        expect(await endsOf(name, 'a')).toEqual([NEVER, NEVER])
        expect(await cache.expireKey('a', 6e13)).toBe(true)
        expect(await cache.getAll('a')).toHaveLength(2)
      })
    })

    const changes: Readonly<Record<string, (cache: AnyNative) => Promise<unknown>>> = {
      put: (cache) => cache.put('a', 5),
      putAll: (cache) => cache.putAll('a', [5, 6]),
      remove: (cache) => cache.remove('a', 1),
      replaceValues: (cache) => cache.replaceValues('a', [5]),
      fastReplaceValues: (cache) => cache.fastReplaceValues('a', [5, 6]),
      fastRemoveValue: (cache) => cache.fastRemoveValue(1),
      'add of the values': (cache) => cache.get('a').add(5),
      'removeAll of the values': (cache) => cache.get('a').removeAll([1]),
      'expireKey of another key': async (cache) => {
        await cache.put('b', 1)
        await cache.expireKey('b', 2 * LONG_MS)
      },
    }

    it.each(Object.entries(changes))('keeps the end of a key whose values change: %s', async (_, change) => {
      await withCache(async (cache, name) => {
        await cache.putAll('a', [1, 2])
        await cache.expireKey('a', LONG_MS)
        await change(cache)
        expect(await cache.containsKey('a')).toBe(true)
        await expectEnd(name, 'a', LONG_MS)
      })
    })

    it('has no end of a key that is removed, in any way, when it is put anew', async () => {
      const removals: readonly ((cache: AnyNative) => Promise<unknown>)[] = [
        (cache) => cache.removeAll('a'),
        (cache) => cache.fastRemove('a'),
        (cache) => cache.fastRemoveValue(1, 2),
        (cache) => cache.replaceValues('a', []),
        (cache) => cache.get('a').delete(),
        (cache) => cache.get('a').removeAll([1, 2]),
        (cache) => cache.clear(),
      ]
      await withCache(async (cache, name) => {
        for (const remove of removals) {
          await cache.putAll('a', [1, 2])
          await cache.expireKey('a', LONG_MS)
          await remove(cache)
          expect(await cache.put('a', 3)).toBe(true)
          expect(await cache.getAll('a')).toEqual([3])
          expect(await endsOf(name, 'a')).toEqual([NEVER, NEVER])
          await cache.delete()
        }
      })
    })

    /** What there is of a key that has ended, `a`, beside one that has not, `b`, which has the values 1 and 2. */
    const calls: Readonly<Record<string, readonly [(cache: AnyNative) => Promise<unknown>, unknown]>> = {
      getAll: [(cache) => cache.getAll('a'), []],
      'size of the values': [(cache) => cache.get('a').size(), 0],
      'isExists of the values': [(cache) => cache.get('a').isExists(), false],
      'contains of the values': [(cache) => cache.get('a').contains(1), false],
      'containsAll of the values': [(cache) => cache.get('a').containsAll([1, 2]), false],
      'a walk through the values': [(cache) => allOf(cache.get('a')), []],
      'remainTimeToLive of the values': [(cache) => cache.get('a').remainTimeToLive(), -2],
      'remove of the values': [(cache) => cache.get('a').remove(1), false],
      'delete of the values': [(cache) => cache.get('a').delete(), false],
      containsKey: [(cache) => cache.containsKey('a'), false],
      containsEntry: [(cache) => cache.containsEntry('a', 1), false],
      containsValue: [(cache) => cache.containsValue('only a'), false],
      size: [(cache) => cache.size(), 2],
      readAllKeySet: [(cache) => cache.readAllKeySet(), ['b']],
      keys: [(cache) => allOf(cache.keys()), ['b']],
      values: [(cache) => allOf(cache.values()), [1, 2]],
      entries: [
        (cache) => allOf(cache.entries()),
        [
          ['b', 1],
          ['b', 2],
        ],
      ],
      removeAll: [(cache) => cache.removeAll('a'), []],
      remove: [(cache) => cache.remove('a', 1), false],
      replaceValues: [(cache) => cache.replaceValues('a', [5]), []],
      fastRemove: [(cache) => cache.fastRemove('a'), 0],
      fastRemoveValue: [(cache) => cache.fastRemoveValue('only a'), 0],
      put: [(cache) => cache.put('a', 'only a').then(() => cache.getAll('a')), ['only a']],
      putAll: [(cache) => cache.putAll('a', [7]).then(() => cache.get('a').readAll()), [7]],
      fastReplaceValues: [(cache) => cache.fastReplaceValues('a', [7]).then(() => cache.getAll('a')), [7]],
      expireKey: [(cache) => cache.expireKey('a', LONG_MS), false],
    }

    it('has nothing of a key that has ended, before the server removes it', async () => {
      await withoutCleaning(async () => {
        await withCache(async (cache) => {
          for (const [method, [call, expected]] of Object.entries(calls)) {
            await cache.delete()
            await cache.putAll('b', [1, 2])
            await cache.putAll('a', [1, 2, 'only a'])
            await cache.expireKey('a', 1)
            await eventually(async () => {
              expect(await cache.readAllKeySet()).toEqual(['b'])
            })
            expect(await call(cache), method).toEqual(expected)
          }
        })
      })
    })

    it.each(Object.entries(calls))(
      'has nothing of a key that has ended although its values have not: %s',
      async (_, [call, expected]) => {
        await withCache(async (cache, name) => {
          await cache.putAll('b', [1, 2])
          await cache.putAll('a', [1, 2, 'only a'])
          await endWithoutValues(name, 'a')
          expect(await call(cache)).toEqual(expected)
          await cache.getAll('a')
          const left = await ask(name, 'HEXISTS', 'a')
          expect(await ask(valuesAt(name, 'a'), 'EXISTS')).toBe(left)
        })
      },
    )

    it('tells listeners of the values of a key that it has ended', async () => {
      const notify = (events: string) =>
        Promise.all(
          topology.nodes.map((node) => node.command('CONFIG', 'SET', 'notify-keyspace-events', events)),
        )
      await notify('KA')
      await withCache(async (cache) => {
        const values = cache.get('a')
        const heard: string[] = []
        await using _subscription = await values.addListener('expired', (at) => heard.push(at))
        await cache.putAll('a', [1, 2])
        await cache.put('b', 1)
        await cache.expireKey('a', 50)
        await eventually(async () => {
          expect(heard).toEqual([values.name])
          await Promise.resolve()
        })
      })
      await notify('')
    })

    it('takes a key for none whose values have ended before it', async () => {
      await withCache(async (cache, name) => {
        await cache.putAll('a', [1, 2])
        await cache.expireKey('a', LONG_MS)
        await ask(valuesAt(name, 'a'), 'PEXPIREAT', 1)
        expect(await cache.containsKey('a')).toBe(false)
        expect(await cache.size()).toBe(0)
        expect(await allOf(cache)).toEqual([])
        expect(await cache.put('a', 3)).toBe(true)
        expect(await cache.getAll('a')).toEqual([3])
        await expectEnd(name, 'a', LONG_MS) // it has the key still
      })
    })

    it('expires as a whole: keys that end before do so, and end no later', async () => {
      await withCache(async (cache, name) => {
        for (const key of ['a', 'b', 'c']) await cache.putAll(key, [1, 2])
        await cache.expireKey('a', LONG_MS)
        await cache.expireKey('b', 3 * LONG_MS)
        expect(await cache.expire(2 * LONG_MS)).toBe(true)
        const whole = await ask(name, 'PEXPIRETIME')
        await expectEnd(name, 'a', LONG_MS)
        const [end, ofValues] = await endsOf(name, 'b')
        expect(ofValues).toBe(whole)
        expect(end).toBeGreaterThan(Number(whole))
        expect(await endsOf(name, 'c')).toEqual([NEVER, whole])

        await cache.put('b', 3) // keeps both ends
        expect(await endsOf(name, 'b')).toEqual([end, whole])
        await cache.put('d', 1)
        expect(await endsOf(name, 'd')).toEqual([NEVER, whole])
        await cache.expireKey('c', 5 * LONG_MS)
        expect((await endsOf(name, 'c'))[1]).toBe(whole)
        await cache.expireKey('a', 0)
        expect(await endsOf(name, 'a')).toEqual([NEVER, whole])
        await cache.expireKey('a', LONG_MS)

        expect(await cache.expireIfGreater(4 * LONG_MS)).toBe(true)
        await expectEnd(name, 'a', LONG_MS)
        expect(await endsOf(name, 'b')).toEqual([end, end])
        expect(await cache.clearExpire()).toBe(true)
        expect(await cache.clearExpire()).toBe(false)
        expect(await ask(name, 'PTTL')).toBe(NEVER)
        await expectEnd(name, 'a', LONG_MS)
        expect(await endsOf(name, 'b')).toEqual([end, end])
        await expectEnd(name, 'c', 5 * LONG_MS)
        expect(await endsOf(name, 'd')).toEqual([NEVER, NEVER])
        expect(await cache.expire(1)).toBe(true)
        await eventually(async () => {
          expect(await cache.isExists()).toBe(false)
        })
        for (const key of ['a', 'b', 'c', 'd']) expect(await ask(valuesAt(name, key), 'EXISTS')).toBe(0)
      })
    })

    it('keeps the ends of keys when it is renamed or copied', async () => {
      const tag = `{${nextName()}}`
      const [name, next, copied] = [`${tag}:a`, `${tag}:b`, `${tag}:c`] as const
      const cache = of(clients.mine, name)
      await cache.putAll('a', [1, 2])
      await cache.put('b', 1)
      await cache.expireKey('a', LONG_MS)
      await cache.rename(next)
      const renamed = of(clients.mine, next)
      expect(await renamed.copy(copied)).toBe(true)
      const copy = of(clients.mine, copied)
      for (const each of [next, copied]) {
        await expectEnd(each, 'a', LONG_MS)
        expect(await endsOf(each, 'b')).toEqual([NEVER, NEVER])
      }
      expect(await copy.sizeInMemory()).toBeGreaterThan(0)
      expect(await copy.touch()).toBe(true)
      await renamed.delete()
      await copy.delete()
      for (const each of [name, next, copied])
        for (const key of ['a', 'b']) expect(await ask(valuesAt(each, key), 'EXISTS')).toBe(0)
    })

    it('is not copied once all of its keys have ended', async () => {
      const tag = `{${nextName()}}`
      const copied = `${tag}:copy`
      const target = of(clients.mine, copied)
      await withoutCleaning(async () => {
        await withCache(async (cache) => {
          await cache.putAll('a', [1, 2])
          await cache.expireKey('a', 1)
          await sleep(5)
          expect(await cache.copy(copied)).toBe(false)
          expect(await ask(copied, 'EXISTS')).toBe(0)
          expect(await target.put('b', 1)).toBe(true)
          expect(await cache.copy(copied, { replace: true })).toBe(false)
          expect(await allOf(target)).toEqual([['b', 1]])
          await target.delete()
        }, tag)
      })
    })

    it('does in a batch what it does elsewhere', async () => {
      await withCache(async (cache, name) => {
        await cache.putAll('over', [1, 2])
        await endWithoutValues(name, 'over')
        const results = await clients.mine.batch((batch) => {
          const batched = of(batch, name)
          return [
            batched.put('a', 1),
            batched.expireKey('a', LONG_MS),
            batched.getAll('over'),
            batched.keySize(),
            batched.put('a', 2),
          ]
        })
        expect(results).toEqual([true, true, [], 1, true])
        await expectEnd(name, 'a', LONG_MS)
      })
    })

    it('has a set or list of many values, and many keys', async () => {
      await withCache(async (cache, name) => {
        const many = Array.from({ length: 12_000 }, (_, n) => n)
        await cache.putAll('a', many)
        await cache.expireKey('a', LONG_MS)
        expect(await cache.getAll('a')).toHaveLength(many.length)
        expect(await cache.get('a').containsAll(many.slice(0, 6_000))).toBe(true)
        await expectEnd(name, 'a', LONG_MS)
        await clients.mine.batch((batch) =>
          many.slice(0, 1_000).map((n) => of(batch, name).put(String(n), n)),
        )
        await clients.mine.batch((batch) =>
          many.slice(0, 1_000).map((n) => of(batch, name).expireKey(String(n), 2 * LONG_MS)),
        )
        expect(await cache.expire(LONG_MS / 2)).toBe(true)
        expect(await cache.clearExpire()).toBe(true)
        await expectEnd(name, '999', 2 * LONG_MS)
        expect(await cache.keySize()).toBe(1_001)
      })
    })

    it('refuses times that are wrong, and changes nothing', async () => {
      await withCache(async (cache, name) => {
        await cache.put('a', 1)
        const untyped = cache as unknown as Untyped
        for (const ms of [-1, NaN, Infinity, 6e13 + 1])
          await expect(cache.expireKey('a', ms)).rejects.toThrow(RangeError)
        await expect(untyped.expireKey('a')).rejects.toThrow(RangeError)
        await expect(untyped.expireKey('a', 5, 'SECONDS')).rejects.toThrow(TypeError)
        await expect(untyped.expireKey(undefined, 5)).rejects.toThrow(TypeError)
        expect(await endsOf(name, 'a')).toEqual([NEVER, NEVER])
      })
    })

    it('leaves what belongs to another kind of object alone', async () => {
      const name = nextName()
      await clients.mine.getMap(name).put('a', 'not a hash of a key')
      const cache = of(clients.mine, name)
      for (const call of [() => cache.expireKey('a', LONG_MS), () => cache.put('a', 1), () => cache.size()])
        await expect(call()).rejects.toMatchObject({ code: 'WRONG_TYPE' })
      expect(await cache.getAll('a')).toEqual([])
      expect(await clients.mine.getMap(name).get('a')).toBe('not a hash of a key')
      await clients.mine.getMap(name).delete()
      await clients.mine.getBucket(name).set('text')
      for (const call of [() => cache.expireKey('a', LONG_MS), () => cache.containsKey('a')])
        await expect(call()).rejects.toMatchObject({ code: 'WRONG_TYPE' })
      await clients.mine.getBucket(name).delete()
      await ask(valuesAt(name, 'a'), 'SET', 'text')
      await expect(cache.put('a', 1)).rejects.toMatchObject({ code: 'WRONG_TYPE' })
      await expect(cache.getAll('a')).rejects.toMatchObject({ code: 'WRONG_TYPE' })
      expect(await ask(valuesAt(name, 'a'), 'GET')).toBe('text')
      await ask(valuesAt(name, 'a'), 'DEL')
    })

    it('begins without the values that were stored without a key', async () => {
      await withCache(async (cache, name) => {
        await write(valuesAt(name, 'a'), 1)
        expect(await cache.put('a', 2)).toBe(true)
        expect(sorted(await cache.getAll('a'))).toEqual(['2'])
      })
    })
  })
})
