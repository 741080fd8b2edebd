import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { RLock } from '../../../src/locks/shared/lock.api.js'
import type { RedissonClient } from '../../../src/api/redisson-client.js'
import { acquire, release } from '../../../src/locks/reentrant/lock.scripts.js'
import { Redisson } from '../../../src/client/redisson.js'
import { eventually } from '../../support/eventually.js'
import { strike, type Fault } from '../../support/faults.js'
import { noLeaks } from '../../support/no-leaks.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import { topologies } from '../../support/topologies.js'

const TIMEOUT_MS = 150

describe.each(topologies)('a thread that asks again at a $kind', (topology) => {
  let door: Proxied<typeof topology>
  let client: RedissonClient
  let other: RedissonClient
  let lock: RLock
  let theirs: RLock
  let names = 0

  noLeaks(topology)

  beforeAll(async () => {
    door = await proxied(topology)
    client = await Redisson.create({
      ...door.options({ timeout: TIMEOUT_MS, retryDelay: 10, reconnectionDelay: 10, retryAttempts: 12 }),
      lockWatchdogTimeout: 600_000, // no lock is free because its lease has ended
    })
    other = await Redisson.create(topology.options({}))
  })

  beforeEach(async () => {
    const name = `again-${String(names++)}`
    lock = client.getLock(name)
    theirs = other.getLock(name)
    await lock.lock() // so that the server knows the scripts
    await lock.unlock()
  })

  afterEach(async () => {
    await Promise.all(door.proxies.map((proxy) => proxy.heal()))
  })

  afterAll(async () => {
    await Promise.all([client.shutdown(), other.shutdown()])
    await door.stop()
  })

  /** Lies in wait at every node for a request, which it delays until it is released. */
  const holdUp = (sha: string, moment: Fault[1]) => {
    const { promise: over, resolve: letGo } = Promise.withResolvers<void>()
    return { ...strike(door.proxies, sha, ['is held up', moment, () => over]), letGo }
  }

  const demandHeld = async () => {
    expect(await lock.isHeldByCurrentThread()).toBe(true)
    expect(await theirs.tryLock()).toBe(false)
    expect(await lock.getHoldCount()).toBe(1)
  }

  it.each(['request', 'reply'] as const)(
    'when it had given up before is not deprived of the lock by the %s that comes late',
    async (moment) => {
      await client.runAsThread(async () => {
        const giveUp = new AbortController()
        const first = holdUp(acquire.sha, moment)
        const given = lock.lock({ signal: giveUp.signal })
        await first.struck
        giveUp.abort(new Error('enough'))
        await expect(given).rejects.toThrow('enough')
        const second = lock.lock()
        first.letGo()
        await second
        await lock.getHoldCount() // all earlier requests have arrived
        await demandHeld()
        await lock.unlock()
      })
      expect(await lock.isLocked()).toBe(false)
    },
  )

  it('when it had given up before waits no longer than it said', { tags: ['timed'] }, async () => {
    await client.runAsThread(async () => {
      const giveUp = new AbortController()
      const first = holdUp(acquire.sha, 'reply')
      const given = lock.lock({ signal: giveUp.signal })
      await first.struck
      giveUp.abort(new Error('enough'))
      await expect(given).rejects.toThrow('enough')
      await expect(lock.tryLock(20)).rejects.toMatchObject({ code: 'REPLY_TIMEOUT', mayHaveRun: false })
      await expect(lock.lock({ signal: AbortSignal.timeout(20) })).rejects.toMatchObject({
        name: 'TimeoutError',
      })
      first.letGo()
    })
    await eventually(async () => !(await theirs.isLocked()))
  })

  it('when its release had failed is not deprived of the lock by a copy that comes late', async () => {
    await client.runAsThread(async () => {
      await lock.lock()
      const first = holdUp(release.sha, 'request')
      const copies = door.proxies.map((proxy) =>
        proxy.onRequest(release.sha, (passing) => passing.freeze(), { times: 100 }),
      )
      await expect(lock.unlock()).rejects.toMatchObject({
        code: expect.stringMatching(/REPLY_TIMEOUT|CONNECTION_LOST/),
      })
      for (const each of copies) each[Symbol.dispose]()
      await first.struck
      await lock.lock()
      first.letGo()
      await client.getLock('elsewhere').withLock(() => undefined)
      await demandHeld()
      await lock.unlock()
    })
    expect(await lock.isLocked()).toBe(false)
  })

  it('is given back what it could not give back itself, as soon as Redis can be asked', async () => {
    await lock.lock()
    for (const proxy of door.proxies) proxy.stall()
    await expect(lock.unlock()).rejects.toMatchObject({
      code: expect.stringMatching(/REPLY_TIMEOUT|CONNECTION_LOST/),
    })
    for (const proxy of door.proxies) proxy.resume('both', { held: 'dropped' })
    await eventually(async () => !(await theirs.isLocked()))
  })
})
