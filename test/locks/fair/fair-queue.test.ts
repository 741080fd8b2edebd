import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Redisson, type RedissonClient, type RLock } from '../../../src/index.js'
import { keepWaiting } from '../../../src/locks/fair/fair-lock.scripts.js'
import { channelsOf } from '../../support/channels.js'
import { twoClients } from '../../support/clients.js'
import { elsewhere } from '../../support/elsewhere.js'
import { eventually } from '../../support/eventually.js'
import { LimitedResource } from '../../support/limited-resource.js'
import { inTime } from '../../support/in-time.js'
import { noLeaks } from '../../support/no-leaks.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import { single } from '../../support/topologies.js'

/** A waiter says so often that it is alive, and then hears of a turn that it has missed. */
const HEARTBEAT_MS = 1200

describe('the waiters of one process for a fair lock', () => {
  noLeaks(single)
  const clients = twoClients(single)
  let door: Proxied<typeof single>
  let client: RedissonClient
  let names = 0

  beforeAll(async () => {
    door = await proxied(single)
    client = await Redisson.create(door.options({}))
  })

  afterAll(async () => {
    await client.shutdown()
    await door.stop()
  })

  const make = () => {
    const name = `fair-line-${String(names++)}`
    const inLine = async () =>
      (await single.nodes[0].command('LRANGE', `redisson_lock_queue:{${name}}`, 0, -1)) as string[]
    const untilInLine = (count: number) => eventually(async () => (await inLine()).length === count)
    return {
      inLine,
      untilInLine,
      mine: client.getFairLock(name),
      theirs: clients.other.getFairLock(name),
      channels: async () => (await channelsOf(single)).filter((channel) => channel.includes(name)),
    }
  }

  const requests = (script: RegExp) => {
    let sent = 0
    for (const proxy of door.proxies)
      proxy.onRequest(script, () => void (sent += 1), { times: Infinity }).happened.catch(() => undefined)
    return () => sent
  }

  it('listen to nothing while the process holds the lock, and pass it on with two commands a turn', async () => {
    const { mine, untilInLine, channels } = make()
    const hold = await mine.acquire()
    const scripts = requests(/^evalsha/i)
    const heartbeats = requests(new RegExp(keepWaiting.sha))
    const subscriptions = requests(/subscribe/i)
    const served: number[] = []
    const visits = Array.from({ length: 20 }, (_, index) =>
      elsewhere(() => mine.withLock(() => served.push(index))),
    )
    await untilInLine(20)
    expect(await channels()).toEqual([])
    await hold.unlock()
    await Promise.all(visits)
    expect(served).toEqual(Array.from({ length: 20 }, (_, index) => index))
    expect(subscriptions()).toBe(0)
    const ofHeartbeats = 2 * heartbeats() // each of them, and an attempt that it may lead to
    expect(scripts()).toBeLessThanOrEqual(1 + 2 * 20 + ofHeartbeats)
    await Promise.all(door.proxies.map((proxy) => proxy.heal()))
  })

  it(
    'let another process go first that asked before them, and are called by it',
    { tags: ['timed'] },
    async () => {
      const { mine, theirs, untilInLine } = make()
      const served: string[] = []
      const visit = (lock: RLock, who: string) => elsewhere(() => lock.withLock(() => served.push(who)))
      const hold = await mine.acquire()
      const visits: Promise<unknown>[] = []
      for (const [index, who] of ['mine', 'theirs', 'mine', 'mine', 'theirs', 'mine'].entries()) {
        visits.push(visit(who === 'mine' ? mine : theirs, `${who} ${String(index)}`))
        await untilInLine(index + 1)
      }
      const startedAt = performance.now()
      await hold.unlock()
      await Promise.all(visits)
      expect(performance.now() - startedAt).toBeLessThan(HEARTBEAT_MS)
      expect(served).toEqual(['mine 0', 'theirs 1', 'mine 2', 'mine 3', 'theirs 4', 'mine 5'])
    },
  )

  it(
    'keep the place of a named thread for which another call waits, when one gives up',
    { tags: ['timed'] },
    async () => {
      const { mine, theirs, inLine, untilInLine } = make()
      const served: string[] = []
      const hold = await theirs.acquire()
      const enough = new AbortController()
      const quitter = mine.lock({ threadId: 7, signal: enough.signal }).catch(() => 'has given up')
      await untilInLine(1)
      const behind = elsewhere(() => mine.withLock(() => served.push('behind')))
      await untilInLine(2)
      const staying = mine.lock({ threadId: 7 })
      await sleep(100)
      const [first] = await inLine()
      enough.abort(new Error('enough'))
      expect(await quitter).toBe('has given up')
      await sleep(100)
      expect(await inLine()).toHaveLength(2)
      expect((await inLine())[0]).toBe(first)
      const startedAt = performance.now()
      await hold.unlock()
      await staying
      expect(performance.now() - startedAt).toBeLessThan(HEARTBEAT_MS / 2)
      served.push('named')
      await mine.unlock({ threadId: 7 })
      await behind
      expect(served).toEqual(['named', 'behind'])
    },
  )

  it('leave no place behind when all calls of a named thread give up', { tags: ['timed'] }, async () => {
    const { mine, theirs, untilInLine } = make()
    const hold = await theirs.acquire()
    const calls = [1, 2, 3].map(() => mine.tryLock({ threadId: 7, waitMs: 100 }))
    await untilInLine(1)
    expect(await Promise.all(calls)).toEqual([false, false, false])
    await untilInLine(0)
    await hold.unlock()
  })

  it('get it soon when the holder among them loses it', { tags: ['timed'] }, async () => {
    const { mine, untilInLine } = make()
    await mine.lock({ leaseMs: 300 })
    const waiting = elsewhere(() => mine.acquire())
    await untilInLine(1)
    const hold = await waiting
    await hold.unlock()
    await mine.unlock().catch(() => undefined)
  })

  it(
    'get it when another process takes it away from the holder among them',
    { tags: ['timed'] },
    async () => {
      const { mine, theirs, untilInLine } = make()
      await mine.lock()
      const waiting = elsewhere(() => mine.acquire())
      await untilInLine(1)
      expect(await theirs.forceUnlock()).toBe(true)
      const startedAt = performance.now()
      await (await waiting).unlock()
      expect(performance.now() - startedAt).toBeLessThan(2 * HEARTBEAT_MS)
      await mine.unlock().catch(() => undefined)
    },
  )

  it('get it at once when their own process forces it open', { tags: ['timed'] }, async () => {
    const { mine, untilInLine } = make()
    await mine.lock()
    const waiting = elsewhere(() => mine.acquire())
    await untilInLine(1)
    const startedAt = performance.now()
    expect(await mine.forceUnlock()).toBe(true)
    await (await waiting).unlock()
    expect(performance.now() - startedAt).toBeLessThan(HEARTBEAT_MS / 2)
  })

  it('are inside one at a time, with those of another process, while they give up and come again', async () => {
    const { mine, theirs, untilInLine } = make()
    const resource = new LimitedResource()
    const flow = async (lock: RLock, asThread: boolean) => {
      const loop = async () => {
        for (let round = 0; round < 40; round += 1) {
          const waitMs = round % 3 === 0 ? Math.random() * 10 : 10_000
          if (!(await inTime(lock.tryLock(waitMs)))) continue
          await resource.use(() => sleep(Math.random() * 2))
          await lock.unlock()
        }
      }
      await (asThread ? client.runAsThread(loop) : elsewhere(loop))
    }
    await Promise.all([
      flow(mine, true),
      flow(mine, true),
      flow(mine, false),
      flow(theirs, false),
      flow(theirs, false),
    ])
    expect(resource.highest).toBe(1)
    expect(resource.entries).toBeGreaterThan(100)
    await untilInLine(0)
  })
})
