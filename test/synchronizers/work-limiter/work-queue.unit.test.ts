import { describe, expect, it } from 'vitest'
import type { LockContext } from '../../../src/core/context/object-context.js'
import { WakeUps } from '../../../src/pubsub/wake-ups.js'
import { Deadline } from '../../../src/util/time/deadline.js'
import { settingsOf, requestOf } from '../../../src/synchronizers/work-limiter/settings.js'
import type { Served, WorkRequests } from '../../../src/synchronizers/work-limiter/work-requests.js'
import { WorkQueue, type CalledQueues } from '../../../src/synchronizers/work-limiter/work-queue.js'

const REFUSED: Served = { granted: [], retryInMs: 600_000, byRate: false }
const BY_RATE: Served = { ...REFUSED, byRate: true }
const GRANTED: Served = {
  granted: [{ id: 'r', first: 1, count: 1, leaseFrom: 0, due: Deadline.after(0) }],
  retryInMs: 0,
  byRate: false,
}

/** Queues of one limiter, and what is published to them. Their subscription is confirmed at once. */
class Bench {
  readonly called: CalledQueues = new Map()
  /** Ends the waiting of all. */
  readonly controller = new AbortController()
  publish: (message: string) => void = () => undefined
  #queues = 0
  readonly #context: LockContext

  constructor() {
    const subscriptions = {
      joinAnnouncements: (_: string, listener: { readonly message: (payload: Buffer) => void }) => {
        this.publish = (message) => {
          listener.message(Buffer.from(message))
        }
        return { confirmed: true, refusal: undefined, leave: () => undefined }
      },
    }
    const config = { subscriptionTimeoutMs: 1000 }
    const wakeUps = new WakeUps(subscriptions as never, config)
    this.#context = { config, wakeUps, topology: { placeOf: () => 'redis:6379' } } as never
  }

  /** @param replies - the next reply to each request; it hangs where there is none */
  queue(replies: readonly Served[]) {
    const left = [...replies]
    const name = `w${String((this.#queues += 1))}`
    const asked = { times: 0 }
    const requests = {
      channel: 'calls',
      newWaiter: () => name,
      ask: () => {
        asked.times += 1
        const reply = left.shift()
        return reply === undefined ? new Promise(() => undefined) : Promise.resolve(reply)
      },
      leave: () => undefined,
      giveBackUnused: () => undefined,
    }
    const queue = new WorkQueue(this.#context, requests as unknown as WorkRequests, this.called)
    const request = requestOf(settingsOf({ concurrency: 1 }), { signal: this.controller.signal }, undefined)
    return { queue, name, asked, wait: () => queue.wait(request) }
  }
}

/** Until all that is due at once has run. */
const settled = () =>
  new Promise((resolve) => {
    setImmediate(resolve)
  })

describe('a queue of a work limiter', () => {
  it('hears a message for it while an earlier queue of the same limiter still waits for a reply', async () => {
    const bench = new Bench()
    const first = bench.queue([REFUSED, REFUSED])
    void first.wait()
    await settled()
    first.queue.placeFreed() // whose request hangs
    await settled()
    const second = bench.queue([REFUSED, REFUSED, GRANTED])
    const waiting = second.wait()
    await settled()
    expect([first.asked.times, second.asked.times]).toEqual([3, 2])
    bench.publish(`${second.name} 0`)
    expect(await waiting).toMatchObject({ id: 'r' })
    expect([first.asked.times, second.asked.times]).toEqual([3, 3])
  })

  it('stands before a call that does not wait only with what Redis has refused', async () => {
    const bench = new Bench()
    const { queue, wait } = bench.queue([REFUSED, REFUSED])
    const before = () => [1, 0, -1].map((priority) => queue.standsBefore(priority))
    const waiting = wait()
    expect(before()).toEqual([false, false, false]) // it is only being asked for
    await settled()
    expect(before()).toEqual([false, true, true])
    queue.placeFreed()
    await settled()
    expect(before()).toEqual([false, true, true]) // asked for again
    bench.controller.abort(new Error('no longer wanted'))
    await expect(waiting).rejects.toThrow('no longer wanted')
    expect(before()).toEqual([false, false, false])
  })

  it('ignores a place that is free while only the rate is in the way, and a call for another queue', async () => {
    const bench = new Bench()
    const { queue, name, asked, wait } = bench.queue([BY_RATE, BY_RATE, GRANTED])
    const waiting = wait()
    await settled()
    bench.publish(`${name} `)
    bench.publish('another 0')
    queue.placeFreed()
    await settled()
    expect(asked.times).toBe(2)
    bench.publish(`${name} 0`)
    expect(await waiting).toMatchObject({ id: 'r' })
  })

  it('asks when a call says so, and not before', { tags: ['timed'] }, async () => {
    const bench = new Bench()
    const { name, asked, wait } = bench.queue([REFUSED, REFUSED, GRANTED])
    const waiting = wait()
    await settled()
    const calledAt = performance.now()
    bench.publish(`${name} 20`)
    await settled()
    bench.publish(`${name} `)
    await settled()
    expect(asked.times).toBe(2)
    await waiting
    expect(performance.now() - calledAt).toBeGreaterThanOrEqual(19)
    expect(asked.times).toBe(3)
  })
})
