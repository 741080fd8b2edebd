import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { multimapValues } from '../../../src/core/context/names.js'
import { Redisson, type RedissonClient } from '../../../src/index.js'
import { highwayHashName } from '../../../src/util/hash/highway-hash.js'
import { twoClients } from '../../support/clients.js'
import { noLeaks } from '../../support/no-leaks.js'
import { single } from '../../support/topologies.js'
import { needEndsOfFields } from '../map-cache-native/ends-of-fields.js'
import { nativeKinds, type AnyNative } from './kinds.js'

const LONG_MS = 600_000

const USER = 'native-multimap-in-part'

const REFUSED = { message: expect.stringMatching(/NOPERM|no permissions|can't run this command/) as string }

describe.each(nativeKinds)(
  'a native multimap with a $what of values, and a user without a right,',
  (kind) => {
    noLeaks(single)
    const [server] = single.nodes
    const clients = twoClients(single)
    const name = `native-mm-rights-${kind.what}`
    const values = multimapValues(name, highwayHashName(Buffer.from('a')))
    let limited: RedissonClient

    const grant = (...rights: readonly string[]) =>
      server.command('ACL', 'SETUSER', USER, 'reset', 'on', '>secret', '~*', '&*', '+@all', ...rights)

    beforeAll(async () => {
      await grant()
      limited = await Redisson.create(single.options({ username: USER, password: 'secret' }))
    })

    afterAll(async () => {
      await limited.shutdown()
      await server.command('ACL', 'DELUSER', USER)
    })

    const calls: Readonly<Record<string, (cache: AnyNative) => Promise<unknown>>> = {
      getAll: (cache) => cache.getAll('a'),
      containsKey: (cache) => cache.containsKey('a'),
      containsEntry: (cache) => cache.containsEntry('a', 1),
      'size of the values': (cache) => cache.get('a').size(),
      put: (cache) => cache.put('a', 9),
    }

    it.each(Object.entries(calls))('removes nothing where HGET is refused: %s', async (_, call) => {
      const own = kind.of(clients.mine, name)
      await own.putAll('a', [1, 2])
      await grant('-hget')
      await expect(call(kind.of(limited, name))).rejects.toMatchObject(REFUSED)
      expect(await own.getAll('a')).toEqual([1, 2])
      await own.delete()
    })

    describe('where the ends of keys cannot be read,', () => {
      needEndsOfFields()

      const changes: Readonly<Record<string, (cache: AnyNative) => Promise<unknown>>> = {
        expireKey: (cache) => cache.expireKey('a', 2 * LONG_MS),
        'expireKey for never': (cache) => cache.expireKey('a', 0),
        put: (cache) => cache.put('a', 9),
        'remove of all values': (cache) => cache.removeAll('a'),
        expire: (cache) => cache.expire(LONG_MS / 2),
      }

      it.each(Object.entries(changes))('changes nothing: %s', async (_, change) => {
        const own = kind.of(clients.mine, name)
        await own.putAll('a', [1, 2])
        await own.expireKey('a', LONG_MS)
        const look = async () => [
          await server.command('HPEXPIRETIME', name, 'FIELDS', 1, 'a'),
          await server.command('PEXPIRETIME', values),
          await server.command('PTTL', name),
          await own.getAll('a'),
        ]
        const before = await look()
        await grant('-hpexpiretime')
        await expect(change(kind.of(limited, name))).rejects.toMatchObject(REFUSED)
        expect(await look()).toEqual(before)
        await own.delete()
      })
    })
  },
)
