import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import { ConnectionLostError } from '../../../src/errors/connection-errors.js'
import { JointReleases } from '../../../src/synchronizers/semaphore/joint-releases.js'

const KEY = 'semaphore'

describe('releases that may be held back', () => {
  let joint: JointReleases
  let sent: number[]

  beforeEach(() => {
    joint = new JointReleases()
    sent = []
  })

  const send = (permits: number) => {
    sent.push(permits)
    return Promise.resolve()
  }

  const failWith = (error: Error) => () => Promise.reject(error)

  const reasonsOf = async (calls: readonly Promise<void>[]) => {
    const outcomes = await Promise.allSettled(calls)
    return outcomes.map((outcome) =>
      outcome.status === 'rejected' ? (outcome.reason as unknown) : undefined,
    )
  }

  it('leave together at the end of the turn', async () => {
    const calls = [
      joint.join(KEY, { permits: 1, ifExists: 0, send }),
      joint.join(KEY, { permits: 3, ifExists: 0, send }),
    ]
    await Promise.resolve()
    expect(sent).toEqual([])
    await nextTurn()
    expect(sent).toEqual([4])
    await Promise.all(calls)
  })

  it('leave in the next turn if they are made in the next one', async () => {
    void joint.join(KEY, { permits: 1, ifExists: 0, send })
    await nextTurn()
    void joint.join(KEY, { permits: 2, ifExists: 0, send })
    await nextTurn()
    expect(sent).toEqual([1, 2])
  })

  it('leave by semaphore', async () => {
    void joint.join(KEY, { permits: 1, ifExists: 0, send })
    void joint.join('another', { permits: 2, ifExists: 0, send })
    joint.send(KEY)
    expect(sent).toEqual([1])
    await nextTurn()
    expect(sent).toEqual([1, 2])
  })

  it('leave by themselves where one needs a semaphore that is there, and another does not', async () => {
    const named = (name: string) => (permits: number) => Promise.resolve(order.push([name, permits]))
    const order: [string, number][] = []
    void joint.join(KEY, { permits: 1, ifExists: 1, send: named('if it exists') })
    void joint.join(KEY, { permits: 2, ifExists: 0, send: named('in any case') })
    void joint.join(KEY, { permits: 3, ifExists: 0, send: named('also') })
    await nextTurn()
    expect(order).toEqual([
      ['if it exists', 1],
      ['in any case', 5],
    ])
  })

  it('are sent once when they are flushed before the turn ends', async () => {
    void joint.join(KEY, { permits: 1, ifExists: 0, send })
    joint.send(KEY)
    joint.send(KEY)
    void joint.join(KEY, { permits: 2, ifExists: 0, send })
    expect(sent).toEqual([1])
    await nextTurn()
    expect(sent).toEqual([1, 2])
  })

  it('add up to no more than a number can say exactly', async () => {
    void joint.join(KEY, { permits: Number.MAX_SAFE_INTEGER, ifExists: 0, send })
    void joint.join(KEY, { permits: 1, ifExists: 0, send })
    void joint.join(KEY, { permits: 2, ifExists: 0, send })
    await nextTurn()
    expect(sent).toEqual([Number.MAX_SAFE_INTEGER, 3])
  })

  it('settle when they are answered, and not before', async () => {
    const { promise: answer, resolve } = Promise.withResolvers<void>()
    let settled = 0
    const calls = [1, 2].map(async (permits) => {
      await joint.join(KEY, { permits, ifExists: 0, send: () => answer })
      settled += 1
    })
    await nextTurn()
    expect(settled).toBe(0)
    resolve()
    await Promise.all(calls)
  })

  it('reject with an error for each caller', async () => {
    const lost = new ConnectionLostError('lost', {
      request: 'semaphore/release of semaphore',
      attempts: 4,
      elapsedMs: 10,
      cause: new Error('reset'),
    })
    const calls = [1, 2, 3].map((permits) => joint.join(KEY, { permits, ifExists: 0, send: failWith(lost) }))
    const reasons = await reasonsOf(calls)
    expect(new Set(reasons).size).toBe(3)
    for (const reason of reasons) {
      expect(reason).toBeInstanceOf(ConnectionLostError)
      expect(reason).toMatchObject({ message: lost.message, attempts: 4, cause: lost.cause })
    }
  })

  it('leave no error to those that come later', async () => {
    const failing = joint.join(KEY, { permits: 1, ifExists: 0, send: failWith(new Error('failed')) })
    await expect(failing).rejects.toThrow('failed')
    await joint.join(KEY, { permits: 2, ifExists: 0, send })
    expect(sent).toEqual([2])
  })

  it('belong to no flow', async () => {
    const flow = new AsyncLocalStorage<string>()
    const seen: unknown[] = []
    const look = () => {
      seen.push(flow.getStore())
      return Promise.resolve()
    }
    await flow.run('first', () => joint.join(KEY, { permits: 1, ifExists: 0, send: look }))
    const second = flow.run('second', () => joint.join(KEY, { permits: 1, ifExists: 0, send: look }))
    flow.run('third', () => {
      joint.send(KEY)
    })
    await second
    expect(seen).toEqual([undefined, undefined])
  })
})
