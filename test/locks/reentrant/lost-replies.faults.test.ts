import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { RLock } from '../../../src/locks/shared/lock.api.js'
import type { RedissonClient } from '../../../src/api/redisson-client.js'
import { acquire, release, takeOver } from '../../../src/locks/reentrant/lock.scripts.js'
import { Redisson } from '../../../src/client/redisson.js'
import { eventually } from '../../support/eventually.js'
import { describeFaults, strike as strikeOnce, type Fault } from '../../support/faults.js'
import { noLeaks } from '../../support/no-leaks.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import { topologies } from '../../support/topologies.js'

const TIMEOUT_MS = 200

describe.each(topologies)('a lost message on the way to a $kind', (topology) => {
  let door: Proxied<typeof topology>
  let client: RedissonClient
  let lock: RLock
  let names = 0

  noLeaks(topology)

  beforeAll(async () => {
    door = await proxied(topology)
    client = await Redisson.create({
      ...door.options({ timeout: TIMEOUT_MS, retryDelay: 20, reconnectionDelay: 10, retryAttempts: 10 }),
      lockWatchdogTimeout: 600_000, // no lock is free because its lease has ended
    })
  })

  beforeEach(async () => {
    lock = client.getLock(`lost-${String(names++)}`)
    await lock.lock() // so that the server knows the scripts, and the client their sockets
    await lock.unlock()
  })

  afterEach(async () => {
    await Promise.all(door.proxies.map((proxy) => proxy.heal()))
  })

  afterAll(async () => {
    await client.shutdown()
    await door.stop()
  })

  /** Lies in wait at every node, and strikes once. */
  const strike = (sha: string, fault: Fault): void => {
    strikeOnce(door.proxies, sha, fault)
  }

  describeFaults('a request that %s', TIMEOUT_MS, (...fault) => {
    it('takes the lock exactly once', async () => {
      strike(acquire.sha, fault)
      await client.runAsThread(async () => {
        await lock.lock()
        expect(await lock.getHoldCount()).toBe(1)
        await lock.unlock()
      })
      expect(await lock.isLocked()).toBe(false)
    })

    it('re-enters the lock exactly once', async () => {
      await client.runAsThread(async () => {
        await lock.lock()
        strike(acquire.sha, fault)
        await lock.lock()
        expect(await lock.getHoldCount()).toBe(2)
        await lock.unlock()
        expect(await lock.getHoldCount()).toBe(1)
        await lock.unlock()
      })
      expect(await lock.isLocked()).toBe(false)
    })

    it('re-enters exactly once as a thread that the user has named', async () => {
      await lock.lock({ threadId: 7 })
      strike(acquire.sha, fault)
      await lock.lock({ threadId: 7 })
      expect(await lock.isHeldByThread(7)).toBe(true)
      await lock.unlock({ threadId: 7 })
      expect(await lock.isHeldByThread(7)).toBe(true)
      await lock.unlock({ threadId: 7 })
      expect(await lock.isLocked()).toBe(false)
    })

    it('gives the lock back exactly once', async () => {
      await client.runAsThread(async () => {
        await lock.lock()
        await lock.lock()
        strike(release.sha, fault)
        await lock.unlock()
        expect(await lock.getHoldCount()).toBe(1)
        strike(release.sha, fault)
        await lock.unlock()
      })
      expect(await lock.isLocked()).toBe(false)
    })

    it('gives back exactly once what a named thread holds', async () => {
      await lock.lock({ threadId: 7 })
      await lock.lock({ threadId: 7 })
      strike(release.sha, fault)
      await lock.unlock({ threadId: 7 })
      expect(await lock.isHeldByThread(7)).toBe(true)
      await lock.unlock({ threadId: 7 })
      expect(await lock.isLocked()).toBe(false)
    })

    it('hands the lock over exactly once inside the process', async () => {
      const first = await lock.acquire()
      const second = lock.acquire()
      await eventually(async () => (await subscribers(lock.name)) === 1)
      const third = lock.acquire() // and stands behind the second, which is in line by now
      strike(takeOver.sha, fault)
      await first.unlock()
      const successor = await second
      expect(await lock.isHeldByThread(successor.threadId)).toBe(true)
      await successor.unlock()
      await (await third).unlock()
      expect(await lock.isLocked()).toBe(false)
    })

    it('is undone when the caller gives up meanwhile', async () => {
      const giveUp = new AbortController()
      strike(acquire.sha, [
        fault[0],
        fault[1],
        async (passing) => {
          giveUp.abort(new Error('enough'))
          await fault[2](passing)
        },
      ])
      await expect(lock.lock({ signal: giveUp.signal })).rejects.toThrow('enough')
      await eventually(async () => !(await lock.isLocked()))
      const hold = await lock.acquire() // and no late copy of it comes in between
      expect(hold.isHeld).toBe(true)
      await hold.unlock()
    })
  })

  it('rejects without a reply, and takes nothing', async () => {
    for (const proxy of door.proxies)
      proxy.onReply(acquire.sha, (passing) => passing.freeze(), { times: 100 })
    await expect(lock.lock()).rejects.toMatchObject({
      code: expect.stringMatching(/REPLY_TIMEOUT|CONNECTION_LOST/),
    })
    await Promise.all(door.proxies.map((proxy) => proxy.heal()))
    await eventually(async () => !(await lock.isLocked()))
  })

  it('lets no late copy of a request take the lock after it was undone', async () => {
    // The first copy reaches a server that the client has given up: it is held back until all is over.
    const { promise: over, resolve: end } = Promise.withResolvers<void>()
    strike(acquire.sha, ['is held up', 'request', () => over])
    await client.runAsThread(async () => {
      await lock.lock()
      await lock.unlock()
    })
    expect(await lock.isLocked()).toBe(false)
    end()
    await client.getLock('other').withLock(() => undefined)
    expect(await lock.isLocked()).toBe(false)
  })

  const subscribers = async (name: string): Promise<number> => {
    const channel = `redisson_lock__channel:{${name}}`
    const counts = await Promise.all(
      topology.nodes.map(async (node) => {
        const [, plain] = (await node.command('PUBSUB', 'NUMSUB', channel)) as [string, number]
        const [, sharded] = (await node.command('PUBSUB', 'SHARDNUMSUB', channel)) as [string, number]
        return plain + sharded
      }),
    )
    return Math.max(...counts)
  }
})
