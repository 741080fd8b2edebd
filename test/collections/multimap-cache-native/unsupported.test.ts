import { beforeEach, describe, expect, it } from 'vitest'
import { BatchError, UnsupportedCommandError } from '../../../src/index.js'
import { allOf } from '../../support/all-of.js'
import { twoClients } from '../../support/clients.js'
import { noLeaks } from '../../support/no-leaks.js'
import { slottedTopologies } from '../../support/topologies.js'
import { knowsEndsOfFields } from '../map-cache-native/ends-of-fields.js'
import { nativeKinds } from './kinds.js'

const LONG_MS = 600_000

describe.each(slottedTopologies)(
  'native multimap caches, with a server that knows no ends of fields ($kind)',
  (topology) => {
    noLeaks(topology)
    beforeEach((context) => {
      context.skip(knowsEndsOfFields, 'needs a server without HPEXPIRE')
    })

    describe.each(nativeKinds)('with a $what of values for each key', ({ what, of }) => {
      const clients = twoClients(topology)

      it.each([
        ['of a key', 'a', LONG_MS],
        ['for never', 'a', 0],
        ['of a key that is not there', 'none', LONG_MS],
      ])('refuse expireKey() %s, and change nothing', async (_, key, ttlMs) => {
        for (const exactlyOnce of [false, true]) {
          const cache = of(clients.mine, `no-ends-mm-${topology.kind}-${what}`, { exactlyOnce })
          await cache.put('a', 1)
          const error: unknown = await cache.expireKey(key, ttlMs).catch((reason: unknown) => reason)
          expect(error).toBeInstanceOf(UnsupportedCommandError)
          expect(error).toMatchObject({
            code: 'UNSUPPORTED_COMMAND',
            needs: 'Redis 7.4 or Valkey 9',
            mayHaveRun: false,
          })
          expect(await allOf(cache)).toEqual([['a', 1]])
          expect(await cache.get('a').remainTimeToLive()).toBe(-1)
          await cache.delete()
        }
      })

      it('refuse it in a batch', async () => {
        const error: unknown = await clients.mine
          .batch((batch) => [of(batch, `no-ends-mm-${topology.kind}-batch`).expireKey('a', LONG_MS)])
          .catch((reason: unknown) => reason)
        expect(error).toBeInstanceOf(BatchError)
        expect((error as BatchError).results[0]).toMatchObject({ reason: { code: 'UNSUPPORTED_COMMAND' } })
      })

      it('do all the rest', async () => {
        const cache = of(clients.mine, `no-ends-mm-${topology.kind}-plain-${what}`)
        expect(await cache.putAll('a', [1, 2])).toBe(true)
        expect(await cache.remove('a', 1)).toBe(true)
        expect(await cache.get('a').readAll()).toEqual([2])
        expect(await cache.replaceValues('a', [3])).toEqual([2])
        expect(await cache.expire(LONG_MS)).toBe(true)
        await cache.put('b', 4)
        for (const key of ['a', 'b']) expect(await cache.get(key).remainTimeToLive()).toBeGreaterThan(0)
        expect(await cache.clearExpire()).toBe(true)
        for (const key of ['a', 'b']) expect(await cache.get(key).remainTimeToLive()).toBe(-1)
        expect(await cache.fastRemove('a', 'b')).toBe(2)
        expect(await cache.isExists()).toBe(false)
      })
    })
  },
)
