import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { WaiterHeartbeats } from '../../../src/locks/shared/waiter-heartbeats.js'
import { Lease, type RenewalKind } from '../../../src/renewal/lease.js'

const LEASE_MS = 60_000

/** Two waiters of one lock, whose heartbeats get their replies when the test says so. */
function setUp() {
  const replies: (() => void)[] = []
  const kind: RenewalKind = {
    name: 'waiting',
    renew: (leases) =>
      new Promise((resolve) => {
        replies.push(() => {
          resolve(leases.map(() => true))
        })
      }),
  }
  const heartbeats = new WaiterHeartbeats({ leaseMs: LEASE_MS, batchSize: 100 })
  for (const owner of ['one', 'two']) {
    const lease = new Lease({ kind, name: 'lock', owner, slot: 0 }, { onLeaseLost: () => undefined })
    lease.renewed = true
    lease.confirm(performance.now(), LEASE_MS)
    heartbeats.keep(lease)
  }
  const reply = async () => {
    replies.at(-1)?.()
    await setImmediate()
  }
  return { heartbeats, sent: () => replies.length, reply }
}

describe('heartbeats out of their turn', () => {
  it('are sent once more for all that ask for them while they are under way', async () => {
    const { heartbeats, sent, reply } = setUp()
    for (let n = 0; n < 10; n += 1) heartbeats.sayNow('lock')
    await setImmediate()
    expect(sent()).toBe(1)
    await reply()
    expect(sent()).toBe(2)
    await reply()
    expect(sent()).toBe(2)
    await heartbeats.close(0)
  })

  it('are sent at once when none are under way', async () => {
    const { heartbeats, sent, reply } = setUp()
    heartbeats.sayNow('lock')
    await reply()
    heartbeats.sayNow('lock')
    await setImmediate()
    expect(sent()).toBe(2)
    await reply()
    await heartbeats.close(0)
  })
})
