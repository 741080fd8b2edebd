import { describe, expect, it } from 'vitest'
import { twoClients } from '../../support/clients.js'
import { noLeaks } from '../../support/no-leaks.js'
import { single } from '../../support/topologies.js'

/** Names that other locks use inside this library or in Redis, beside the read-write lock and the group that they belong to. */
const sides = ['read', 'write', 'plain', 'values'] as const

describe('a lock whose name looks like a part of another lock', () => {
  noLeaks(single)
  const clients = twoClients(single)

  it.each(sides)('%s: is a member of its own beside that lock', async (prefix) => {
    const lock = clients.mine.getLock(`${prefix}:users`)
    const whole = clients.mine.getReadWriteLock('users')
    const both = clients.mine.getMultiLock(lock, whole.writeLock())
    const hold = await both.acquire()
    expect(await clients.other.getLock(`${prefix}:users`).isLocked()).toBe(true)
    expect(await clients.other.getReadWriteLock('users').writeLock().tryAcquire()).toBeUndefined()
    await hold.unlock()
  })

  it.each(sides)('%s: is released by the plain form, and so is the other lock', async (prefix) => {
    const lock = clients.mine.getLock(`${prefix}:users`)
    const write = clients.mine.getReadWriteLock('users').writeLock()
    await lock.lock()
    await write.lock()
    await write.unlock()
    expect(await lock.isHeldByCurrentThread()).toBe(true)
    await lock.unlock()
    expect([await lock.isLocked(), await write.isLocked()]).toEqual([false, false])
  })

  it.each(sides)('%s: may be asked for by the same thread while it asks for the other', async (prefix) => {
    const lock = clients.mine.getLock(`${prefix}:users`)
    const write = clients.mine.getReadWriteLock('users').writeLock()
    await clients.mine.runAsThread(async () => {
      await Promise.all([lock.lock(), write.lock()])
      await Promise.all([lock.unlock(), write.unlock()])
    })
  })

  it('is distinguished from values of a group, for any names of both', async () => {
    const one = clients.mine.getMultiLock('group', ['value'])
    const other = clients.mine.getMultiLock('group value', ['value'])
    const hold = await clients.mine.getMultiLock(one, other).acquire()
    expect(await clients.other.getMultiLock('group', ['value']).tryLock()).toBe(false)
    expect(await clients.other.getMultiLock('group value', ['value']).tryLock()).toBe(false)
    await hold.unlock()
  })
})
