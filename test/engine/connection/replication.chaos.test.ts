import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { RedissonClient } from '../../../src/api/redisson-client.js'
import { Redisson } from '../../../src/client/redisson.js'
import { untilAwaited } from '../../support/channels.js'
import { mastersOf } from '../../support/cluster.js'
import { eventually } from '../../support/eventually.js'
import type { ClientTopology, RunningNode } from '../../support/launch/topology.js'
import { startCluster, startSentinel } from '../../support/servers.js'

const arrangements: readonly (readonly [string, () => Promise<ClientTopology>])[] = [
  ['a master with two replicas', () => startSentinel({ sentinels: 1, downAfterMs: 60_000 })],
  ['a cluster', () => startCluster({ nodeTimeoutMs: 60_000 })],
]

describe.each(arrangements)('the confirmation of replicas at %s (T-20)', (_, start) => {
  let topology: ClientTopology
  let replicas: RunningNode[]
  let client: RedissonClient
  let other: RedissonClient

  beforeAll(async () => {
    topology = await start()
    const masters = topology.kind === 'cluster' ? await mastersOf(topology) : topology.nodes.slice(0, 1)
    replicas = topology.nodes.filter((node) => !masters.includes(node))
    client = await Redisson.create({ ...topology.options({}), slavesSyncTimeout: 200 })
    other = await Redisson.create(topology.options({}))
  })

  afterEach(async () => {
    await Promise.all(replicas.map((replica) => replica.resume()))
  })

  afterAll(async () => {
    await Promise.all([client.shutdown(), other.shutdown()])
    await topology.stop()
  })

  const silence = () => Promise.all(replicas.map((replica) => replica.pause()))

  it('lets a lock be taken that a replica has', async () => {
    const hold = await client.getLock('confirmed', { syncedReplicas: 1 }).acquire()
    expect(hold.isHeld).toBe(true)
    await hold.unlock()
  })

  it('rejects a lock that no replica confirms, and releases it for any owner', async () => {
    const lock = client.getLock('refused', { syncedReplicas: 1 })
    await silence()
    await expect(lock.lock()).rejects.toMatchObject({ code: 'NOT_REPLICATED', replicas: 0, expected: 1 })
    const hold = await other.getLock('refused').tryAcquire()
    expect(hold?.isHeld).toBe(true)
    await hold?.unlock()
  })

  it('refuses what more replicas should confirm than there are', async () => {
    const lock = client.getLock('too-many', { syncedReplicas: 3 })
    await expect(lock.tryLock()).rejects.toMatchObject({ code: 'NOT_REPLICATED', expected: 3 })
    expect(await lock.isLocked()).toBe(false)
  })

  it('is asked for also where the holder of the same process could leave the lock to a waiter', async () => {
    const lock = client.getFencedLock('not-left', { syncedReplicas: 1 })
    const hold = await lock.acquire()
    const waiting = lock.acquire().catch((error: unknown) => error)
    await untilAwaited(topology, 'not-left')
    await silence()
    await hold.unlock()
    expect(await waiting).toMatchObject({ code: 'NOT_REPLICATED' })
    expect(await lock.isLocked()).toBe(false)
    await (await other.getLock('not-left').acquire()).unlock()
  })

  it('leaves the hold count as it was when re-entering is not confirmed', async () => {
    const lock = client.getLock('re-entered', { syncedReplicas: 1 })
    await client.runAsThread(async () => {
      await lock.lock()
      await silence()
      await expect(lock.lock()).rejects.toMatchObject({ code: 'NOT_REPLICATED' })
      expect(await lock.getHoldCount()).toBe(1)
      await lock.unlock()
    })
    expect(await lock.isLocked()).toBe(false)
  })

  it('does not delay locks without that option', async () => {
    await using patient = await Redisson.create({ ...topology.options({}), slavesSyncTimeout: 2_000 })
    const [slow, quick] = [patient.getLock('slow', { syncedReplicas: 1 }), patient.getLock('quick')]
    await silence()
    let waits = true
    const refused = expect(slow.lock().finally(() => (waits = false))).rejects.toMatchObject({
      code: 'NOT_REPLICATED',
    })
    await (await quick.acquire()).unlock()
    expect(waits).toBe(true)
    await refused
  })

  it('is refused to many locks as soon as to one, and delays no atomic batch', async () => {
    await using patient = await Redisson.create({ ...topology.options({}), slavesSyncTimeout: 1_000 })
    await (await patient.getLock('{many}before', { syncedReplicas: 1 }).acquire()).unlock()
    await silence()
    let refusals = 0
    const attempts = Array.from({ length: 10 }, async (_, index) => {
      const lock = patient.getLock(`{many}${String(index)}`, { syncedReplicas: 1 })
      const error: unknown = await lock.acquire().catch((reason: unknown) => reason)
      refusals += 1
      return error
    })
    const counted = await patient.batch((batch) => [batch.getAtomicLong('{many}number').incrementAndGet()], {
      mode: 'atomic',
    })
    expect([counted, refusals]).toEqual([[1], 0])
    // With a WAIT for each, all but a few would end by their timeout, and not for want of replicas.
    for (const error of await Promise.all(attempts)) expect(error).toMatchObject({ code: 'NOT_REPLICATED' })
  })

  it('is asked for by every lock where the settings say so', async () => {
    const settings = { ...topology.options({}), checkLockSyncedSlaves: true, slavesSyncTimeout: 200 }
    await using strict = await Redisson.create(settings)
    await silence()
    await expect(strict.getLock('by-settings').lock()).rejects.toMatchObject({ code: 'NOT_REPLICATED' })
  })

  it('releases the lock where the server forbids the wait for replicas', async () => {
    const rights = ['on', '>secret', '~*', '&*', '+@all', '-wait']
    await Promise.all(topology.nodes.map((node) => node.command('ACL', 'SETUSER', 'hasty', ...rights)))
    await using hasty = await Redisson.create({
      ...topology.options({}),
      username: 'hasty',
      password: 'secret',
    })
    const lock = hasty.getLock('unconfirmable', { syncedReplicas: 1 })
    await expect(lock.lock()).rejects.toMatchObject({ code: 'COMMAND' })
    await eventually(async () => !(await lock.isLocked()))
  })
})

describe('one silent replica of two', () => {
  let topology: ClientTopology
  let client: RedissonClient

  beforeAll(async () => {
    topology = await startSentinel({ sentinels: 1, downAfterMs: 60_000 })
    client = await Redisson.create({ ...topology.options({}), slavesSyncTimeout: 2_000 })
  })

  afterAll(async () => {
    await topology.nodes[1]?.resume()
    await client.shutdown()
    await topology.stop()
  })

  it('delays no lock that the other one confirms', async () => {
    await (await client.getLock('before', { syncedReplicas: 2 }).acquire()).unlock()
    await topology.nodes[1]?.pause()
    let refused = false
    const refusal = client
      .getLock('of-two', { syncedReplicas: 2 })
      .acquire()
      .catch((error: unknown) => error)
      .finally(() => (refused = true))
    const hold = await client.getLock('of-one', { syncedReplicas: 1 }).acquire()
    expect([hold.isHeld, refused]).toEqual([true, false])
    await hold.unlock()
    expect(await refusal).toMatchObject({ code: 'NOT_REPLICATED', replicas: 1, expected: 2 })
  })
})
