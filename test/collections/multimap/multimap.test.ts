import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { bytesCodec, longCodec, Redisson, stringCodec, type MultimapOptions } from '../../../src/index.js'
import { allOf } from '../../support/all-of.js'
import { askOwner } from '../../support/ask-owner.js'
import { twoClients } from '../../support/clients.js'
import { noLeaks } from '../../support/no-leaks.js'
import { proxied } from '../../support/proxied.js'
import { slottedTopologies } from '../../support/topologies.js'
import { kinds, sorted, type AnyMultimap } from './kinds.js'

/** More than one request may be about. */
const MANY = 12_000

const LONG_MS = 600_000

/** Some at a time, so that each reply comes in time also where the machine is slow. */
async function putEach(multimap: AnyMultimap, keys: readonly string[]): Promise<void> {
  for (let first = 0; first < keys.length; first += 500)
    await Promise.all(keys.slice(first, first + 500).map((key) => multimap.put(key, 1)))
}

describe.each(slottedTopologies)('multimaps ($kind)', (topology) => {
  describe.each(kinds)('with a $what of values for each key', ({ what, of }) => {
    noLeaks(topology)
    const clients = twoClients(topology)
    const isSet = what === 'set'
    let names = 0

    /** A multimap that is removed after the test. */
    const withMultimap = async (
      use: (multimap: AnyMultimap, name: string) => Promise<void>,
      options?: MultimapOptions<string, unknown>,
      name = `${what}-multimap-${topology.kind}-${String(names++)}`,
    ) => {
      const multimap = of(clients.mine, name, options)
      try {
        await use(multimap, name)
      } finally {
        await multimap.delete()
      }
    }

    const ask = (key: string, command: string, ...args: (string | number)[]) =>
      askOwner(topology, key, command, ...args)

    it('is shared by all clients, and is not there at first', async () => {
      await withMultimap(async (multimap, name) => {
        expect(await multimap.isExists()).toBe(false)
        expect(await multimap.put('a', { name: 'Ada' })).toBe(true)
        expect(await of(clients.other, name).getAll('a')).toEqual([{ name: 'Ada' }])
        expect(await multimap.put('a', { name: 'Ada' })).toBe(!isSet)
        expect(await multimap.size()).toBe(isSet ? 1 : 2)
      })
    })

    it('has nothing where it is not there', async () => {
      await withMultimap(async (multimap) => {
        expect(await multimap.getAll('a')).toEqual([])
        expect(await multimap.size()).toBe(0)
        expect(await multimap.keySize()).toBe(0)
        expect(await multimap.isEmpty()).toBe(true)
        expect(await multimap.containsKey('a')).toBe(false)
        expect(await multimap.containsValue(1)).toBe(false)
        expect(await multimap.containsEntry('a', 1)).toBe(false)
        expect(await multimap.remove('a', 1)).toBe(false)
        expect(await multimap.removeAll('a')).toEqual([])
        expect(await multimap.replaceValues('a', [])).toEqual([])
        await multimap.fastReplaceValues('a', [])
        expect(await multimap.putAll('a', [])).toBe(false)
        expect(await multimap.fastRemove()).toBe(0)
        expect(await multimap.fastRemove('a', 'b')).toBe(0)
        expect(await multimap.fastRemoveValue()).toBe(0)
        expect(await multimap.fastRemoveValue(1, 2)).toBe(0)
        expect(await multimap.readAllKeySet()).toEqual([])
        expect(await allOf(multimap.keys())).toEqual([])
        expect(await allOf(multimap.values())).toEqual([])
        expect(await allOf(multimap)).toEqual([])
        await multimap.clear()
        expect(await multimap.isExists()).toBe(false)
      })
    })

    it('has several values for each key, and loses a key with its last value', async () => {
      await withMultimap(async (multimap) => {
        expect(await multimap.putAll('a', [1, 2, 1])).toBe(true)
        expect(await multimap.putAll('b', new Set([2]))).toBe(true)
        expect(sorted(await multimap.getAll('a'))).toEqual(isSet ? ['1', '2'] : ['1', '1', '2'])
        expect(await multimap.keySize()).toBe(2)
        expect(await multimap.containsKey('a')).toBe(true)
        expect(await multimap.containsEntry('a', 2)).toBe(true)
        expect(await multimap.containsEntry('b', 1)).toBe(false)
        expect(await multimap.containsValue(2)).toBe(true)
        expect(await multimap.containsValue('2')).toBe(false)
        expect(await multimap.remove('b', 1)).toBe(false)
        expect(await multimap.remove('b', 2)).toBe(true)
        expect(await multimap.containsKey('b')).toBe(false)
        expect(await multimap.readAllKeySet()).toEqual(['a'])
        expect(await multimap.isEmpty()).toBe(false)
      })
    })

    it('removes and replaces all values of a key, and returns them', async () => {
      await withMultimap(async (multimap) => {
        await multimap.putAll('a', [1, 2])
        await multimap.put('b', 3)
        expect(sorted(await multimap.replaceValues('a', [4, 5]))).toEqual(['1', '2'])
        expect(sorted(await multimap.getAll('a'))).toEqual(['4', '5'])
        expect(sorted(await multimap.replaceValues('a', []))).toEqual(['4', '5'])
        expect(await multimap.readAllKeySet()).toEqual(['b'])
        expect(await multimap.replaceValues('a', [6])).toEqual([])
        await multimap.fastReplaceValues('a', [7, 8])
        expect(sorted(await multimap.removeAll('a'))).toEqual(['7', '8'])
        await multimap.fastReplaceValues('b', [])
        expect(await multimap.isExists()).toBe(false)
      })
    })

    it('removes keys and values without returning them', async () => {
      await withMultimap(async (multimap, name) => {
        for (const key of ['a', 'b', 'c']) await multimap.putAll(key, [key, 'x', 'y'])
        expect(await multimap.fastRemove('a', 'none', 'a')).toBe(1)
        expect(await multimap.fastRemoveValue('x', 'c', 'none')).toBe(3)
        expect(await multimap.fastRemoveValue('y')).toBe(2)
        expect(await multimap.readAllKeySet()).toEqual(['b'])
        expect(await multimap.fastRemoveValue('b')).toBe(1)
        expect(await ask(name, 'EXISTS')).toBe(0)
      })
    })

    it('has the same values by name as by key, which change together', async () => {
      await withMultimap(async (multimap) => {
        const values = multimap.get('a')
        expect(await values.readAll()).toEqual([])
        expect(await values.addAll([1, 2, 3])).toBe(true)
        expect(await multimap.size()).toBe(3)
        expect(sorted(await multimap.getAll('a'))).toEqual(['1', '2', '3'])
        await multimap.remove('a', 2)
        expect(await values.size()).toBe(2)
        expect(await values.contains(2)).toBe(false)
        expect(await values.retainAll([3, 9])).toBe(true)
        expect(await multimap.getAll('a')).toEqual([3])
        expect(await values.removeAll([3])).toBe(true)
        expect(await multimap.isExists()).toBe(false)
        await values.add(4)
        expect(await multimap.readAllKeySet()).toEqual(['a'])
        expect(await values.delete()).toBe(true)
        expect(await multimap.isExists()).toBe(false)
        await values.add(5)
        expect(sorted(await allOf(values))).toEqual(['5'])
        await values.clear()
        expect(await multimap.keySize()).toBe(0)
      })
    })

    it.runIf(what === 'list')('has values in their order, which each index of them has', async () => {
      const multimap = clients.mine.getListMultimap<string, string>('{mm-order}')
      await multimap.putAll('a', ['x', 'y', 'x'])
      const values = multimap.get('a')
      await values.add(1, 'z')
      expect(await values.set(-1, 'w')).toBe('x')
      await values.fastSet(0, 'v')
      await expect(values.fastSet(9, 'v')).rejects.toMatchObject({ code: 'INDEX_OUT_OF_BOUNDS' })
      expect(await values.addBefore('y', 'u')).toBe(5)
      expect(await multimap.getAll('a')).toEqual(['v', 'z', 'u', 'y', 'w'])
      expect(await allOf(multimap.values({ count: 2 }))).toEqual(['v', 'z', 'u', 'y', 'w'])
      expect(await multimap.replaceValues('a', ['b', 'a', 'b'])).toEqual(['v', 'z', 'u', 'y', 'w'])
      expect(await multimap.fastRemoveValue('b')).toBe(1)
      expect(await multimap.removeAll('a')).toEqual(['a', 'b'])
      expect(await multimap.isExists()).toBe(false)
    })

    it.runIf(what === 'set')(
      'refuses more names than one request can be about, and changes nothing',
      async () => {
        const multimap = clients.mine.getSetMultimap<string, number>('{mm-names}')
        await multimap.put('a', 1)
        const names = Array.from({ length: 9_000 }, (_, n) => `{mm-names}:${String(n)}`)
        await expect(multimap.get('a').union(names)).rejects.toThrow(RangeError)
        expect(await multimap.getAll('a')).toEqual([1])
        await multimap.delete()
      },
    )

    it.runIf(what === 'set')('has values that sets are made of', async () => {
      const multimap = clients.mine.getSetMultimap<string, number>('{mm-algebra}')
      await multimap.putAll('a', [1, 2, 3])
      await multimap.putAll('b', [2, 3, 4])
      const [a, b] = [multimap.get('a'), multimap.get('b')]
      expect((await a.readIntersection([b.name])).toSorted()).toEqual([2, 3])
      expect(await multimap.get('c').union([a.name, b.name])).toBe(4)
      expect(await multimap.readAllKeySet()).toHaveLength(3)
      expect(await a.diff([a.name, b.name])).toBe(1)
      expect(await a.readSort()).toEqual([1])
      expect(await a.tryAdd(1, 5)).toBe(false)
      expect(await a.removeRandom(5)).toEqual([1])
      expect((await multimap.readAllKeySet()).toSorted()).toEqual(['b', 'c'])
      await multimap.delete()
    })

    it('loses the key whichever way its values go', async () => {
      const last = isSet
        ? ['removeRandom', 'removeAllCounted', 'move', 'union', 'unlink']
        : ['removeAt', 'fastRemove', 'trim', 'unlink']
      await withMultimap(async (multimap, name) => {
        const other = `{${name}}:other`
        const args: Record<string, unknown[]> = {
          removeAllCounted: [[1]],
          move: [other, 1],
          union: [[other]],
          removeAt: [0],
          fastRemove: [0],
          trim: [1, 1],
        }
        for (const method of last) {
          await clients.mine.getKeys().delete(other)
          const values = multimap.get('a')
          await values.add(1)
          await (values as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>)[method]?.(
            ...(args[method] ?? []),
          )
          expect([method, await multimap.keySize()]).toEqual([method, 0])
        }
        await clients.mine.getKeys().delete(other)
      })
    })

    it('has values that expire with it, also those that are put later', async () => {
      await withMultimap(async (multimap) => {
        await multimap.put('a', 1)
        expect(await multimap.get('a').remainTimeToLive()).toBe(-1)
        expect(await multimap.expire(LONG_MS)).toBe(true)
        const end = await multimap.getExpireTime()
        await multimap.put('a', 2)
        await multimap.put('b', 1)
        await multimap.replaceValues('a', [3])
        await multimap.get('c').addAll([1, 2])
        await multimap.fastReplaceValues('d', [1])
        for (const key of ['a', 'b', 'c', 'd']) expect(await multimap.get(key).getExpireTime()).toEqual(end)
        expect(await multimap.clearExpire()).toBe(true)
        for (const key of ['a', 'b', 'c', 'd'])
          expect(await multimap.get(key).getExpireTime()).toBeUndefined()
        await multimap.expire(new Date(0))
        expect(await multimap.get('a').isExists()).toBe(false)
      })
    })

    it('leaves nothing of a multimap whose name it gets', async () => {
      const [one, two] = [`{mm-${what}}:one`, `{mm-${what}}:two`]
      const [from, to] = [of(clients.mine, one), of(clients.mine, two)]
      for (const change of [() => from.rename(two), () => from.copy(two, { replace: true })]) {
        await from.put('a', 1)
        await to.putAll('b', [2, 3])
        await to.put('a', 4)
        await change()
        expect(await to.getAll('a')).toEqual([1])
        expect(await to.getAll('b')).toEqual([])
        expect(await to.get('b').isExists()).toBe(false)
        expect(await to.size()).toBe(1)
        await from.delete()
        await to.delete()
      }
    })

    it('takes no key with it that another kind of hash happens to name', async () => {
      const name = `{mm-${what}}:map`
      const victim = `${name}:precious`
      await clients.mine.getMap(name, { codec: stringCodec() }).put('a', 'precious')
      await clients.mine.getBucket(victim).set(1)
      await of(clients.mine, name).delete()
      expect(await clients.mine.getBucket(victim).get()).toBe(1)
      await clients.mine.getBucket(victim).delete()
    })

    it('gives the values of a key no name, database or time to live of their own', async () => {
      await withMultimap(async (multimap, name) => {
        await multimap.put('a', 1)
        const values = multimap.get('a') as unknown as Record<
          string,
          (...args: unknown[]) => Promise<unknown>
        >
        const state = await multimap.get('a').dump()
        for (const [method, ...args] of [
          ['expire', 5],
          ['expireIfSet', 5],
          ['expireIfNotSet', 5],
          ['expireIfGreater', 5],
          ['expireIfLess', 5],
          ['clearExpire'],
          ['rename', `{${name}}:x`],
          ['renamenx', `{${name}}:x`],
          ['restore', state],
          ['restoreAndReplace', state],
          ...(topology.kind === 'cluster' ? [] : [['move', 3] as const]),
        ] as const)
          await expect(values[method]?.(...args), method).rejects.toThrow(/^Expected the multimap/)
        for (const method of ['dump', 'getIdleTime'])
          await expect(
            (multimap as unknown as Record<string, () => Promise<unknown>>)[method]?.(),
          ).rejects.toThrow(/of one key/)
        expect(await multimap.getAll('a')).toEqual([1])
        expect(await multimap.get('a').remainTimeToLive()).toBe(-1)
      })
    })

    it('has very many values of one key', async () => {
      await withMultimap(async (multimap) => {
        const all = Array.from({ length: MANY }, (_, n) => n)
        const numbers = (found: unknown[]) => (found as number[]).toSorted((a, b) => a - b)
        expect(await multimap.putAll('a', all)).toBe(true)
        expect(await multimap.size()).toBe(MANY)
        expect(numbers(await multimap.getAll('a'))).toEqual(all)
        expect(numbers(await allOf(multimap.values({ count: 1_000 })))).toEqual(all)
        expect(numbers(await multimap.removeAll('a'))).toEqual(all)
        expect(await multimap.isExists()).toBe(false)
        await multimap.fastReplaceValues('a', all)
        expect(await multimap.size()).toBe(MANY)
        expect(numbers(await multimap.replaceValues('a', all))).toEqual(all)
        expect(numbers(await multimap.replaceValues('a', [1]))).toEqual(all)
        expect(await multimap.getAll('a')).toEqual([1])
      })
    })

    it('removes and replaces very many values of a key in one step', async () => {
      await withMultimap(async (multimap, name) => {
        const all = Array.from({ length: MANY }, (_, n) => n)
        await multimap.putAll('a', all)
        const [removed, none, old, last] = await clients.mine.batch((batch) => {
          const ofBatch = of(batch, name)
          const calls = [
            () => ofBatch.removeAll('a'),
            () => ofBatch.replaceValues('a', all),
            () => ofBatch.replaceValues('a', [1]),
            () => ofBatch.fastReplaceValues('a', all),
            () => ofBatch.removeAll('a'),
          ] as const
          const [first, second, third, , fifth] = calls.map((call) => call()) as Promise<unknown[]>[]
          return [first, second, third, fifth] as Promise<unknown[]>[]
        })
        for (const found of [removed, old, last]) expect(sorted(found ?? [])).toEqual(sorted(all))
        expect(none).toEqual([])
        expect(await multimap.isExists()).toBe(false)
      })
    })

    it.each(['replaceValues', 'fastReplaceValues'] as const)(
      'sets with %s what the values were when it was called',
      async (method) => {
        await withMultimap(async (multimap) => {
          await multimap.put('a', 'old')
          const values = Array.from({ length: MANY }, (_, n): { n: number | bigint } => ({ n }))
          const wanted = sorted(values)
          const replaced = multimap[method]('a', values)
          for (const value of values) value.n = 5n // which the codec cannot write
          expect(await replaced).toEqual(method === 'replaceValues' ? ['old'] : undefined)
          expect(sorted(await multimap.getAll('a'))).toEqual(wanted)
        })
      },
    )

    it('refuses more values than one request can set, and sends nothing', async () => {
      await withMultimap(async (multimap) => {
        await multimap.put('a', 1)
        const tooMany = new Array<number>(1_000_001).fill(2)
        for (const method of ['replaceValues', 'fastReplaceValues'] as const)
          await expect(multimap[method]('a', tooMany)).rejects.toThrow(RangeError)
        expect(await multimap.getAll('a')).toEqual([1])
      })
    })

    it('has very many keys', async () => {
      await withMultimap(async (multimap, name) => {
        const keys = Array.from({ length: MANY }, (_, n) => `key ${String(n)}`)
        await putEach(multimap, keys)
        await multimap.putAll('key 7', [2, 3])
        expect(await multimap.keySize()).toBe(MANY)
        expect(await multimap.size()).toBe(MANY + 2)
        expect((await multimap.readAllKeySet()).toSorted()).toEqual(keys.toSorted())
        expect(new Set(await allOf(multimap.keys())).size).toBe(MANY)
        expect(await allOf(multimap.entries({ pattern: 'key 77' }))).toEqual([['key 77', 1]])
        const walked = new Set<string>()
        for await (const [key, value] of multimap) walked.add(`${key}=${String(value)}`)
        expect(walked.size).toBe(MANY + 2)
        expect(await multimap.containsValue(3)).toBe(true)
        expect(await multimap.containsValue(4)).toBe(false)
        expect(await multimap.fastRemove(...keys.slice(0, 6_000))).toBe(6_000)
        expect(await multimap.fastRemoveValue(1)).toBe(MANY - 6_000)
        expect(await ask(name, 'EXISTS')).toBe(0)
        await putEach(multimap, keys)
        expect(await multimap.expire(LONG_MS)).toBe(true)
        expect(await multimap.sizeInMemory()).toBeGreaterThan(MANY * 50)
        await multimap.rename(`{${name}}:renamed`)
        const renamed = of(clients.mine, `{${name}}:renamed`)
        expect(await renamed.size()).toBe(MANY)
        expect(await renamed.delete()).toBe(true)
      })
    })

    it.each(['', 'ключ', '{a}', '__proto__', 'a\u0000b'])('has a key %j', async (key) => {
      await withMultimap(async (multimap) => {
        await multimap.put(key, '__proto__')
        expect(await multimap.readAllKeySet()).toEqual([key])
        expect(await allOf(multimap)).toEqual([[key, '__proto__']])
        expect(await multimap.containsEntry(key, '__proto__')).toBe(true)
        expect(await multimap.fastRemove(key)).toBe(1)
      })
    })

    it('has keys and values of any codec', async () => {
      const name = `{mm-codecs}:${what}`
      const options = { codec: { key: longCodec(), value: bytesCodec() } }
      const multimap = isSet
        ? clients.mine.getSetMultimap<number, Uint8Array>(name, options)
        : clients.mine.getListMultimap<number, Uint8Array>(name, options)
      await multimap.put(5, Buffer.from([0, 255]))
      expect(await multimap.readAllKeySet()).toEqual([5])
      expect(await allOf(multimap.values())).toEqual([Buffer.from([0, 255])])
      expect(await multimap.get(5).contains(Buffer.from([0, 255]))).toBe(true)
      await multimap.delete()
    })

    it('skips what its codecs cannot read, if a walk shall', async () => {
      await withMultimap(async (multimap, name) => {
        await multimap.putAll('a', [1, 2])
        const at = multimap.get('a').name
        await ask(at, isSet ? 'SADD' : 'RPUSH', '{broken')
        await expect(allOf(multimap)).rejects.toMatchObject({ code: 'CODEC', object: name, key: 'a' })
        expect(sorted(await allOf(multimap.values({ onInvalid: 'skip' })))).toEqual(['1', '2'])
      })
    })

    it('ends a walk by its signal, and by break', async () => {
      await withMultimap(async (multimap) => {
        for (const key of ['a', 'b', 'c']) await multimap.putAll(key, [1, 2, 3])
        const reason = new Error('enough')
        const controller = new AbortController()
        const walk = multimap.entries({ signal: controller.signal, count: 1 })[Symbol.asyncIterator]()
        await walk.next()
        controller.abort(reason)
        await expect(walk.next()).rejects.toBe(reason)
        for await (const [key] of multimap.entries({ count: 2 })) {
          expect(['a', 'b', 'c']).toContain(key)
          break
        }
      })
    })

    it('ends a walk by its signal while it waits for the first values of a key', async () => {
      const name = `{mm-signal}:${what}`
      await of(clients.mine, name).putAll('a', [1, 2])
      const door = await proxied(topology)
      const client = await Redisson.create(door.options({ timeout: 1_000 }))
      const reason = new Error('enough')
      const controller = new AbortController()
      let requests = 0
      for (const proxy of door.proxies)
        proxy.onRequest(
          isSet ? 'sscan' : 'lrange',
          (passing) => {
            if (++requests === 1) passing.freeze()
            controller.abort(reason)
          },
          { times: 10 },
        )
      try {
        await expect(allOf(of(client, name).entries({ signal: controller.signal }))).rejects.toBe(reason)
        expect(requests).toBe(1) // or else the request was sent again before the walk ended
      } finally {
        for (const proxy of door.proxies) proxy.cut()
        await client.shutdown()
        await door.stop()
        await of(clients.mine, name).delete()
      }
    })

    it('refuses what is no key or value, and sends nothing', async () => {
      await withMultimap(async (multimap) => {
        const none = undefined as never
        expect(() => multimap.get(none)).toThrow(TypeError)
        for (const call of [
          () => multimap.getAll(none),
          () => multimap.put(none, 1),
          () => multimap.put('a', none),
          () => multimap.putAll('a', [1, none]),
          () => multimap.putAll('a', 5 as never),
          () => multimap.putAll('a', 'text' as never),
          () => multimap.remove('a', none),
          () => multimap.removeAll(none),
          () => multimap.replaceValues('a', [none]),
          () => multimap.replaceValues('a', 5 as never),
          () => multimap.fastReplaceValues('a', [1, none]),
          () => multimap.fastRemove('a', none),
          () => multimap.fastRemoveValue(1, none),
          () => multimap.containsKey(none),
          () => multimap.containsValue(none),
          () => multimap.containsEntry('a', none),
        ])
          await expect(call()).rejects.toThrow(TypeError)
        expect(() => multimap.entries({ count: 0 })).toThrow(RangeError)
        expect(() => multimap.keys({ other: 1 } as never)).toThrow(TypeError)
        expect(() => of(clients.mine, 'x', { ttlMs: 5 } as never)).toThrow(TypeError)
        await expect(multimap.put(5 as never, 1)).rejects.toMatchObject({ code: 'CODEC' })
        expect(await multimap.isExists()).toBe(false)
      })
    })

    it('removes no value where one of its keys belongs to another kind of object', async () => {
      await withMultimap(async (multimap) => {
        await Promise.all(['a', 'b', 'c'].map((key) => multimap.put(key, 1)))
        const spoilt = multimap.get('c').name
        await ask(spoilt, 'SET', 'text')
        await expect(multimap.fastRemoveValue(1)).rejects.toMatchObject({
          code: 'WRONG_TYPE',
          mayHaveRun: false,
        })
        expect(await multimap.getAll('a')).toEqual([1])
        expect(await multimap.getAll('b')).toEqual([1])
        await ask(spoilt, 'DEL')
      })
    })

    it('refuses a name, and a key, that belongs to another kind of object', async () => {
      const name = `{mm-wrong}:${what}`
      const multimap = of(clients.mine, name)
      const calls = [
        () => multimap.put('a', 1),
        () => multimap.putAll('a', [1, 2]),
        () => multimap.remove('a', 1),
        () => multimap.removeAll('a'),
        () => multimap.replaceValues('a', [1]),
        () => multimap.fastReplaceValues('a', [1]),
        () => multimap.fastRemoveValue(1),
        () => multimap.get('a').add(1),
      ]
      await clients.mine.getBucket(name).set('text')
      for (const call of [
        ...calls,
        () => multimap.fastRemove('a'),
        () => multimap.size(),
        () => multimap.keySize(),
        () => multimap.containsValue(1),
        () => multimap.delete(),
        () => multimap.expire(LONG_MS),
        () => multimap.rename(`${name}2`),
      ])
        await expect(call()).rejects.toMatchObject({ code: 'WRONG_TYPE' })
      expect(await ask(multimap.get('a').name, 'EXISTS')).toBe(0)
      await clients.mine.getBucket(name).delete()

      await multimap.put('a', 1)
      await clients.mine.getBucket(multimap.get('a').name).set('text')
      for (const call of [...calls, () => multimap.getAll('a'), () => multimap.size()])
        await expect(call()).rejects.toMatchObject({ code: 'WRONG_TYPE' })
      expect(await multimap.readAllKeySet()).toEqual(['a'])
      await multimap.delete()
    })

    it('leaves a map alone whose name it is given', async () => {
      const name = `{mm-on-map}:${what}`
      const entries = new Map([
        ['ada', 'a value'],
        ['bob', 'another'],
      ])
      const map = clients.mine.getMap<string, string>(name)
      await map.putAll(entries)
      const multimap = of(clients.mine, name)
      for (const call of [
        () => multimap.put('ada', 1),
        () => multimap.put('new', 1),
        () => multimap.putAll('ada', [1]),
        () => multimap.remove('ada', 1),
        () => multimap.remove('new', 1),
        () => multimap.removeAll('ada'),
        () => multimap.removeAll('new'),
        () => multimap.replaceValues('ada', []),
        () => multimap.replaceValues('ada', [1]),
        () => multimap.fastReplaceValues('ada', []),
        () => multimap.fastReplaceValues('new', [1]),
        () => multimap.fastRemove('ada'),
        () => multimap.fastRemove('new', 'ada'),
        () => multimap.fastRemoveValue('x'),
        () => multimap.get('ada').delete(),
        () => multimap.size(),
        () => multimap.containsValue('x'),
        () => allOf(multimap),
        () => of(clients.mine, name, { exactlyOnce: true }).removeAll('ada'),
      ])
        await expect(call(), String(call)).rejects.toMatchObject({ code: 'WRONG_TYPE' })
      expect(await map.readAllMap()).toEqual(entries)
      expect(await multimap.get('ada').isExists()).toBe(false)
      await map.delete()
    })

    it('leaves no rejection unheard of a walk through a map whose values look like those of a multimap', async () => {
      const name = `{mm-map-walk}:${what}`
      const looksRight = 'A'.repeat(22)
      const map = clients.mine.getMap<string, string>(name, { codec: stringCodec() })
      const bucket = clients.mine.getBucket<string>(`${name}:${looksRight}`, { codec: stringCodec() })
      await map.fastPut('first', looksRight) // a small hash keeps the order in which it was filled
      await map.fastPut('second', 'text')
      const unheard: unknown[] = []
      const hear = (reason: unknown) => unheard.push(reason)
      process.on('unhandledRejection', hear)
      await bucket.set('text') // so that a request for the first one is refused
      try {
        await expect(allOf(of(clients.mine, name))).rejects.toMatchObject({ code: 'WRONG_TYPE' })
        await clients.mine.getBucket(name).isExists() // its reply comes after that of any request before it
        await setImmediate()
        expect(unheard).toEqual([])
      } finally {
        process.off('unhandledRejection', hear)
        await map.delete()
        await bucket.delete()
      }
    })

    it.each(['pipeline', 'atomic'] as const)(
      'removes no value in a batch from more keys than one request is about (%s)',
      async (mode) => {
        await withMultimap(async (multimap, name) => {
          const keys = Array.from({ length: 600 }, (_, n) => `key ${String(n)}`)
          await putEach(multimap, keys)
          const unwanted = Array.from({ length: 20 }, (_, n) => n) // of which a request removes from 250 keys
          for (const exactlyOnce of [false, true])
            await expect(
              clients.mine.batch((batch) => [of(batch, name).fastRemoveValue(...unwanted)], {
                mode,
                exactlyOnce,
              }),
            ).rejects.toMatchObject({ code: 'BATCH', failures: [{ error: { code: 'NOT_IN_BATCH' } }] })
          expect(await multimap.size()).toBe(keys.length)
          expect(await multimap.fastRemoveValue(...unwanted)).toBe(keys.length)
        })
      },
    )

    it.each(['pipeline', 'atomic'] as const)('does in a batch all that is one request (%s)', async (mode) => {
      const name = `{mm-batch}:${what}`
      const results = await clients.mine.batch(
        (batch) => {
          const multimap = of(batch, name)
          return [
            multimap.put('a', 1),
            multimap.putAll('b', [1, 2]),
            multimap.get('c').add(3),
            multimap.size(),
            multimap.keySize(),
            multimap.containsValue(2),
            multimap.containsEntry('b', 1),
            multimap.replaceValues('c', [4]),
            multimap.removeAll('c'),
            multimap.fastRemoveValue(1),
            multimap.fastRemove('b'),
            multimap.isExists(),
          ]
        },
        { mode },
      )
      expect(results).toEqual([true, true, true, 4, 3, true, true, [3], [4], 2, 1, false])
    })
  })
})
