import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { acquire, release, renew } from '../../../src/counters/snowflake/snowflake.scripts.js'
import { Redisson, type RedissonClient, type RSnowflake } from '../../../src/index.js'
import { askOwner } from '../../support/ask-owner.js'
import { describeFaults, strike } from '../../support/faults.js'
import { noLeaks } from '../../support/no-leaks.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import { cluster, single } from '../../support/topologies.js'

const TIMEOUT_MS = 200
/** Attempts that no busy machine outlasts. */
const PATIENT = { timeout: TIMEOUT_MS, retryDelay: 20, reconnectionDelay: 10, retryAttempts: 20 }

/** So that numbers are renewed soon, and their leases outlast a busy machine. */
const WATCHDOG_MS = 3_000

describe.each([single, cluster])('a snowflake whose messages get lost on the way to a $kind', (topology) => {
  let door: Proxied<typeof topology>
  let client: RedissonClient
  let straight: RedissonClient
  let names = 0
  let name: string
  let ids: RSnowflake

  noLeaks(topology)

  const ask = (key: string, command: string, ...args: string[]) => askOwner(topology, key, command, ...args)
  const bounds = () => `{${name}}:bounds`

  beforeAll(async () => {
    door = await proxied(topology)
    client = await Redisson.create({ ...door.options(PATIENT), lockWatchdogTimeout: WATCHDOG_MS })
    straight = await Redisson.create(topology.options({}))
  })

  beforeEach(async () => {
    name = `lost-flakes-${topology.kind}-${String(names++)}`
    ids = client.getSnowflake(name)
    const warm = straight.getSnowflake(`warm-${name}`) // so that the servers know the scripts
    await warm.nextId()
    await warm.delete()
  })

  afterEach(async () => {
    await Promise.all(door.proxies.map((proxy) => proxy.heal()))
    await ids[Symbol.asyncDispose]()
    await ask(name, 'DEL')
    await ask(bounds(), 'DEL')
  })

  afterAll(async () => {
    await Promise.all([client.shutdown(), straight.shutdown()])
    await door.stop()
  })

  describeFaults('in a request that %s', TIMEOUT_MS, (...fault) => {
    it('takes one number', async () => {
      const { struck } = strike(door.proxies, acquire.sha, fault)
      await ids.nextId()
      await struck
      expect(ids.node).toBe(0)
      expect(await ask(bounds(), 'ZRANGE', '0', '-1')).toEqual(['0'])
      expect(await ask(name, 'HLEN')).toBe(6) // its settings, and one holder
    })

    it('keeps its number, whose window is extended', async () => {
      await ids.nextId()
      const before = Number(await ask(bounds(), 'ZSCORE', '0'))
      const { struck } = strike(door.proxies, renew.sha, fault)
      await struck
      await expect.poll(async () => Number(await ask(bounds(), 'ZSCORE', '0'))).toBeGreaterThan(before)
      expect(ids.node).toBe(0)
      await ids.nextId()
    })

    it('gives its number back', async () => {
      const last = await ids.nextId()
      const { struck } = strike(door.proxies, release.sha, fault)
      await ids[Symbol.asyncDispose]()
      await struck
      expect(await ask(name, 'HLEN')).toBe(4)
      expect(await ask(bounds(), 'ZSCORE', '0')).toBe(String(ids.partsOf(last).time.getTime()))
    })

    it('is deleted', async () => {
      await ids.nextId()
      await ids[Symbol.asyncDispose]()
      const { struck } = strike(door.proxies, name, fault)
      expect(await ids.delete()).toBe(true)
      await struck
      expect(await ids.isExists()).toBe(false)
    })
  })
})
