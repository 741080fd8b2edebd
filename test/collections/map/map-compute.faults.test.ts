import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { Redisson, type RedissonClient, type RMap } from '../../../src/index.js'
import { describeFaults, strike } from '../../support/faults.js'
import type { ServerNode, SingleTopology } from '../../support/launch/topology.js'
import { noLeaks } from '../../support/no-leaks.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import { single } from '../../support/topologies.js'

const TIMEOUT_MS = 200
const SETTINGS = { timeout: TIMEOUT_MS, retryDelay: 20, reconnectionDelay: 10, retryAttempts: 20 }

/** A request of each kind that one call makes, by a text that no other has. The name of the lock comes first in that of its script. */
const requests = [
  ['for the lock', ':lock'],
  ['for the value', 'HGET'],
  ['that writes', 'redisson__once'],
] as const

/** Calls that change one entry, each of them by another write. */
const calls: readonly (readonly [
  what: string,
  before: number | undefined,
  call: (map: RMap<string, number>) => Promise<unknown>,
  answer: unknown,
])[] = [
  ['a new value', undefined, (map) => map.compute('k', (_, value = 0) => value + 1), 1],
  ['another value', 5, (map) => map.compute('k', (_, value = 0) => value + 1), 6],
  ['no value', 5, (map) => map.compute('k', () => undefined), undefined],
  ['an absent value', undefined, (map) => map.computeIfAbsent('k', () => 7), 7],
  ['a present value', 5, (map) => map.computeIfPresent('k', (_, value) => value * 2), 10],
  ['a merged value', 5, (map) => map.merge('k', 3, (before, value) => before + value), 8],
]

describe('a request of a value that is computed', () => {
  noLeaks(single)
  let door: Proxied<SingleTopology<ServerNode>>
  let client: RedissonClient
  let straight: RedissonClient
  let names = 0

  beforeAll(async () => {
    door = await proxied(single)
    client = await Redisson.create(door.options(SETTINGS))
    straight = await Redisson.create(single.options())
  })

  afterEach(() => Promise.all(door.proxies.map((proxy) => proxy.heal())))

  afterAll(async () => {
    await Promise.all([client.shutdown(), straight.shutdown()])
    await door.stop()
  })

  describeFaults('that %s', TIMEOUT_MS, (...fault) => {
    describe.each(requests)('%s', (_, text) => {
      it.each(calls)('makes the call of %s take effect once', async (__, before, call, answer) => {
        const name = `compute-lost-${String(names++)}`
        const seen = straight.getMap<string, number>(name)
        if (before !== undefined) await seen.put('k', before)
        const { struck } = strike(door.proxies, text, fault)
        expect(await call(client.getMap<string, number>(name))).toEqual(answer)
        await struck
        expect(await seen.get('k')).toEqual(answer)
        await seen.getLock('k').withLock(() => undefined) // it is free, or soon is
        await seen.delete()
      })
    })
  })
})
