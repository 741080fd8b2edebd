import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { RedissonClient } from '../../../src/api/redisson-client.js'
import { Redisson } from '../../../src/client/redisson.js'
import {
  release,
  relet,
  renew,
} from '../../../src/synchronizers/permit-expirable-semaphore/permit-expirable-semaphore.scripts.js'
import { takeBriefly } from '../../contracts/take-briefly.js'
import { eventually } from '../../support/eventually.js'
import { noLeaks } from '../../support/no-leaks.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import { single } from '../../support/topologies.js'
import { untilAborted } from '../../support/until-aborted.js'

const WATCHDOG_MS = 1_500

describe('a permit that this process looks after, where messages get lost', () => {
  let door: Proxied<typeof single>
  let client: RedissonClient
  let straight: RedissonClient

  noLeaks(single)

  const proxy = () => door.proxyOf(single.nodes[0])
  const mine = () => client.getPermitExpirableSemaphore('permits')
  const theirs = () => straight.getPermitExpirableSemaphore('permits')

  beforeAll(async () => {
    door = await proxied(single)
    const settings = { timeout: 5_000, retryAttempts: 0, reconnectionDelay: 10 }
    client = await Redisson.create({ ...door.options(settings), lockWatchdogTimeout: WATCHDOG_MS })
    straight = await Redisson.create(single.options())
    await theirs().trySetPermits(1)
    const hold = await theirs().acquirePermit() // so that the server knows the scripts
    await theirs().updateLeaseTime(hold.id, 60_000)
    await hold.extend()
    await hold.release()
  })

  afterEach(async () => {
    await proxy().heal()
    await theirs().delete()
  })

  afterAll(async () => {
    await Promise.all([client.shutdown(), straight.shutdown()])
    await door.stop()
  })

  it('is known to end sooner, though it is unknown whether its lease was made shorter', async () => {
    await theirs().trySetPermits(1)
    const hold = await mine().acquirePermit({ leaseMs: 60_000 })
    proxy().loseReplyTo(relet.sha)
    await expect(mine().updateLeaseTime(hold.id, 150)).rejects.toMatchObject({ code: 'CONNECTION_LOST' })
    const known = await eventually(async () => (await theirs().tryAcquire()) !== undefined && [hold.isHeld])
    expect(known).toEqual([false])
  })

  it('is renewed on, where its lease was not made longer', { tags: ['timed'] }, async () => {
    await theirs().trySetPermits(1)
    const hold = await mine().acquirePermit()
    proxy().onRequest(relet.sha, (passing) => {
      passing.cut()
    })
    await expect(mine().updateLeaseTime(hold.id, 60_000)).rejects.toMatchObject({ code: 'CONNECTION_LOST' })
    await sleep(WATCHDOG_MS * 1.5)
    expect(hold.isHeld).toBe(true)
    await hold.release()
  })

  it(
    'is still renewed, where its turn came while it was unknown whether its lease was made longer',
    { tags: ['timed'] },
    async () => {
      await theirs().trySetPermits(1)
      const hold = await mine().acquirePermit()
      proxy().onRequest(relet.sha, async (passing) => {
        await sleep(WATCHDOG_MS / 2)
        passing.cut()
      })
      await expect(mine().updateLeaseTime(hold.id, 60_000)).rejects.toMatchObject({ code: 'CONNECTION_LOST' })
      await sleep(WATCHDOG_MS * 1.5)
      expect(hold.isHeld).toBe(true)
      await hold.release()
    },
  )

  it(
    'has the lease that it was given last, although a renewal from before was to be sent again',
    { tags: ['timed'] },
    async () => {
      const settings = { timeout: 5_000, retryDelay: 800, reconnectionDelay: 10 }
      const patient = await Redisson.create({ ...door.options(settings), lockWatchdogTimeout: WATCHDOG_MS })
      await theirs().trySetPermits(1)
      const hold = await patient.getPermitExpirableSemaphore('permits').acquirePermit()
      await proxy().loseReplyTo(renew.sha).happened
      await sleep(200) // it is connected again by now, and has not repeated the renewal
      const relet = patient.getPermitExpirableSemaphore('permits').updateLeaseTime(hold.id, 200)
      expect(await relet).toBe(true)
      await sleep(1_200)
      await expect(theirs().getLeaseTime(hold.id)).rejects.toMatchObject({ code: 'PERMIT_NOT_HELD' })
      expect(hold.isHeld).toBe(false)
      await patient.shutdown()
    },
  )

  it('has the lease of the request that Redis ran last', async () => {
    await theirs().trySetPermits(1)
    const hold = await mine().acquirePermit({ leaseMs: 60_000 })
    const [longer, shorter] = [mine().updateLeaseTime(hold.id, 50_000), mine().updateLeaseTime(hold.id, 150)]
    expect(await Promise.all([longer, shorter])).toEqual([true, true])
    const known = await eventually(async () => (await theirs().tryAcquire()) !== undefined && [hold.isHeld])
    expect(known).toEqual([false])
  })

  it('lasts as long as it would have, where it cannot be extended', async () => {
    await theirs().trySetPermits(1)
    const hold = await mine().acquirePermit({ leaseMs: 60_000 })
    proxy().loseReplyTo(renew.sha)
    await expect(hold.extend()).rejects.toMatchObject({ code: 'CONNECTION_LOST' })
    expect(hold.isHeld).toBe(true)
    await hold.release()
  })

  it('is looked after no more when it is given back while it is extended', async () => {
    await theirs().trySetPermits(1)
    const hold = await mine().acquirePermit({ leaseMs: 60_000 })
    const { promise: gate, resolve: open } = Promise.withResolvers<void>()
    const answered = proxy().onReply(renew.sha, () => gate)
    const asked = proxy().onRequest(renew.sha).happened
    const extending = hold.extend()
    await asked
    const givenBack = proxy().onRequest(release.sha).happened
    const releasing = hold.release()
    await givenBack
    open()
    await answered.happened
    await expect(extending).rejects.toMatchObject({ code: 'PERMIT_NOT_HELD' })
    await releasing
    expect([hold.isHeld, hold.signal.aborted]).toEqual([false, false])
  })

  it('is released where it ended before it was known to be extended, without a call of release()', async () => {
    await theirs().trySetPermits(1)
    const hold = await takeBriefly(() => mine().acquirePermit({ leaseMs: 400 }))
    proxy().stall('replies')
    const extending = hold.extend(60_000)
    await untilAborted(hold.signal)
    proxy().resume('replies')
    await expect(extending).rejects.toMatchObject({ code: 'PERMIT_LOST' })
    await eventually(async () => (await theirs().availablePermits()) === 1)
    await expect(hold.release()).rejects.toMatchObject({ code: 'PERMIT_NOT_HELD' })
    expect(await theirs().availablePermits()).toBe(1)
  })
})
