import { describe, expect, it } from 'vitest'
import { PendingCleanups } from '../../../src/locks/shared/engine/pending-cleanups.js'
import { Deadline } from '../../../src/util/time/deadline.js'

const ASKING = { waitMs: 0, deadline: Deadline.never, signal: undefined }

/** Has a promise settle, and all that follows at once. */
async function settle({ resolve }: PromiseWithResolvers<void>): Promise<void> {
  resolve()
  await new Promise(setImmediate)
}

describe('a thread that asks again', () => {
  it('waits for what is open of it, and for what that leaves open', async () => {
    const cleanups = new PendingCleanups()
    const [request, undo] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    request.promise.then(
      () => {
        cleanups.add('lock', 'owner', undo.promise)
      },
      () => undefined,
    )
    cleanups.add('lock', 'owner', request.promise)
    let isClean = false
    const waiting = cleanups.untilClean('lock', 'owner', ASKING).then((clean) => (isClean = clean))
    await settle(request)
    expect(isClean).toBe(false)
    await settle(undo)
    expect(isClean).toBe(true)
    await waiting
    expect(cleanups.isEmpty).toBe(true)
  })

  it('does not wait for others, nor for its own group', async () => {
    const cleanups = new PendingCleanups()
    const { promise } = Promise.withResolvers<void>()
    cleanups.add('lock', 'other', promise)
    cleanups.add('lock', 'owner', promise, 7)
    expect(await cleanups.untilClean('lock', 'owner', { ...ASKING, group: 7 })).toBe(true)
  })

  it('waits no longer than it wants to', async () => {
    const cleanups = new PendingCleanups()
    cleanups.add('lock', 'owner', Promise.withResolvers<void>().promise)
    const asking = { ...ASKING, waitMs: 5, deadline: Deadline.after(5) }
    expect(await cleanups.untilClean('lock', 'owner', asking)).toBe(false)
  })
})
