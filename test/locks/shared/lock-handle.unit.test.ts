import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import type { Acquisition } from '../../../src/locks/shared/engine/lock-engine.js'
import { LockHandle } from '../../../src/locks/shared/lock-handle.js'
import { Owners } from '../../../src/ownership/owners.js'

/** A hold of a new thread, and whether this client allows for others who name that. */
function handed() {
  const thread = new Owners('client').newThread()
  const hold = { lock: 'lock', thread, loss: () => undefined, has: () => true }
  const handle = new LockHandle({ hold, entry: {} } as unknown as Acquisition, {} as never)
  return { handle, owner: thread.owner, isShared: () => thread.shared }
}

describe('a hold', () => {
  it('is looked at without its owner being passed on', () => {
    const { handle, owner, isShared } = handed()
    expect(inspect(handle)).toBe(`LockHold { name: 'lock', owner: '${owner}', isHeld: true }`)
    expect(handle.isHeld).toBe(true)
    expect(isShared()).toBe(false)
  })

  it.each([
    ['owner', ({ owner }: LockHandle) => owner],
    ['threadId', ({ threadId }: LockHandle) => threadId],
    ['JSON', (handle: LockHandle) => JSON.stringify(handle)],
  ])('may be named by others once its %s was read', (_, read) => {
    const { handle, isShared } = handed()
    read(handle)
    expect(isShared()).toBe(true)
  })
})
