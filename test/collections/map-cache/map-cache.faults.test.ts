import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Redisson, type RedissonClient } from '../../../src/index.js'
import {
  LARGE,
  testLostReplies,
  testOvertakenCalls,
  type CountingCall,
  type RepeatedCall,
} from '../../contracts/values/lost-replies.js'
import { eventually } from '../../support/eventually.js'
import { describeFaults, strike } from '../../support/faults.js'
import type { ServerNode, SingleTopology } from '../../support/launch/topology.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import { single } from '../../support/topologies.js'

/** The entries of a cache, each with its value and whether it expires. */
type State = readonly (readonly [key: string, value: unknown, expires?: boolean])[]

const LIFE = { ttlMs: 600_000, maxIdleMs: 600_000 }

const cacheOf = (client: RedissonClient, name: string, exactlyOnce = false) =>
  client.getMapCache(name, { exactlyOnce })

const leaseOf = (name: string) => `redisson__map__lease:{${name}}:k`

const NONE: State = []
const ONE: State = [['k', 1, false]]
const TWO: State = [['k', 2, false]]
const TWO_FOR_A_WHILE: State = [['k', 2, true]]
const LARGE_ONE: State = [['k', LARGE, false]]

async function look(client: RedissonClient, name: string): Promise<State> {
  const cache = cacheOf(client, name)
  const entries = await cache.readAllEntrySet()
  return await Promise.all(
    entries.map(async ([key, value]) => [key, value, (await cache.remainTimeToLive(key)) > 0] as const),
  )
}

/** A call of a cache that is empty before, or has one entry. */
function calling(
  what: string,
  call: (cache: ReturnType<typeof cacheOf>) => Promise<unknown>,
  answer: unknown,
  states: readonly [State, State],
): CountingCall {
  return {
    what,
    prepare: async (client, name) => {
      const cache = cacheOf(client, name)
      await cache.delete()
      await cache.putAll(states[0].map(([key, value]) => [key, value] as const))
    },
    call: (client, name, exactlyOnce) => call(cacheOf(client, name, exactlyOnce)),
    answer,
    states,
  }
}

const calls: readonly CountingCall[] = [
  calling('put', (cache) => cache.put('k', 2, LIFE), 1, [ONE, TWO_FOR_A_WHILE]),
  calling('put of a new key', (cache) => cache.put('k', 1), undefined, [NONE, ONE]),
  calling('fastPut of a new key', (cache) => cache.fastPut('k', 2, LIFE), true, [NONE, TWO_FOR_A_WHILE]),
  calling('putAll', (cache) => cache.putAll({ k: 2 }, LIFE), undefined, [ONE, TWO_FOR_A_WHILE]),
  calling('putIfAbsent', (cache) => cache.putIfAbsent('k', 1), undefined, [NONE, ONE]),
  calling('fastPutIfAbsent', (cache) => cache.fastPutIfAbsent('k', 1), true, [NONE, ONE]),
  calling('putIfExists', (cache) => cache.putIfExists('k', 2), 1, [ONE, TWO]),
  calling('fastPutIfExists', (cache) => cache.fastPutIfExists('k', 2), true, [ONE, TWO]),
  calling('replace', (cache) => cache.replace('k', 2), 1, [ONE, TWO]),
  calling('replace of an expected value', (cache) => cache.replace('k', 1, 2), true, [ONE, TWO]),
  calling('remove', (cache) => cache.remove('k'), 1, [ONE, NONE]),
  calling('remove of an expected value', (cache) => cache.remove('k', 1), true, [ONE, NONE]),
  calling('put over a large value', (cache) => cache.put('k', 2), LARGE, [LARGE_ONE, TWO]),
  calling('remove of a large value', (cache) => cache.remove('k'), LARGE, [LARGE_ONE, NONE]),
  calling('fastRemove', (cache) => cache.fastRemove('k', 'none'), 1, [ONE, NONE]),
  calling('addAndGet', (cache) => cache.addAndGet('k', 1), 2, [ONE, TWO]),
  calling('addAndGet of a new key', (cache) => cache.addAndGet('k', 1), 1, [NONE, ONE]),
  calling('expireEntry', (cache) => cache.expireEntry('k', LIFE), true, [ONE, [['k', 1, true]]]),
  calling('expireEntryIfNotSet', (cache) => cache.expireEntryIfNotSet('k', LIFE), true, [
    ONE,
    [['k', 1, true]],
  ]),
  calling('removeWithLease', (cache) => cache.removeWithLease('k'), true, [ONE, NONE]),
  {
    what: 'putWithLease',
    prepare: async (client, name) => {
      await cacheOf(client, name).delete()
      await single.nodes[0].command('SET', leaseOf(name), 'token')
    },
    call: (client, name, exactlyOnce) => cacheOf(client, name, exactlyOnce).putWithLease('k', 1, 'token'),
    answer: true,
    states: [NONE, ONE],
  },
  calling('clear', (cache) => cache.clear(), undefined, [ONE, NONE]),
]

