import { afterEach, describe, expect, it, vi } from 'vitest'
import { Layout } from '../../../src/counters/snowflake/layout.js'
import { NodeNumber } from '../../../src/counters/snowflake/node-number.js'
import { ServerClock } from '../../../src/counters/snowflake/server-clock.js'
import { Lease } from '../../../src/renewal/lease.js'

const SERVER_MS = Date.UTC(2030)
const LEASE_MS = 10_000

/** When its lease ends here: 1 % and 2 ms before it does in Redis. */
const OVER_MS = 9_898

const kind = { name: 'node-number', renew: () => Promise.resolve([]) }
const layout = Layout.of({ sequenceBits: 1 })

describe('a node number', () => {
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now)

  afterEach(() => {
    now = 0
  })

  /** Asked for at 0, and granted from the present millisecond of the server on, unless it is said otherwise. */
  const taken = (window: { readonly from?: number; readonly until?: number } = {}) => {
    const { from = SERVER_MS, until = from + LEASE_MS } = window
    const lost: string[] = []
    const number = new NodeNumber(
      { node: 3, token: 'token', from, until, serverMs: SERVER_MS, sentAt: 0 },
      {
        object: 'ids',
        layout,
        leaseOf: (holder) => new Lease({ kind, name: 'ids', owner: 'token', slot: 0 }, holder),
        leaseMs: LEASE_MS,
        onLost: (reason) => lost.push(reason),
        clock: new ServerClock(SERVER_MS, now),
      },
    )
    return { number, lost }
  }

  it('has as many ids in a millisecond as its bits say, and then waits for the next', () => {
    const { number } = taken()
    expect(number.take(5)).toEqual([layout.firstId(SERVER_MS, 3), layout.firstId(SERVER_MS, 3) + 1n])
    expect([number.take(1), number.pauseMs]).toEqual([[], 1])
    now = 1
    expect(number.take(1)).toEqual([layout.firstId(SERVER_MS + 1, 3)])
  })

  it('has no id before its window', () => {
    const { number } = taken({ from: SERVER_MS + 20 })
    expect([number.take(1), number.pauseMs]).toEqual([[], 20])
    now = 20
    expect(number.take(1)).toEqual([layout.firstId(SERVER_MS + 20, 3)])
  })

  it('has no id once its lease may have ended, although the window goes on', () => {
    const { number, lost } = taken({ until: SERVER_MS + 2 * LEASE_MS })
    now = OVER_MS - 1
    expect(number.take(1)).toHaveLength(1)
    now = OVER_MS
    expect([number.take(1), number.isHeld, lost]).toEqual([[], false, ['expired']])
    number.extend(SERVER_MS + 5 * LEASE_MS, SERVER_MS + now)
    expect([number.take(1), lost]).toEqual([[], ['expired']]) // a reply that comes late brings nothing back
  })

  it('has no id behind its window, although the lease goes on', () => {
    const { number, lost } = taken({ until: SERVER_MS + 50 })
    now = 50
    expect(number.take(1)).toHaveLength(1)
    now = 51
    expect([number.take(1), lost]).toEqual([[], ['expired']])
  })

  it('has ids of a window that was extended', () => {
    const { number } = taken({ until: SERVER_MS + 50 })
    number.extend(SERVER_MS + 100, SERVER_MS)
    now = 100
    expect(number.take(1)).toHaveLength(1)
  })

  it('has no id after the last millisecond of its layout', () => {
    const { number } = taken({ from: layout.lastMs, until: layout.lastMs + LEASE_MS })
    now = layout.lastMs - SERVER_MS
    number.lease.begin(now, LEASE_MS)
    expect(number.take(1)).toHaveLength(1)
    now += 1
    expect(() => number.take(1)).toThrow(expect.objectContaining({ code: 'SNOWFLAKE_TIME' }) as Error)
  })
})
