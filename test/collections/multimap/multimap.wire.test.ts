import { describe, expect, it } from 'vitest'
import { Redisson, stringCodec } from '../../../src/index.js'
import { allOf } from '../../support/all-of.js'
import { twoClients } from '../../support/clients.js'
import { Look } from '../../support/look.js'
import { noLeaks } from '../../support/no-leaks.js'
import { topologies } from '../../support/topologies.js'
import { kinds } from './kinds.js'

/** HighwayHash of `key1` and of `hello`, as the vectors of the wire have them. */
const KEY1 = 'td70ePIfZeWyYYH5QeK0MQ'
const HELLO = 'f9HQvNDAheFw9dLeJvan2Q'

describe.each(topologies)('multimaps on the wire ($kind)', (topology) => {
  describe.each(kinds)('with a $what of values for each key', ({ what, of }) => {
    noLeaks(topology)
    const clients = twoClients(topology)
    const look = new Look(topology)
    const isSet = what === 'set'
    const bytesAt = (key: string) => (isSet ? look.ask(key, 'SMEMBERS') : look.ask(key, 'LRANGE', '0', '-1'))
    const write = (key: string, ...values: string[]) => look.ask(key, isSet ? 'SADD' : 'RPUSH', ...values)

    it.each([
      [`wire-mm-${what}`, `{wire-mm-${what}}:`],
      [`{wire}:mm-${what}`, `{wire}:mm-${what}:`],
      [`a{wire}b-${what}`, `a{wire}b-${what}:`],
      [`провод-${what}`, `{провод-${what}}:`],
    ])('one called %s has the keys of Redisson', async (name, start) => {
      const multimap = of(clients.mine, name)
      await multimap.putAll('key1', ['é"'])
      await multimap.put('hello', 2)
      expect(await look.ask(name, 'TYPE')).toBe('hash')
      expect(((await look.ask(name, 'HGETALL')) as string[]).toSorted()).toEqual(
        ['key1', KEY1, 'hello', HELLO].toSorted(),
      )
      expect(multimap.get('key1').name).toBe(`${start}${KEY1}`)
      expect(await look.ask(`${start}${KEY1}`, 'TYPE')).toBe(what)
      expect(await bytesAt(`${start}${KEY1}`)).toEqual(['"é\\""'])
      expect(await bytesAt(`${start}${HELLO}`)).toEqual(['2'])
      await multimap.expire(600_000)
      await multimap.put('key1', 1)
      const ends = [name, `${start}${KEY1}`, `${start}${HELLO}`].map((key) => look.ask(key, 'PEXPIRETIME'))
      expect(new Set(await Promise.all(ends)).size).toBe(1)
      await multimap.clearExpire()
      expect(await look.ask(`${start}${KEY1}`, 'PTTL')).toBe(-1)
      await multimap.delete()
      for (const key of [name, `${start}${KEY1}`, `${start}${HELLO}`])
        expect(await look.ask(key, 'EXISTS')).toBe(0)
    })

    it('the locks and synchronizers of a key have the names of Redisson', () => {
      const multimap = of(clients.mine, 'wire-mm')
      expect(multimap.getLock('key1').name).toBe(`{wire-mm}:${KEY1}:lock`)
      expect(multimap.getFairLock('key1').name).toBe(`{wire-mm}:${KEY1}:fairlock`)
      expect(multimap.getReadWriteLock('key1').name).toBe(`{wire-mm}:${KEY1}:rw_lock`)
      expect(multimap.getSemaphore('key1').name).toBe(`{wire-mm}:${KEY1}:semaphore`)
      expect(multimap.getPermitExpirableSemaphore('key1').name).toBe(
        `{wire-mm}:${KEY1}:permitexpirablesemaphore`,
      )
      expect(multimap.getCountDownLatch('key1').name).toBe(`{wire-mm}:${KEY1}:countdownlatch`)
    })

    it('the name is mapped once, for the values as well', async () => {
      const client = await Redisson.create({ ...topology.options(), nameMapper: (name) => `app:${name}` })
      const multimap = of(client, 'mapped')
      await multimap.put('key1', 1)
      expect(await bytesAt(`{app:mapped}:${KEY1}`)).toEqual(['1'])
      const { name } = multimap.get('key1')
      expect(name).toMatch(`{mapped}:${KEY1}`)
      await expect(async () => client.getSet(name).add(1)).rejects.toThrow(TypeError) // `app:{mapped}:…` is another key
      expect(await multimap.get('key1').readAll()).toEqual([1])
      if (isSet)
        expect(
          await client
            .getSetMultimap('mapped')
            .get('key2')
            .readUnion([multimap.get('key1').name]),
        ).toEqual([1])
      expect(await allOf(multimap)).toEqual([['key1', 1]])
      await multimap.delete()
      expect(await look.ask('app:mapped', 'EXISTS')).toBe(0)
      await client.shutdown()
    })

    it.each([
      ['{app}:', 'mapped', true],
      ['app:', '{mapped}', true],
      ['{app}:', 'ma{pp}ed', true],
      ['', 'mapped', true],
      ['app:', 'mapped', false],
    ])(
      'with a prefix %j, the name of values of %s means the same key to all objects: %s',
      async (prefix, name, isName) => {
        const unmap = (key: string) => {
          if (key.startsWith(prefix)) return key.slice(prefix.length)
          throw new RangeError('not of this program')
        }
        const nameMapper = { map: (plain: string) => `${prefix}${plain}`, unmap }
        const client = await Redisson.create({ ...topology.options(), nameMapper })
        const multimap = of(client, name)
        await multimap.put('key1', 1)
        const values = multimap.get('key1').name
        const other = () => client.getSet(values)
        if (!isName) expect(other).toThrow(TypeError)
        else expect(await (isSet ? other() : client.getList(values)).readAll()).toEqual([1])
        if (isSet) {
          const set = client.getSet(isName && name === 'mapped' ? name + '-set' : '{mapped}:set')
          const inSlot = topology.kind !== 'cluster' || prefix === '{app}:' || name === '{mapped}'
          await set.add(2)
          const moved = set.move(values, 2)
          if (!isName) await expect(moved).rejects.toThrow(TypeError)
          else if (inSlot) {
            expect(await moved).toBe(true)
            expect((await multimap.getAll('key1')).toSorted()).toEqual([1, 2])
          } else await expect(moved).rejects.toMatchObject({ code: 'CROSS_SLOT' })
          expect(await client.getSetMultimap(name).get('key2').readUnion([values])).toContain(1)
          await set.delete()
        }
        await multimap.delete()
        await client.shutdown()
      },
    )

    it('bears what Redisson leaves: a key without values, and values without their key', async () => {
      const name = `wire-left-${what}`
      const multimap = of(clients.mine, name, { codec: stringCodec() })
      await look.ask(name, 'HSET', 'key1', KEY1)
      await write(`{${name}}:${HELLO}`, 'a')
      expect(await multimap.containsKey('key1')).toBe(false)
      expect(await multimap.getAll('key1')).toEqual([])
      expect(await multimap.size()).toBe(0)
      expect(await allOf(multimap)).toEqual([])
      expect(await multimap.getAll('hello')).toEqual(['a'])
      expect(await multimap.keySize()).toBe(1)

      expect(await multimap.remove('key1', 'a')).toBe(false)
      expect(await multimap.keySize()).toBe(0)
      expect(await multimap.remove('hello', 'b')).toBe(false)
      expect(await multimap.readAllKeySet()).toEqual(['hello'])
      expect(await multimap.remove('hello', 'a')).toBe(true)
      await write(`{${name}}:${HELLO}`, 'a')
      expect(await multimap.put('hello', 'b')).toBe(true)
      expect((await multimap.removeAll('hello')).toSorted()).toEqual(['a', 'b'])

      await look.ask(name, 'HSET', 'key1', KEY1)
      expect(await multimap.fastRemoveValue('a')).toBe(0)
      expect(await multimap.isExists()).toBe(false)
      await write(`{${name}}:${KEY1}`, 'a')
      expect(await multimap.fastRemove('key1')).toBe(1)
      await write(`{${name}}:${KEY1}`, 'a')
      expect(await multimap.removeAll('key1')).toEqual(['a'])
      expect(await look.ask(`{${name}}:${KEY1}`, 'EXISTS')).toBe(0)
    })
  })
})
