import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { RedissonClient, RLock } from '../../../src/index.js'
import { Redisson } from '../../../src/index.js'
import { eventually } from '../../support/eventually.js'
import { noLeaks } from '../../support/no-leaks.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import { single } from '../../support/topologies.js'

/** No test waits for that timeout: it is long enough for a busy machine. */
const SETTINGS = { timeout: 2_000, retryAttempts: 2, retryDelay: 20, reconnectionDelay: 10 }

/** Far longer than any test: what it leaves taken stays taken. */
const LEASE_MS = 3_600_000

const kinds: readonly (readonly [string, (client: RedissonClient, name: string) => RLock])[] = [
  ['a lock', (client, name) => client.getLock(name)],
  ['a fair lock', (client, name) => client.getFairLock(name)],
  ['a fenced lock', (client, name) => client.getFencedLock(name)],
  ['a read lock', (client, name) => client.getReadWriteLock(name).readLock()],
  ['a write lock', (client, name) => client.getReadWriteLock(name).writeLock()],
  ['the values of a group', (client, name) => client.getMultiLock(name, ['one', 'two'])],
]

describe.each(kinds)('the holds of %s', { tags: ['full'] }, (_, lockOf) => {
  let door: Proxied<typeof single>
  let client: RedissonClient
  let other: RedissonClient
  let lock: RLock
  let theirs: RLock
  let names = 0
  let name: string

  noLeaks(single, { keeps: /redisson_lock_token:/ })

  beforeAll(async () => {
    other = await Redisson.create(single.options())
  })

  beforeEach(async () => {
    door = await proxied(single)
    client = await Redisson.create(door.options(SETTINGS))
    name = `remain-${String(names++)}`
    lock = lockOf(client, name)
    theirs = lockOf(other, name)
  })

  afterEach(async () => {
    vi.restoreAllMocks()
    await proxy().heal()
    await client.shutdown()
    await door.stop()
  })

  afterAll(() => other.shutdown())

  const proxy = () => door.proxyOf(single.nodes[0])

  const goAway = () => {
    proxy().refuse()
    proxy().cut()
  }

  const comeBack = async () => {
    await proxy().accept()
    await eventually(() => lock.isLocked().then(() => true))
  }

  const demandFree = async () => {
    await eventually(async () => !(await theirs.isLocked()), { what: 'the lock to be free' })
  }

  it('are all given back when an inner unlock() has failed before the outer one', async () => {
    await client.runAsThread(async () => {
      await lock.lock({ leaseMs: LEASE_MS })
      await lock.lock({ leaseMs: LEASE_MS })
      goAway()
      await expect(lock.unlock()).rejects.toMatchObject({ code: 'CONNECTION_LOST' })
      await comeBack()
      await lock.unlock()
    })
    await demandFree()
  })

  it('are given back for as long as their lease lasts, longer than the watchdog would keep a lock', async () => {
    await using brief = await Redisson.create({ ...door.options(SETTINGS), lockWatchdogTimeout: 300 })
    const hold = await lockOf(brief, name).acquire({ leaseMs: LEASE_MS })
    goAway()
    await expect(hold.unlock()).rejects.toMatchObject({ code: 'CONNECTION_LOST' })
    await sleep(2_000) // longer than the watchdog's time, and the attempts within it
    await proxy().accept()
    await demandFree()
  })

  it('are all given back when a nested lock() was given up with its reply lost', async () => {
    await client.runAsThread(async () => {
      await lock.lock({ leaseMs: LEASE_MS })
      const giveUp = new AbortController()
      proxy().stall('replies')
      const nested = lock.lock({ leaseMs: LEASE_MS, signal: giveUp.signal })
      await eventually(async () => (await theirs.isLocked()) && proxy().connections.length > 0)
      giveUp.abort(new Error('enough'))
      await expect(nested).rejects.toThrow('enough')
      goAway()
      proxy().resume('both', { held: 'dropped' })
      await comeBack()
      await lock.unlock()
    })
    await demandFree()
  })

  it('begin anew when the thread locks again after it has lost them by its own clock', async () => {
    await client.runAsThread(async () => {
      await lock.lock({ leaseMs: LEASE_MS })
      await lock.lock({ leaseMs: LEASE_MS })
      const now = performance.now.bind(performance)
      vi.spyOn(performance, 'now').mockImplementation(() => now() + LEASE_MS) // Redis uses its own clock
      await lock.lock({ leaseMs: LEASE_MS })
      await lock.unlock()
    })
    await demandFree()
  })

  it(
    'of a named thread are not given back once their lease is over, when another may have them anew',
    { tags: ['timed'] },
    async () => {
      const owner = `${client.id}:8`
      const leaseMs = 800
      await lock.lock({ threadId: 8, leaseMs })
      goAway()
      await expect(lock.unlock({ threadId: 8 })).rejects.toMatchObject({ code: 'CONNECTION_LOST' })
      await eventually(async () => !(await theirs.isLocked()), { what: 'the end of the lease' })
      await theirs.lock({ threadId: owner, leaseMs: LEASE_MS })
      await comeBack()
      await sleep(1_500) // longer than the pauses between two requests that give back
      expect(await theirs.isHeldByThread(owner)).toBe(true)
      await theirs.unlock({ threadId: owner })
      await demandFree()
    },
  )

  it('of a named thread that are left stay, when a further one was given up and its giving back has lost its reply', async () => {
    const threadId = 7
    await lock.lock({ threadId, leaseMs: LEASE_MS })
    const giveUp = new AbortController()
    proxy().stall('replies')
    const further = lock.lock({ threadId, leaseMs: LEASE_MS, signal: giveUp.signal })
    const owner = `${client.id}:${String(threadId)}`
    giveUp.abort(new Error('enough'))
    await expect(further).rejects.toThrow('enough')
    const givingBack = proxy().onReply(/.*/, (passing) => {
      goAway()
      passing.cut()
    }).happened
    proxy().resume('replies')
    await givingBack
    await comeBack()
    await client.shutdown() // which waits for what is given back
    expect(await theirs.isHeldByThread(owner)).toBe(true)
    expect(await theirs.forceUnlock()).toBe(true)
  })
})
