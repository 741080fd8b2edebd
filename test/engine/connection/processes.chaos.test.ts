import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { RedissonClient } from '../../../src/api/redisson-client.js'
import { Redisson } from '../../../src/client/redisson.js'
import { kinds } from '../../locks/fixtures/kinds.js'
import { startChild, type Child } from '../../support/child.js'
import { eventually } from '../../support/eventually.js'
import type { ClientTopology, SingleTopology } from '../../support/launch/topology.js'
import { noLeaks } from '../../support/no-leaks.js'
import { startCluster, startSentinel, startSingle } from '../../support/servers.js'

const WATCHDOG_MS = 900
const contender = new URL('fixtures/contender.ts', import.meta.url)

const arrangements: readonly (readonly [string, () => Promise<ClientTopology>])[] = [
  ['a single server', startSingle],
  ['a master with sentinels', () => startSentinel({ sentinels: 1, downAfterMs: 60_000 })],
  ['a cluster', () => startCluster({ nodeTimeoutMs: 60_000 })],
]

describe.each(arrangements)('processes that share locks over %s', (_, start) => {
  let topology: ClientTopology
  let counters: SingleTopology
  let client: RedissonClient
  const children: Child[] = []

  noLeaks(() => topology)

  beforeAll(async () => {
    topology = await start()
    counters = await startSingle()
    client = await Redisson.create({ ...topology.options({}), lockWatchdogTimeout: WATCHDOG_MS })
  })

  afterEach(async () => {
    await Promise.all(children.splice(0).map((child) => child.kill()))
  })

  afterAll(async () => {
    await client.shutdown()
    await Promise.all([topology.stop(), counters.stop()])
  })

  const startContender = async (): Promise<Child> => {
    const options = JSON.stringify({ ...topology.options({}), lockWatchdogTimeout: WATCHDOG_MS })
    const child = startChild(contender, { args: [options, String(counters.nodes[0].port)] })
    children.push(child)
    await child.hear('ready')
    return child
  }

  it('count exactly, in three processes of four flows each', async () => {
    await counters.nodes[0].command('SET', 'count', 0)
    const all = await Promise.all([startContender(), startContender(), startContender()])
    for (const child of all) child.tell('count', { lock: 'counted', times: 50, flows: 4 })
    await Promise.all(all.map((child) => child.hear('counted')))
    expect(await counters.nodes[0].command('GET', 'count')).toBe('600')
  })

  it('get the lock of one that was killed when its lease ends, and no sooner', async () => {
    const child = await startContender()
    child.tell('acquire', { lock: 'orphaned' })
    await child.hear('acquired')
    await child.kill()
    const startedAt = performance.now()
    const hold = await client.getLock('orphaned').acquire()
    const waitedMs = performance.now() - startedAt
    expect(waitedMs).toBeGreaterThan(WATCHDOG_MS / 3)
    expect(waitedMs).toBeLessThan(WATCHDOG_MS + 2_000) // sooner than by looking now and then
    await hold.unlock()
  })

  it('are notified of the lost lock when they continue after a pause that was longer than their lease', async () => {
    const child = await startContender()
    child.tell('acquire', { lock: 'paused' })
    await child.hear('acquired')
    child.pause()
    const hold = await client.getLock('paused').acquire()
    child.resume()
    child.tell('ask')
    expect(await child.hear('answer')).toMatchObject({ isHeld: false, aborted: true })
    expect(await child.hear('lost')).toMatchObject({ lock: 'paused' })
    expect(hold.isHeld).toBe(true)
    await hold.unlock()
  })

  it('release what another process holds by its owner, and by no other', async () => {
    const child = await startContender()
    child.tell('acquire', { lock: 'handed-on' })
    const { owner } = await child.hear('acquired')
    const lock = client.getLock('handed-on')
    await expect(lock.unlock({ threadId: `${client.id}:4711` })).rejects.toMatchObject({ code: 'NOT_HELD' })
    expect(await lock.isHeldByThread(String(owner))).toBe(true)
    await lock.unlock({ threadId: String(owner) })
    expect(await lock.isLocked()).toBe(false)
    expect(await child.hear('lost')).toMatchObject({ lock: 'handed-on', reason: 'not-held' })
  })

  it('lose a lock that another forces open, and are notified', async () => {
    const child = await startContender()
    child.tell('acquire', { lock: 'forced' })
    await child.hear('acquired')
    const waiting = client.getLock('forced').acquire()
    await client.getLock('forced').forceUnlock()
    await (await waiting).unlock()
    expect(await child.hear('lost')).toMatchObject({ lock: 'forced', reason: 'not-held' })
  })

  it('go on when the server has forgotten all scripts', async () => {
    const lock = client.getLock('scripted')
    const hold = await lock.acquire()
    await Promise.all(topology.nodes.map((node) => node.command('SCRIPT', 'FLUSH')))
    const waiting = lock.acquire()
    await hold.unlock()
    await Promise.all(topology.nodes.map((node) => node.command('SCRIPT', 'FLUSH')))
    await (await waiting).unlock()
  })

  it('go on when the server was busy for a while', async () => {
    const child = await startContender()
    const lock = client.getLock('slowed-down')
    const hold = await lock.acquire()
    child.tell('acquire', { lock: 'slowed-down' })
    await Promise.all(topology.nodes.map((node) => node.command('DEBUG', 'SLEEP', 0.4)))
    expect(hold.isHeld).toBe(true)
    await hold.unlock()
    await child.hear('acquired')
    child.tell('release')
    await child.hear('released')
  })
})

describe('a server that starts again without its data', () => {
  let server: SingleTopology
  let clients: [RedissonClient, RedissonClient]

  beforeAll(async () => {
    server = await startSingle()
    const options = {
      ...server.options({ timeout: 500, reconnectionDelay: 20 }),
      lockWatchdogTimeout: WATCHDOG_MS,
    }
    clients = [await Redisson.create(options), await Redisson.create(options)]
  })

  afterAll(async () => {
    await Promise.all(clients.map((client) => client.shutdown()))
    await server.stop()
  })

  it('makes its waiters check again, and notifies its holder of the lost lock', async () => {
    const [holder, waiter] = clients
    const hold = await holder.getLock('forgotten').acquire()
    const waiting = waiter.getLock('forgotten').acquire()
    await eventually(
      async () => ((await server.nodes[0].command('PUBSUB', 'CHANNELS')) as string[]).length === 1,
    )
    await server.nodes[0].restart()
    await (await waiting).unlock()
    await eventually(() => hold.signal.aborted)
    expect(hold.signal.reason).toMatchObject({ code: 'LOCK_LOST' })
  })

  it('ends locks of every kind for good, and renews the next ones of their names, twice in a row', async () => {
    const locks = (['plain', 'fair', 'read', 'write', 'fenced'] as const).map((kind) =>
      kinds[kind](clients[0], `lost-${kind}`),
    )
    for (let round = 0; round < 2; round += 1) {
      const lost = await Promise.all(locks.map((lock) => lock.acquire()))
      await server.nodes[0].restart()
      for (const hold of lost) await expect(hold.unlock()).rejects.toMatchObject({ code: 'NOT_HELD' })
      const next = await Promise.all(locks.map((lock) => lock.acquire()))
      await sleep(2 * WATCHDOG_MS)
      expect(next.map((hold) => hold.isHeld)).toEqual(locks.map(() => true))
      await Promise.all(next.map((hold) => hold.unlock()))
      expect(await Promise.all(locks.map((lock) => lock.isLocked()))).toEqual(locks.map(() => false))
    }
  })
})
