import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Redisson, type AnyLock, type RedissonClient } from '../../../src/index.js'
import { eventually } from '../../support/eventually.js'
import { noLeaks } from '../../support/no-leaks.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import { single } from '../../support/topologies.js'
import { untilAborted } from '../../support/until-aborted.js'
import { twoAsOne } from './two-as-one.js'

const LEASE_MS = 800
const WATCHDOG_MS = 900
const SETTINGS = { timeout: 300, retryAttempts: 2, retryDelay: 10, reconnectionDelay: 10 }

type LockOf = (client: RedissonClient, name: string) => AnyLock

const groups: readonly (readonly [string, LockOf])[] = [
  ['a multi-lock', twoAsOne],
  ['a red lock', (client, name) => Redisson.createRedLock([client, client], [name, `${name}-too`])],
]

const kinds: readonly (readonly [string, LockOf])[] = [
  ['a lock', (client, name) => client.getLock(name)],
  ['a fair lock', (client, name) => client.getFairLock(name)],
  ['a read lock', (client, name) => client.getReadWriteLock(name).readLock()],
  ['a write lock', (client, name) => client.getReadWriteLock(name).writeLock()],
  ['the values of a group', (client, name) => client.getMultiLock(name, ['one', 'two'])],
  ...groups,
]

describe('a loss that is known, while the server is silent', { tags: ['timed'] }, () => {
  noLeaks(single)
  let door: Proxied<typeof single>
  let client: RedissonClient
  let straight: RedissonClient

  const silence = () => {
    door.proxyOf(single.nodes[0]).swallowReplies()
  }

  beforeEach(async () => {
    door = await proxied(single)
    client = await Redisson.create({ ...door.options(SETTINGS), lockWatchdogTimeout: WATCHDOG_MS })
    straight = await Redisson.create(single.options())
  })

  afterEach(async () => {
    await door.proxyOf(single.nodes[0]).heal()
    await Promise.all([client.shutdown(), straight.shutdown()])
    await door.stop()
  })

  describe.each(kinds)('of %s', (kind, lockOf) => {
    const lost = { code: 'NOT_HELD', cause: { code: 'LOCK_LOST', reason: 'expired' } }

    it('is what unlock() of its hold says', async () => {
      const hold = await lockOf(client, `known-loss ${kind}`).acquire({ leaseMs: LEASE_MS })
      silence()
      await untilAborted(hold.signal)
      await expect(hold.unlock()).rejects.toMatchObject(lost)
    })

    it('is what unlock() of its thread says', async () => {
      const lock = lockOf(client, `known-loss ${kind}`)
      await client.runAsThread(async () => {
        await lock.lock({ leaseMs: LEASE_MS })
        silence()
        await new Promise((resolve) => setTimeout(resolve, LEASE_MS))
        await expect(lock.unlock()).rejects.toMatchObject(lost)
      })
    })

    it('is no error at the end of its block', async () => {
      await using hold = await lockOf(client, `known-loss ${kind}`).acquire({ leaseMs: LEASE_MS })
      silence()
      await untilAborted(hold.signal)
    })
  })

  it.each(groups)('of %s is what unlock() says, though a member is left', async (kind, lockOf) => {
    const name = `known-loss of a part ${kind}`
    const hold = await lockOf(client, name).acquire()
    await straight.getLock(`${name}-too`).forceUnlock()
    await untilAborted(hold.signal)
    silence()
    const lost = { code: 'NOT_HELD', cause: { code: 'LOCK_LOST', reason: 'not-held' } }
    await expect(hold.unlock()).rejects.toMatchObject(lost)
    await door.proxyOf(single.nodes[0]).heal()
    await eventually(async () => !(await straight.getLock(name).isLocked()))
  })

  it.each(['release', 'dispose'])('of a permit is what %s of its hold says', async (how) => {
    const semaphore = client.getPermitExpirableSemaphore('known-loss permits')
    await semaphore.trySetPermits(1)
    const hold = await semaphore.acquirePermit({ leaseMs: LEASE_MS })
    silence()
    await untilAborted(hold.signal)
    if (how === 'dispose') await hold[Symbol.asyncDispose]()
    else {
      const lost = { code: 'PERMIT_NOT_HELD', cause: { code: 'PERMIT_LOST', reason: 'expired' } }
      await expect(hold.release()).rejects.toMatchObject(lost)
    }
    await straight.getPermitExpirableSemaphore('known-loss permits').delete()
  })
})
