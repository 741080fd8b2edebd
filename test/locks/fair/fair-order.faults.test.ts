import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Redisson, type RedissonClient } from '../../../src/index.js'
import { acquire } from '../../../src/locks/fair/fair-lock.scripts.js'
import { eventually } from '../../support/eventually.js'
import { noLeaks } from '../../support/no-leaks.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import { single } from '../../support/topologies.js'

const WAITERS = 12

describe('waiters of a fair lock whose answers arrive in another order than their requests', () => {
  let door: Proxied<typeof single>
  let client: RedissonClient
  let other: RedissonClient

  noLeaks(single)

  beforeAll(async () => {
    door = await proxied(single)
    client = await Redisson.create(
      door.options({ timeout: 500, retryDelay: { type: 'FullJitterDelay', baseDelay: 20, maxDelay: 200 } }),
    )
    other = await Redisson.create(single.options())
    await (await other.getFairLock('order').acquire()).unlock() // so that the server knows the scripts
  })

  afterAll(() => Promise.all([client.shutdown(), other.shutdown()]))

  it('get the lock one after the other without a pause', { tags: ['timed'] }, async () => {
    const hold = await other.getFairLock('order').acquire()
    door.proxies[0]?.onReply(acquire.sha, (passing) => passing.cut())
    const served = Promise.all(
      Array.from({ length: WAITERS }, () => client.getFairLock('order').withLock(() => undefined)),
    )
    await eventually(
      async () => Number(await single.nodes[0].command('LLEN', 'redisson_lock_queue:{order}')) === WAITERS,
    )
    await sleep(600) // the repeated requests are answered as well
    const freedAt = performance.now()
    await hold.unlock()
    await served
    // A waiter that is only found by its next sign of life takes up to 1.2 s, and each of them would.
    expect(performance.now() - freedAt).toBeLessThan(5_000)
  })
})
