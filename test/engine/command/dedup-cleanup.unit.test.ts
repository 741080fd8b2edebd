import { describe, expect, it } from 'vitest'
import { DedupCleanup } from '../../../src/command/dedup-cleanup.js'
import { ClientClosedError } from '../../../src/errors/client-errors.js'
import { ServerNotReadyError } from '../../../src/errors/connection-errors.js'

/** A server that refuses what it is to remove, for as long as there are errors. */
function setUp(...errors: Error[]) {
  const removed: string[] = []
  const cleanup = new DedupCleanup(
    () => 0,
    (keys) => {
      const error = errors.shift()
      if (error !== undefined) return Promise.reject(error)
      removed.push(...keys)
      return Promise.resolve()
    },
  )
  return { cleanup, removed }
}

describe('what is remembered of requests', () => {
  it('is removed later where the server could not remove it', async () => {
    const { cleanup, removed } = setUp(new ServerNotReadyError('READONLY'))
    cleanup.forget('a')
    await cleanup.flush()
    expect(removed).toEqual([])
    cleanup.forget('b')
    await cleanup.flush()
    expect(removed).toEqual(['a', 'b'])
  })

  it('is left to expire after an error that does not pass', async () => {
    const { cleanup, removed } = setUp(new ClientClosedError())
    cleanup.forget('a')
    await cleanup.flush()
    await cleanup.flush()
    expect(removed).toEqual([])
  })

  it('is removed in commands of a hundred keys', async () => {
    const { cleanup, removed } = setUp()
    for (let n = 0; n < 100; n += 1) cleanup.forget(String(n))
    await Promise.resolve()
    expect(removed).toHaveLength(100)
    await cleanup.flush()
  })
})
