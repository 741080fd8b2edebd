import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { patienceOf } from '../../../src/core/arguments/arguments.js'
import { Receivers } from '../../../src/queues/blocking-queue/receivers.js'
import { removeOrWait, type Removal } from '../../../src/queues/blocking-queue/removals.js'

describe('a removal whose call has no time left', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  /** A call of 300 ms, of which one removal is tried. */
  const call = (remove: Removal<string>['remove']) =>
    removeOrWait(
      {
        requests: { isBatch: false, signal: undefined } as never,
        waiters: { wait: () => Promise.resolve(undefined) },
        receivers: new Receivers(),
        putBack: () => Promise.resolve(),
        delays: { watch: () => () => undefined },
        failFast: false,
        topology: { placeOf: () => '127.0.0.1:1' },
      },
      {
        keys: ['queue'],
        removals: {
          all: () => [{ remove, returnOf: (found) => found as never }],
          hasAny: () => Promise.resolve(false),
        },
        patience: patienceOf({ waitMs: 300 }, Infinity),
      },
    )
  const after = <T>(ms: number, value: T) => new Promise<T>((resolve) => void setTimeout(resolve, ms, value))

  it('finds nothing if it ends a moment later by itself, before anything was sent', async () => {
    const polled = call(() => after(302, undefined))
    await vi.advanceTimersByTimeAsync(302)
    expect(await polled).toBeUndefined()
  })

  it('is an error if it does not end', async () => {
    const polled = expect(call(() => after(10_000, undefined))).rejects.toMatchObject({
      code: 'REPLY_TIMEOUT',
      mayHaveRun: false,
    })
    await vi.advanceTimersByTimeAsync(400)
    await polled
  })
})
