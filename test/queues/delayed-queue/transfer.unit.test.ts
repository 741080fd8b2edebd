import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ObjectContext } from '../../../src/core/context/object-context.js'
import { ConnectionLostError } from '../../../src/errors/connection-errors.js'
import { CommandError } from '../../../src/errors/reply-errors.js'
import type { ChannelListener } from '../../../src/pubsub/subscriptions.js'
import { DelayedTransfers } from '../../../src/queues/delayed-queue/delayed-transfers.js'

const MINUTE_MS = 60_000
const RECHECK_MS = 5_000

/** The clock of the server is ahead. */
const AHEAD_MS = 1_000_000

describe('the transfers of delayed queues', () => {
  /** When elements are due, by the clock of the server. */
  let due: number[]
  let sent: string[]
  let failure: Error | undefined
  let listeners: Set<ChannelListener>
  let closing: AbortController
  let transfers: DelayedTransfers
  const emitWarning = vi.spyOn(process, 'emitWarning')

  const serverMs = () => Math.round(performance.now()) + AHEAD_MS
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
  const requests = () => sent.splice(0)
  const isListening = () => listeners.size > 0
  const tell = (act: (listener: ChannelListener) => void) => {
    for (const listener of listeners) act(listener)
  }

  /** Replies as Redis does, with two elements at once. */
  const reply = (name: string): unknown => {
    if (name === 'EXISTS') return due.length > 0
    const now = serverMs()
    due = due.toSorted((a, b) => a - b)
    const moved = due.slice(0, 2).filter((at) => at <= now).length
    due = due.slice(moved)
    const [next] = due
    return [next === undefined ? -1 : Math.max(0, next - now), now]
  }

  beforeEach(() => {
    vi.useFakeTimers()
    emitWarning.mockReset()
    due = []
    sent = []
    failure = undefined
    listeners = new Set()
    closing = new AbortController()
    const context = {
      closing: closing.signal,
      executor: {
        isBatch: false,
        run: ({ name }: { readonly name: string }) => {
          sent.push(name.split('/').at(-1) ?? '')
          return failure === undefined ? Promise.resolve(reply(name)) : Promise.reject(failure)
        },
      },
      subscriptions: {
        join: (_: unknown, listener: ChannelListener) => {
          listeners.add(listener)
          return {
            confirmed: true,
            standing: true,
            refusal: undefined,
            leave: () => listeners.delete(listener),
          }
        },
      },
    } as unknown as ObjectContext
    transfers = new DelayedTransfers(context)
  })
  afterEach(() => {
    closing.abort()
    vi.useRealTimers()
  })

  it('look once a minute while nothing waits', async () => {
    transfers.hold('q')
    expect(isListening()).toBe(true)
    await pass(10 * MINUTE_MS)
    expect(requests()).toHaveLength(11)
  })

  it('look when the next element is due, and every five seconds until then', async () => {
    due = [serverMs() + 12_000]
    transfers.hold('q')
    await pass(11_999)
    expect(requests()).toHaveLength(3)
    await pass(1)
    expect(requests()).toHaveLength(1)
    expect(due).toEqual([])
    await pass(MINUTE_MS - 1)
    expect(requests()).toEqual([])
  })

  it('go on at once as long as more elements are due', async () => {
    due = Array.from({ length: 9 }, () => serverMs())
    transfers.hold('q')
    await pass(1)
    expect(due).toEqual([])
    expect(requests()).toHaveLength(5)
  })

  it('look when a message says that an element is due', async () => {
    transfers.hold('q')
    await pass(1)
    requests()
    due = [serverMs() + 100]
    tell((listener) => {
      listener.message(Buffer.from(String(due[0])), '')
    })
    await pass(99)
    expect(requests()).toEqual([])
    await pass(1)
    expect(due).toEqual([])
  })

  it.each([
    ['that is no time', 'x'],
    ['of a time that has passed', '1'],
  ])('look at once after a message %s', async (_, message) => {
    transfers.hold('q')
    await pass(1)
    requests()
    tell((listener) => {
      listener.message(Buffer.from(message), '')
    })
    await pass(1)
    expect(requests()).toHaveLength(1)
  })

  it('look after the channel was confirmed, and after each gap', async () => {
    transfers.hold('q')
    await pass(1)
    requests()
    tell((listener) => {
      listener.subscribed()
    })
    await pass(1)
    tell((listener) => {
      listener.gap()
    })
    await pass(1)
    expect(requests()).toHaveLength(2)
  })

  it('find what this client has offered although its message is lost', async () => {
    const hold = transfers.hold('q')
    await pass(1)
    due = [serverMs() + 300]
    hold.offered(300)
    await pass(300)
    expect(due).toEqual([])
  })

  it('look again five seconds after an error, and report none that passes', async () => {
    failure = new ConnectionLostError('x', { mayHaveRun: false })
    transfers.hold('q')
    await pass(RECHECK_MS)
    expect(requests()).toHaveLength(2)
    failure = undefined
    due = [serverMs()]
    await pass(RECHECK_MS)
    expect(due).toEqual([])
    expect(emitWarning).not.toHaveBeenCalled()
  })

  it('report an error that does not pass, once', async () => {
    failure = new CommandError('delayed-queue/transfer', { cause: new Error('NOPERM no') })
    transfers.hold('reported')
    await pass(3 * RECHECK_MS)
    expect(requests()).toHaveLength(4)
    expect(emitWarning).toHaveBeenCalledTimes(1)
  })

  it('go on without messages where the channel is refused, and ask for it again a minute later', async () => {
    transfers.hold('refused')
    tell((listener) => {
      listeners.delete(listener)
      listener.refused(new CommandError('SUBSCRIBE', { cause: new Error('NOPERM no') }))
    })
    await pass(MINUTE_MS - 1)
    expect(isListening()).toBe(false)
    await pass(1)
    expect(isListening()).toBe(true)
    expect(emitWarning).toHaveBeenCalledTimes(1)
  })

  it('end with the last hold that is released', async () => {
    const [one, other] = [transfers.hold('q'), transfers.hold('q')]
    due = [serverMs() + 100]
    one.release()
    one.release()
    await pass(10)
    expect(isListening()).toBe(true)
    other.release()
    expect(isListening()).toBe(false)
    expect(transfers.size).toBe(0)
    requests()
    await pass(MINUTE_MS)
    expect(requests()).toEqual([])
  })

  it('go on until nothing waits where the last hold was forgotten', async () => {
    due = [serverMs() + 7_000]
    transfers.hold('q').forget()
    await pass(6_999)
    expect(isListening()).toBe(true)
    await pass(1)
    expect(due).toEqual([])
    expect(isListening()).toBe(false)
    expect(transfers.size).toBe(0)
  })

  it('end when the client closes, and begin no more', async () => {
    transfers.hold('q')
    transfers.watch(['other'])
    await pass(1)
    closing.abort()
    expect(isListening()).toBe(false)
    transfers.hold('q').offered(1)
    requests()
    await pass(10 * MINUTE_MS)
    expect(requests()).toEqual([])
    expect(vi.getTimerCount()).toBe(0)
  })

  describe('for calls that wait for elements', () => {
    it('cost one look when the waiting begins, and one every five seconds', async () => {
      const ends = [transfers.watch(['q', 'q']), transfers.watch(['q'])]
      await pass(1)
      expect(requests()).toEqual(['EXISTS'])
      expect(isListening()).toBe(false)
      await pass(3 * RECHECK_MS)
      expect(requests()).toEqual(['EXISTS', 'EXISTS', 'EXISTS'])
      for (const end of ends) end()
    })

    it('cost one look in five seconds however often the waiting begins', async () => {
      for (let each = 0; each < 100; each += 1) {
        transfers.watch(['q'])()
        await pass(RECHECK_MS / 50)
      }
      expect(requests().length).toBeLessThanOrEqual(3)
      await pass(2 * RECHECK_MS)
      requests()
      expect(vi.getTimerCount()).toBe(0)
    })

    it('remember a thousand queues at most', () => {
      for (let each = 0; each < 3_000; each += 1) transfers.watch([String(each)])()
      expect(vi.getTimerCount()).toBe(1_000)
    })

    it('move what they find until nothing waits, and no call has waited for a moment', async () => {
      due = [serverMs() + 300, serverMs() + 400]
      const end = transfers.watch(['q'])
      await pass(1)
      expect(isListening()).toBe(true)
      end()
      await pass(400)
      expect(due).toEqual([])
      await pass(RECHECK_MS)
      expect(transfers.size).toBe(0)
      expect(isListening()).toBe(false)
    })

    it('find what another client has offered that is gone, five seconds later at most', async () => {
      transfers.watch(['q'])
      await pass(1)
      due = [serverMs() + 10]
      await pass(RECHECK_MS)
      expect(due).toEqual([])
    })

    it('end soon after the waiting, although elements wait that are due later', async () => {
      due = [serverMs() + 60 * MINUTE_MS]
      const end = transfers.watch(['q'])
      await pass(2 * RECHECK_MS)
      transfers.hold('q').release()
      expect(transfers.size).toBe(1)
      end()
      await pass(RECHECK_MS)
      expect(transfers.size).toBe(0)
      expect(isListening()).toBe(false)
      expect(vi.getTimerCount()).toBe(0)
    })

    it('find what was offered without a message, though an object of the client has found nothing before', async () => {
      transfers.hold('q')
      transfers.watch(['q'])
      await pass(RECHECK_MS + 1)
      due = [serverMs() + 10]
      await pass(RECHECK_MS)
      expect(due).toEqual([])
    })

    it('hear of the next elements at once, when they have found any', async () => {
      transfers.watch(['q'])
      await pass(1)
      due = [serverMs() + 10]
      await pass(10 * MINUTE_MS)
      due = [serverMs() + 10]
      tell((listener) => {
        listener.message(Buffer.from(String(serverMs() + 10)), 'channel')
      })
      await pass(10)
      expect(due).toEqual([])
    })

    it('look again soon after an outage, and a minute after any other error', async () => {
      failure = new ConnectionLostError('x', { mayHaveRun: false })
      transfers.watch(['q'])
      await pass(RECHECK_MS)
      expect(requests()).toHaveLength(2)
      failure = new CommandError('EXISTS', { cause: new Error('NOPERM no') })
      await pass(RECHECK_MS)
      requests()
      await pass(MINUTE_MS - 1)
      expect(requests()).toEqual([])
      expect(emitWarning).not.toHaveBeenCalled()
    })
  })
})