testLostReplies('a map cache', calls, look)

/** A call of a cache that has one entry, while another client does something. */
function overtaken(
  what: string,
  call: (cache: ReturnType<typeof cacheOf>) => Promise<unknown>,
  between: (cache: ReturnType<typeof cacheOf>) => Promise<unknown>,
  answer: unknown,
  rejects = false,
): RepeatedCall {
  return {
    what,
    prepare: (client, name) => cacheOf(client, name).put('k', 1),
    call: (client, name, exactlyOnce) => call(cacheOf(client, name, exactlyOnce)),
    between: (client, name) => between(cacheOf(client, name)),
    answer,
    rejects,
  }
}

const repeated: readonly RepeatedCall[] = [
  overtaken(
    'fastPut',
    (cache) => cache.fastPut('new', 2),
    (cache) => cache.put('new', 3),
    true,
    true,
  ),
  overtaken(
    'putAll',
    (cache) => cache.putAll({ k: 2 }, LIFE),
    (cache) => cache.put('k', 3),
    undefined,
  ),
  overtaken(
    'fastPutIfAbsent, of what another removes',
    (cache) => cache.fastPutIfAbsent('new', 2),
    (cache) => cache.remove('new'),
    true,
    true,
  ),
  overtaken(
    'fastPutIfExists',
    (cache) => cache.fastPutIfExists('k', 2),
    (cache) => cache.remove('k'),
    true,
    true,
  ),
  overtaken(
    'fastRemove',
    (cache) => cache.fastRemove('k'),
    (cache) => cache.put('k', 3),
    1,
    true,
  ),
]

testOvertakenCalls('a map cache', repeated, look)

describe('a call that takes a lease', () => {
  const LEASE_MS = 600_000
  const TIMEOUT_MS = 200
  const SETTINGS = { timeout: TIMEOUT_MS, retryDelay: 20, reconnectionDelay: 10 }
  let door: Proxied<SingleTopology<ServerNode>>
  let insistent: RedissonClient
  let impatient: RedissonClient

  beforeAll(async () => {
    door = await proxied(single)
    insistent = await Redisson.create(door.options({ ...SETTINGS, retryAttempts: 20 }))
    impatient = await Redisson.create(door.options({ ...SETTINGS, retryAttempts: 0 }))
  })

  afterAll(async () => {
    await Promise.all([insistent.shutdown(), impatient.shutdown()])
    await door.stop()
  })

  const tokenAt = (name: string) => single.nodes[0].command('GET', leaseOf(name))

  /** So that the server knows the script, and the client the server. */
  const warm = async (client: RedissonClient, name: string) => {
    await client.getMapCache(`${name}-warm`).getWithLease('k', 1)
  }

  describeFaults('that %s', TIMEOUT_MS, (...fault) => {
    it('has the lease once it is sent again', async () => {
      const name = `lost-lease-${fault[1]}`
      await warm(insistent, name)
      const { struck } = strike(door.proxies, leaseOf(name), fault)
      const { isLeaseAcquired, leaseToken } = await insistent.getMapCache(name).getWithLease('k', LEASE_MS)
      await struck
      expect(isLeaseAcquired).toBe(true)
      expect(await tokenAt(name)).toBe(leaseToken)
      await single.nodes[0].command('DEL', leaseOf(name))
    })

    it('leaves no lease that no caller has, if it rejects', async () => {
      const name = `given-up-lease-${fault[1]}`
      await warm(impatient, name)
      const { struck } = strike(door.proxies, leaseOf(name), fault)
      await expect(impatient.getMapCache(name).getWithLease('k', LEASE_MS)).rejects.toMatchObject({
        mayHaveRun: true,
      })
      await struck
      await eventually(async () => {
        expect(await tokenAt(name)).toBeNull()
      })
    })
  })

  it('leaves no lease either if a signal ends it', async () => {
    const name = 'aborted-lease'
    await warm(insistent, name)
    const controller = new AbortController()
    const { struck } = strike(door.proxies, leaseOf(name), [
      'is answered when its caller has gone',
      'reply',
      () => {
        controller.abort()
      },
    ])
    const taking = insistent.withSignal(controller.signal).getMapCache(name).getWithLease('k', LEASE_MS)
    await expect(taking).rejects.toMatchObject({ mayHaveRun: true })
    await struck
    await eventually(async () => {
      expect(await tokenAt(name)).toBeNull()
    })
  })
})
