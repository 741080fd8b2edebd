import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { RLock } from '../../../src/api/locks/lock.js'
import type { RedissonClient } from '../../../src/api/redisson-client.js'
import { Redisson } from '../../../src/client/redisson.js'
import { startLink, type Link, type LinkedConnection } from '../../support/link.js'
import { single } from '../../support/topologies.js'

const MB = 1024 * 1024

/** More than all buffers on the way take. */
const LARGE = 'x'.repeat(24 * MB)

/** What waits long enough for the replies before it to be taken for large ones. */
const KEPT_WAITING_MS = 250

describe('over a link that is narrow', () => {
  let link: Link
  let client: RedissonClient
  let other: RedissonClient
  let name: string
  /** The first connection of the client, for commands. */
  let line: LinkedConnection

  beforeEach(async ({ task }) => {
    link = await startLink(single.nodes[0])
    const address = `redis://${link.host}:${String(link.port)}`
    client = await Redisson.create({ singleServerConfig: { address, timeout: 60_000 } })
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
      line.down.passOnly(1)
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
