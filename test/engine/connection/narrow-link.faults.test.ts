import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { RLock } from '../../../src/locks/shared/lock.api.js'
import type { HostAndPort } from '../../../src/api/redisson-options.js'
import type { RedissonClient } from '../../../src/api/redisson-client.js'
import { Redisson } from '../../../src/client/redisson.js'
import { startLink, type Link, type LinkedConnection } from '../../support/link.js'
import { addressOf } from '../../support/launch/topology.js'
import { certificate, openTlsDoor } from '../../support/tls-door.js'
import { cluster, single } from '../../support/topologies.js'

const MB = 1024 * 1024

/** More than all buffers on the way take. */
const LARGE = 'x'.repeat(24 * MB)

/** What the buffers of the system take at once, but a link may take long for. */
const BUFFERED = 'x'.repeat(400 * 1024)

/** More than TLS encrypts as one piece. A part of one brings nothing. */
const RECORD_BYTES = 20 * 1024

/** What waits long enough for the replies before it to be taken for large ones. */
const KEPT_WAITING_MS = 250

describe.each(['redis', 'rediss'] as const)('over a link that is narrow (%s://)', (scheme) => {
  let target: HostAndPort & Partial<AsyncDisposable>
  let link: Link
  let client: RedissonClient
  let other: RedissonClient
  let name: string
  /** The first connection of the client, for commands. */
  let line: LinkedConnection

  beforeEach(async ({ task }) => {
    target = scheme === 'rediss' ? await openTlsDoor(single.nodes[0]) : single.nodes[0]
    link = await startLink(target)
    client = await Redisson.create({
      singleServerConfig: { address: `${scheme}://${addressOf(link)}`, timeout: 60_000 },
      ...(scheme === 'rediss' && { tls: { ca: certificate } }),
    })
    other = await Redisson.create(single.options())
    name = `narrow ${task.name}`
    ;[line] = link.connections as [LinkedConnection]
  })

  afterEach(async () => {
    line.up.passAll()
    line.down.passAll()
    await other.getKeys().delete(name, `${name}:lock`)
    await client.shutdown()
    await other.shutdown()
    await link[Symbol.asyncDispose]()
    await target[Symbol.asyncDispose]?.()
  })

  /** Begins to write what does not leave. Says whether it has been written. */
  const beginToWrite = () => {
    const written = { done: false }
    line.up.passOnly(0)
    const writing = client
      .getBucket<string>(name)
      .set(LARGE)
      .then(() => (written.done = true))
    return { written, writing }
  }

  /** Begins to read what does not arrive. */
  const beginToRead = async (lock: RLock) => {
    await other.getBucket<string>(name).set(LARGE)
    line.down.passOnly(MB)
    const read = { done: false }
    const reading = client
      .getBucket<string>(name)
      .get()
      .then(() => (read.done = true))
    await expect.poll(() => line.down.passed).toBeGreaterThanOrEqual(MB)
    const asked: Promise<unknown>[] = []
    while (link.connections.length === 1) {
      await sleep(KEPT_WAITING_MS)
      line.down.passOnly(RECORD_BYTES)
      await sleep(10)
      asked.push(lock.isLocked())
    }
    return { read, reading: Promise.all([reading, ...asked]) }
  }

  it('a lock is acquired, renewed and released while a large value is sent', async () => {
    const lock = client.getLock(`${name}:lock`)
    const { written, writing } = beginToWrite()
    const hold = await lock.acquire()
    await hold.extend(60_000)
    expect(await other.getLock(`${name}:lock`).remainTimeToLive()).toBeGreaterThan(50_000)
    await hold.unlock()
    expect(await other.getLock(`${name}:lock`).isLocked()).toBe(false)
    expect(written.done).toBe(false)
    expect(link.connections).toHaveLength(2)
    line.up.passAll()
    await writing
  })

  it('a lock is acquired and released while a value waits in the buffers of the system', async () => {
    const lock = client.getLock(`${name}:lock`)
    line.up.passOnly(0)
    const writing = client.getBucket<string>(name).set(BUFFERED)
    const hold = await lock.acquire()
    await hold.unlock()
    expect(link.connections).toHaveLength(2)
    line.up.passAll()
    await writing
  })

  // Congestion shows only after replies have kept others waiting, which takes time. The simulation plays it without a clock (`behind-large-values`).
  it(
    'a lock is acquired, renewed and released while a large value arrives',
    { tags: ['timed'] },
    async () => {
      const lock = client.getLock(`${name}:lock`)
      const { read, reading } = await beginToRead(lock)
      const hold = await lock.acquire()
      await hold.extend(60_000)
      expect(await other.getLock(`${name}:lock`).remainTimeToLive()).toBeGreaterThan(50_000)
      await hold.unlock()
      expect(await other.getLock(`${name}:lock`).isLocked()).toBe(false)
      expect(read.done).toBe(false)
      line.down.passAll()
      await reading
    },
  )

  it('permits are acquired and released while a large value is sent', async () => {
    const semaphore = client.getPermitExpirableSemaphore(`${name}:lock`, { permits: 1 })
    const { written, writing } = beginToWrite()
    const id = await semaphore.acquire(60_000)
    await semaphore.release(id)
    expect(written.done).toBe(false)
    line.up.passAll()
    await writing
    expect(await semaphore.availablePermits()).toBe(1)
    await semaphore.delete()
  })

  it('no other connection is made for data, which keeps its order', async () => {
    const { writing } = beginToWrite()
    const later = client.getAtomicLong(`${name}:lock`).incrementAndGet()
    line.up.passAll()
    await Promise.all([writing, later])
    expect(link.connections).toHaveLength(1)
  })
})

describe('at a cluster whose links are narrow', () => {
  it('a lock is acquired, renewed and released while a large value is sent to the same node', async () => {
    const links = await Promise.all(cluster.nodes.map(startLink))
    const natMapper = Object.fromEntries(
      links.map(({ host, port }, index) => [addressOf(cluster.nodes[index] as HostAndPort), { host, port }]),
    )
    const client = await Redisson.create(cluster.options({ natMapper, timeout: 60_000 }))
    const other = await Redisson.create(cluster.options())
    const bucket = client.getBucket<string>('{narrow}')
    await bucket.set('small') // its node is connected then
    const lines = links.flatMap(({ connections }) => connections)
    for (const line of lines) line.up.passOnly(0)
    const written = { done: false }
    const writing = bucket.set(LARGE).then(() => (written.done = true))
    const hold = await client.getLock('{narrow}:lock').acquire()
    await hold.extend(60_000)
    expect(await other.getLock('{narrow}:lock').remainTimeToLive()).toBeGreaterThan(50_000)
    await hold.unlock()
    expect(await other.getLock('{narrow}:lock').isLocked()).toBe(false)
    expect(written.done).toBe(false)
    for (const line of lines) line.up.passAll()
    await writing
    expect(await other.getBucket<string>('{narrow}').getAndDelete()).toHaveLength(LARGE.length)
    await Promise.all([client.shutdown(), other.shutdown()])
    await Promise.all(links.map((link) => link[Symbol.asyncDispose]()))
  })
})
