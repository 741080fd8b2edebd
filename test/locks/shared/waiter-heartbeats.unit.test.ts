import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { AcquireRequest } from '../../../src/locks/shared/engine/lock-driver.js'
import { WaiterHeartbeats } from '../../../src/locks/shared/queue/waiter-heartbeats.js'
import { Lease, type RenewalKind } from '../../../src/renewal/lease.js'
import { Deadline } from '../../../src/util/time/deadline.js'

const LEASE_MS = 60_000

const claimOf = (owner: string): AcquireRequest => ({
  owner,
  holds: 0,
  leaseMs: LEASE_MS,
  waitMs: LEASE_MS,
  deadline: Deadline.never,
  replyBy: Deadline.never,
  signal: undefined,
  settleBy: Deadline.never,
  takesLate: false,
  inside: false,
  confirmed: false,
})

describe('a call that gives up', () => {
  it('sends a heartbeat only of its own thread, where another call waits for that', async () => {
    const sent: string[][] = []
    const kind: RenewalKind = {
      name: 'waiting',
      renew: (leases) => {
        sent.push(leases.map(({ owner }) => owner))
        return Promise.resolve(leases.map(() => true))
      },
    }
    const heartbeats = new WaiterHeartbeats({ leaseMs: LEASE_MS, batchSize: 100 })
    for (const owner of ['one', 'two', 'two', 'three']) {
      const lease = new Lease({ kind, name: 'lock', owner, slot: 0 }, { onLeaseLost: () => undefined })
      lease.renewed = true
      lease.confirm(performance.now(), LEASE_MS)
      heartbeats.keep(lease)
    }
    const left: string[] = []
    const leave = () => Promise.resolve(left.push('two'))
    const { promise: over, resolve: end } = Promise.withResolvers<undefined>()
    const staying = heartbeats.runAsWaiter(claimOf('two'), { place: 'lock', wait: () => over, leave })
    await heartbeats.runAsWaiter(claimOf('two'), {
      place: 'lock',
      wait: () => Promise.resolve(undefined),
      leave,
    })
    await setImmediate()
    expect(sent).toEqual([['two']])
    expect(left).toEqual([])
    end(undefined)
    await staying
    await heartbeats.close(LEASE_MS)
    expect(left).toEqual(['two'])
  })
})
