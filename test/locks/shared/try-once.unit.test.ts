import { describe, expect, it } from 'vitest'
import { ScriptError, UnexpectedReplyError } from '../../../src/errors/reply-errors.js'
import type { AcquireRequest } from '../../../src/locks/shared/engine/lock-driver.js'
import type { LockState } from '../../../src/locks/shared/engine/lock-state.js'
import { PendingCleanups } from '../../../src/locks/shared/engine/pending-cleanups.js'
import { tryOnce } from '../../../src/locks/shared/engine/try-once.js'
import { Deadline } from '../../../src/util/time/deadline.js'

const claim: AcquireRequest = {
  owner: 'client:1',
  holds: 1,
  leaseMs: 30_000,
  waitMs: 0,
  replyBy: Deadline.never,
  settleBy: Deadline.never,
  deadline: Deadline.never,
  signal: undefined,
  takesLate: false,
  inside: false,
  confirmed: false,
}

/** A lock whose requests to acquire fail, and the requests that were undone. */
function failingWith(failure: Error) {
  const acquired: string[] = []
  const undone: string[] = []
  const cleanups = new PendingCleanups()
  const driver = {
    acquire: (_: AcquireRequest, request: string) => {
      acquired.push(request)
      return Promise.reject(failure)
    },
    undo: (_: AcquireRequest, request: string) => {
      undone.push(request)
      return Promise.resolve()
    },
  }
  const context = { closing: new AbortController().signal, requestIds: { next: () => '1' } }
  const names = { name: 'lock', key: 'lock', counterKey: 'lock', syncedReplicas: 0 }
  const lock = { ...names, context, driver, cleanups } as unknown as LockState
  return { lock, acquired, undone, settled: () => cleanups.untilAllClean(Deadline.never) }
}

describe('a request to acquire a lock', () => {
  it.each([
    ['its reply cannot be read', new UnexpectedReplyError('a list', '1')],
    ['it has failed after it began', new ScriptError('lock/acquire', { cause: new Error('no') })],
  ])('is undone once where %s', async (_, failure) => {
    const { lock, acquired, undone, settled } = failingWith(failure)
    await expect(tryOnce(lock, claim)).rejects.toBe(failure)
    await settled()
    expect(acquired).toHaveLength(1)
    expect(undone).toEqual(acquired)
  })

  it('is left alone where Redis has refused it', async () => {
    const failure = new ScriptError('lock/acquire', { mayHaveRun: false, cause: new Error('no') })
    const { lock, undone, settled } = failingWith(failure)
    await expect(tryOnce(lock, claim)).rejects.toBe(failure)
    await settled()
    expect(undone).toEqual([])
  })
})
