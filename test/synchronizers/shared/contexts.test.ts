import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import type { LockContext } from '../../../src/core/context/object-context.js'
import { Subscriptions } from '../../../src/pubsub/subscriptions.js'
import { WakeUps } from '../../../src/pubsub/wake-ups.js'
import { LatchWatchers } from '../../../src/synchronizers/count-down-latch/latch-watchers.js'
import { PermitQueue } from '../../../src/synchronizers/shared/permit-queue.js'
import { Deadline } from '../../../src/util/time/deadline.js'
import { FakeSubscriber } from '../../engine/pubsub/fake-subscriber.js'

const PATIENT = { waitMs: Infinity, deadline: Deadline.never, signal: undefined }

describe('what goes on for all who wait', () => {
  const flow = new AsyncLocalStorage<string>()
  let subscriber: FakeSubscriber
  let context: LockContext
  let seen: unknown[]

  beforeEach(() => {
    subscriber = new FakeSubscriber()
    const config = { subscriptionTimeoutMs: 60_000 }
    const wakeUps = new WakeUps(new Subscriptions(subscriber), config)
    context = { wakeUps, config } as unknown as LockContext
    seen = []
  })

  it('belongs to no flow at a semaphore', async () => {
    const claim = { ...PATIENT, permits: 1, initial: undefined }
    const line = new PermitQueue(context, {
      channel: 'semaphore',
      mostPermits: 1,
      ask: () => {
        seen.push(flow.getStore())
        return Promise.resolve({ got: [1], retryInMs: 0, there: true })
      },
      compensate: () => undefined,
    })
    const first = flow.run('first', () => line.wait(claim))
    const second = flow.run('second', () => line.wait(claim))
    await nextTurn()
    subscriber.confirm('semaphore')
    await Promise.all([first, second])
    expect(seen).toEqual([undefined, undefined])
  })

  it('belongs to no flow at a latch', async () => {
    const gates = new LatchWatchers(context)
    let open = false
    const isOpen = () => {
      seen.push(flow.getStore())
      return Promise.resolve(open)
    }
    const latch = { key: 'latch', channel: 'latch', isOpen }
    const first = flow.run('first', () => gates.wait(latch, PATIENT))
    await nextTurn()
    subscriber.confirm('latch')
    await nextTurn()
    open = true
    subscriber.message('latch', '0')
    expect(await first).toBe(true)
    expect(new Set(seen)).toEqual(new Set([undefined]))
  })
})
