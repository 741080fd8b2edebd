import { afterEach, describe, expect, it, vi } from 'vitest'
import { DedupCleanup } from '../../../src/command/once/dedup-cleanup.js'
import { ClientClosedError } from '../../../src/errors/client-errors.js'
import { ServerNotReadyError } from '../../../src/errors/connection-errors.js'

const LIFE_MS = 60_000

const SLOTS = 1_000

/** A server that refuses what it is to remove, for as long as there are errors. */
function setUp(errors: Error[] = [], slot: (key: string) => number = () => 0) {
  const removed: string[] = []
  const cleanup = new DedupCleanup(slot, (keys) => {
    const error = errors.shift()
    if (error !== undefined) return Promise.reject(error)
    removed.push(...keys)
    return Promise.resolve()
  })
  return { cleanup, removed }
}

describe('what is remembered of requests', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  it('is removed later where the server could not remove it', async () => {
    const { cleanup, removed } = setUp([new ServerNotReadyError('READONLY')])
    cleanup.forget('a', LIFE_MS)
    await cleanup.flush()
    expect(removed).toEqual([])
    cleanup.forget('b', LIFE_MS)
    await cleanup.flush()
    expect(removed).toEqual(['a', 'b'])
  })

  it('is left to expire after an error that does not pass', async () => {
    const { cleanup, removed } = setUp([new ClientClosedError()])
    cleanup.forget('a', LIFE_MS)
    await cleanup.flush()
    await cleanup.flush()
    expect(removed).toEqual([])
  })

  it('is removed in commands of a hundred keys', async () => {
    const { cleanup, removed } = setUp()
    for (let n = 0; n < 100; n += 1) cleanup.forget(String(n), LIFE_MS)
    await Promise.resolve()
    expect(removed).toHaveLength(100)
    await cleanup.flush()
  })

  it('is not removed where it has expired by itself meanwhile', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const { cleanup, removed } = setUp([new ServerNotReadyError('READONLY')])
    cleanup.forget('short', 1_000)
    cleanup.forget('long', 3_000)
    await cleanup.flush()
    vi.advanceTimersByTime(2_000)
    await cleanup.flush()
    expect(removed).toEqual(['long'])
  })

  it('waits for servers that cannot remove it, up to 50 000 in all slots', async () => {
    const away = Array.from({ length: SLOTS }, () => new ServerNotReadyError('READONLY'))
    const { cleanup, removed } = setUp(away, (key) => Number(key) % SLOTS)
    for (let n = 0; n < 60_000; n += 1) cleanup.forget(String(n), LIFE_MS)
    await cleanup.flush()
    cleanup.forget('60000', LIFE_MS)
    await cleanup.flush()
    expect(removed).toHaveLength(50_000)
  })
})
