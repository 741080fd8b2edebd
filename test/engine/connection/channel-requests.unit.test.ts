import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ChannelRequests, type Requested } from '../../../src/connection/messages/channel-requests.js'
import type { Channel } from '../../../src/connection/connection.js'

const TIMEOUT_MS = 7_500

const channel: Channel = { kind: 'plain', name: 'key' }

const busy = new Error('BUSY Redis is busy running a script')

describe('the channels that a node is asked for', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })

  afterEach(() => {
    vi.useRealTimers()
  })

  function setUp() {
    const refused: Error[] = []
    const asked: Requested[] = []
    const requests = new ChannelRequests(
      {
        pingIntervalMs: 0,
        reconnectionDelay: () => 100,
        subscriptionTimeoutMs: TIMEOUT_MS,
        timeoutMs: 3_000,
      },
      {
        subscribed: () => undefined,
        interrupted: () => undefined,
        announcementsKnown: () => undefined,
        refused: (_channel, error) => refused.push(error),
        message: () => undefined,
      },
      {
        isReady: true,
        ask: (requested) => asked.push(requested),
        errorOf: (reply) => reply,
        unsubscribe: () => undefined,
      },
    )
    requests.add(channel)
    return { requests, requested: requests.get(channel) as Requested, asked, refused }
  }

  it('are given up when they are refused for as long as may be', () => {
    const { requests, requested, refused } = setUp()
    requests.refuse(requested, busy)
    expect(refused).toEqual([])
    vi.advanceTimersByTime(TIMEOUT_MS)
    requests.refuse(requested, busy)
    expect(refused).toMatchObject([{ code: 'SUBSCRIPTION_TIMEOUT' }])
  })

  it('are asked for again when they were confirmed for long, and are refused then', () => {
    const { requests, requested, asked, refused } = setUp()
    requests.confirm(requested)
    for (let time = 0; time < 3; time += 1) {
      vi.advanceTimersByTime(TIMEOUT_MS * 2)
      requests.refuse(requested, busy)
      vi.advanceTimersByTime(100)
      requests.confirm(requested)
    }
    expect(refused).toEqual([])
    expect(asked).toHaveLength(1 + 3)
  })

  it('are counted, and not looked at to know whether there is any', () => {
    const { requests } = setUp()
    const looks = vi.spyOn(Map.prototype, 'values')
    const empty = [requests.isEmpty, requests.delete(channel), requests.isEmpty]
    requests.add(channel)
    requests.add({ kind: 'sharded', name: 'key' })
    requests.delete(channel)
    empty.push(requests.isEmpty)
    const looked = looks.mock.calls.length
    looks.mockRestore()
    expect(looked).toBe(0) // an iterator passes over all that was deleted before the first
    requests.clear()
    expect([...empty, requests.isEmpty]).toEqual([false, true, true, false, true])
  })

  it('are given up when they were confirmed, and are refused for as long as may be since then', () => {
    const { requests, requested, refused } = setUp()
    requests.confirm(requested)
    vi.advanceTimersByTime(TIMEOUT_MS * 2)
    requests.refuse(requested, busy)
    vi.advanceTimersByTime(TIMEOUT_MS - 1)
    requests.refuse(requested, busy)
    expect(refused).toEqual([])
    vi.advanceTimersByTime(1)
    requests.refuse(requested, busy)
    expect(refused).toMatchObject([{ code: 'SUBSCRIPTION_TIMEOUT' }])
  })
})
