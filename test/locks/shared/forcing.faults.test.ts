import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Redisson, type RedissonClient, type RLock } from '../../../src/index.js'
import * as fair from '../../../src/locks/fair/fair-lock.scripts.js'
import * as plain from '../../../src/locks/reentrant/lock.scripts.js'
import * as values from '../../../src/locks/multi-value/multi-value-lock.scripts.js'
import * as readWrite from '../../../src/locks/read-write/read-write-lock.scripts.js'
import { strike } from '../../support/faults.js'
import { noLeaks } from '../../support/no-leaks.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import { single } from '../../support/topologies.js'

const LEASE_MS = 600_000

const kinds: readonly (readonly [string, string, (client: RedissonClient) => RLock])[] = [
  ['a lock', plain.forceRelease.sha, (client) => client.getLock('forced')],
  ['a fair lock', fair.forceRelease.sha, (client) => client.getFairLock('forced')],
  ['a read lock', readWrite.forceRelease.sha, (client) => client.getReadWriteLock('forced').readLock()],
  ['a write lock', readWrite.forceRelease.sha, (client) => client.getReadWriteLock('forced').writeLock()],
  ['the values of a group', values.forceRelease.sha, (client) => client.getMultiLock('forced', ['value'])],
]

describe.each(kinds)('forcing %s open', (_, forceRelease, lockOf) => {
  let door: Proxied<typeof single>
  let client: RedissonClient

  noLeaks(single)

  beforeAll(async () => {
    door = await proxied(single)
    client = await Redisson.create(door.options({ retryDelay: 2000, reconnectionDelay: 10 }))
  })

  afterAll(async () => {
    await client.shutdown()
    await door.stop()
  })

  it('ends the hold that was there, and none that began while the lost answer was asked for again', async () => {
    const lock = lockOf(client)
    const first = await lock.acquire({ leaseMs: LEASE_MS })
    await lock.forceUnlock() // so that the server knows the script
    expect(first.isHeld).toBe(false)
    const before = await lock.acquire({ leaseMs: LEASE_MS })
    const { struck } = strike(door.proxies, forceRelease, [
      'loses its answer',
      'reply',
      (passing) => passing.cut(),
    ])
    const reconnected = new Promise<void>((resolve) => {
      client.on('reconnected', ({ purpose }) => {
        if (purpose === 'commands') resolve()
      })
    })
    const forced = lock.forceUnlock()
    await struck
    await reconnected // the answer is asked for again two seconds later
    const after = await lock.acquire({ leaseMs: LEASE_MS })
    expect(await forced).toBe(true)
    expect([before.isHeld, after.isHeld]).toEqual([false, true])
    await after.unlock()
  })
})
