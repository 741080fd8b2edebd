import { describe, expect, it } from 'vitest'
import { LockReentryError, type RedissonClient, type RLock } from '../../../src/index.js'
import { lockContract } from '../../contracts/lock.contract.js'
import { untilAwaited } from '../../support/channels.js'
import { twoClients } from '../../support/clients.js'
import { elsewhere } from '../../support/elsewhere.js'
import { noLeaks } from '../../support/no-leaks.js'
import { single, slottedTopologies } from '../../support/topologies.js'

describe.each(slottedTopologies)('a non-reentrant lock ($kind)', (topology) => {
  lockContract({
    topology,
    getLock: (client, name) => client.getNonReentrantLock(name),
    reentrant: false,
    parts: topology === single ? 'all' : 'servers in deep',
  })
})

describe.each([
  ['a non-reentrant lock', (client: RedissonClient, name: string) => client.getNonReentrantLock(name)],
  [
    'a non-reentrant fair lock',
    (client: RedissonClient, name: string) => client.getNonReentrantFairLock(name),
  ],
])('the holder of %s', (_, getLock) => {
  noLeaks(single)
  const clients = twoClients(single)
  const lock = (name = 'strict') => getLock(clients.mine, name)

  it.each<[string, (lock: RLock) => Promise<unknown>]>([
    ['lock()', (own) => own.lock()],
    ['lock(leaseMs)', (own) => own.lock(1_000)],
    ['tryLock()', (own) => own.tryLock()],
    ['tryLock(waitMs)', (own) => own.tryLock(100)],
    ['withLock()', (own) => own.withLock(() => undefined)],
  ])('is refused by %s, keeps its one hold, and its one unlock() frees the lock', async (_, ask) => {
    await lock().withLock(async (hold) => {
      const error: unknown = await ask(lock()).catch((reason: unknown) => reason) // of another object
      expect(error).toBeInstanceOf(LockReentryError)
      expect(error).toMatchObject({ code: 'LOCK_REENTRY', lock: 'strict', owner: hold.owner })
      expect(await lock().getHoldCount()).toBe(1)
    })
    expect(await lock().isLocked()).toBe(false)
  })

  it('is refused as a thread that the user has named, through any object', async () => {
    await lock().lock({ threadId: 7 })
    await expect(lock().lock({ threadId: 7 })).rejects.toBeInstanceOf(LockReentryError)
    await lock().unlock({ threadId: 7 })
    expect(await lock().isLocked()).toBe(false)
  })

  it('keeps others waiting, who have it when it gives it back', async () => {
    await clients.mine.runAsThread(async () => {
      await lock().lock()
      const waiting = elsewhere(() => getLock(clients.other, 'strict').acquire())
      await untilAwaited(single, 'strict')
      await expect(lock().tryLock()).rejects.toBeInstanceOf(LockReentryError)
      await lock().unlock()
      await (await waiting).unlock()
    })
  })
})
