import { describe, expect, it } from 'vitest'
import type { FencedHold, RFencedLock } from '../../../src/locks/fenced/fenced-lock.api.js'
import { Candidate } from '../../../src/services/leader-election/candidate.js'

function throws(): never {
  throw new Error('it was read')
}

function revoked(): unknown {
  const { proxy, revoke } = Proxy.revocable(new Error(), {})
  revoke()
  return proxy
}

describe('a candidate', () => {
  it.each([
    ['a revoked proxy', revoked()],
    ['an error without a readable name', Object.defineProperty(new Error(), 'name', { get: throws })],
  ])('rejects with %s that its function has thrown after the end', async (_, thrown: unknown) => {
    const end = new AbortController()
    let disposed = 0
    const hold = {
      signal: new AbortController().signal,
      fencingToken: 1,
      [Symbol.asyncDispose]: () => Promise.resolve(void (disposed += 1)),
    } as unknown as FencedHold
    const candidate = new Candidate({
      lock: { acquire: () => Promise.resolve(hold) } as unknown as RFencedLock,
      leaseMs: undefined,
      requeue: false,
      fn: () => {
        end.abort()
        throw thrown
      },
      end: end.signal,
    })
    const caught: unknown[] = []
    await candidate.compete().catch((error: unknown) => {
      caught.push(error)
    })
    expect(Object.is(caught[0], thrown)).toBe(true)
    expect(disposed).toBe(1)
  })
})
