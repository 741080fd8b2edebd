import { describe, expect, it } from 'vitest'
import { askOwner, ownerOf } from '../../support/ask-owner.js'
import { twoClients } from '../../support/clients.js'
import { elsewhere } from '../../support/elsewhere.js'
import { eventually } from '../../support/eventually.js'
import { Monitor } from '../../support/monitor.js'
import { noLeaks } from '../../support/no-leaks.js'
import { topologies } from '../../support/topologies.js'

/** What Java Redisson makes of a name. */
const names = [
  {
    name: 'fl',
    queue: 'redisson_lock_queue:{fl}',
    timeouts: 'redisson_lock_timeout:{fl}',
    heartbeats: 'redisson_lock_heartbeat:{fl}',
    channel: 'redisson_lock__channel:{fl}',
  },
  {
    name: '{tag}:fl',
    queue: 'redisson_lock_queue:{tag}:fl',
    timeouts: 'redisson_lock_timeout:{tag}:fl',
    heartbeats: 'redisson_lock_heartbeat:{tag}:fl',
    channel: 'redisson_lock__channel:{tag}:fl',
  },
]

const FAIR_WAIT_MS = 200_000

describe.each(topologies)('on the wire ($kind)', (topology) => {
  const clients = twoClients(topology, { fairLockWaitTimeout: FAIR_WAIT_MS })
  const publish = topology.kind === 'cluster' ? 'spublish' : 'publish'

  describe.each(names)('a fair lock called $name', ({ name, queue, timeouts, heartbeats, channel }) => {
    noLeaks(topology)

    const [a, b, c, d] = [1, 2, 3, 4].map((id) => ({
      threadId: id,
      owner: () => `${clients.mine.id}:${String(id)}`,
    })) as [Thread, Thread, Thread, Thread]
    const lock = () => clients.mine.getFairLock(name)
    const ask = (command: string, key: string, ...args: readonly (string | number)[]) =>
      askOwner(topology, key, command, ...args)
    const line = async () => (await ask('LRANGE', queue, 0, -1)) as string[]
    const members = async (key: string) => ((await ask('ZRANGE', key, 0, -1)) as string[]).toSorted()
    const state = async () => ({
      hash: await ask('HGETALL', name),
      queue: await line(),
      timed: await members(timeouts),
      alive: await members(heartbeats),
    })
    /** Has a thread stand in line; resolves when it does, with a way to have it leave. */
    const lineUp = async ({ threadId, owner }: Thread) => {
      const abort = new AbortController()
      const answer = elsewhere(() => lock().lock({ threadId, signal: abort.signal, leaseMs: 30_000 }))
      answer.catch(() => undefined)
      await eventually(async () => (await line()).includes(owner()))
      return { answer, leave: () => abort.abort(new Error('enough')) }
    }
    const stateOf = (holder: Thread | undefined, ...waiting: readonly Thread[]) => ({
      hash: holder === undefined ? [] : [holder.owner(), '1'],
      queue: waiting.map(({ owner }) => owner()),
      timed: waiting.map(({ owner }) => owner()).toSorted(),
      alive: waiting.map(({ owner }) => owner()).toSorted(),
    })

    it('is a hash, and beside it a list, a set of times and a set of signs of life', async () => {
      await lock().lock({ threadId: a.threadId, leaseMs: 30_000 })
      expect(await state()).toEqual(stateOf(a))
      const second = await lineUp(b)
      const third = await lineUp(c)
      expect(await state()).toEqual(stateOf(a, b, c))
      for (const [key, type] of [
        [name, 'hash'],
        [queue, 'list'],
        [timeouts, 'zset'],
      ] as const)
        expect(await ask('TYPE', key)).toBe(type)

      await using monitor = await Monitor.of(topology.nodes)
      await lock().unlock({ threadId: a.threadId })
      await second.answer
      expect(await monitor.published()).toEqual([[publish, `${channel}:${b.owner()}`, '0']])
      expect(await state()).toEqual(stateOf(b, c))
      await lock().unlock({ threadId: b.threadId })
      await third.answer
      expect(await state()).toEqual(stateOf(c))
      await lock().unlock({ threadId: c.threadId })
      expect(await state()).toEqual(stateOf(undefined))
    })

    it('keeps the others as they are when one in the middle gives up', async () => {
      await lock().lock({ threadId: a.threadId, leaseMs: 30_000 })
      const [second, third, fourth] = [await lineUp(b), await lineUp(c), await lineUp(d)]
      third.leave()
      await eventually(async () => (await line()).length === 2)
      expect(await state()).toEqual(stateOf(a, b, d))
      for (const waiter of [second, fourth]) waiter.leave()
      await eventually(async () => (await line()).length === 0)
      await lock().unlock({ threadId: a.threadId })
    })

    it('is forced open with its queue kept, and the first of it called', async () => {
      await lock().lock({ threadId: a.threadId, leaseMs: 30_000 })
      const java = 'a-java-client:57'
      await ask('ZADD', timeouts, (await serverTimeMs()) + 60_000, java)
      await ask('RPUSH', queue, java)
      await using monitor = await Monitor.of(topology.nodes)
      expect(await lock().forceUnlock()).toBe(true)
      expect(await monitor.published()).toEqual([[publish, `${channel}:${java}`, '0']])
      expect(await line()).toEqual([java])
      await ask('DEL', queue)
      await ask('DEL', timeouts)
    })

    it('publishes nothing without waiters, and costs two commands', async () => {
      await lock().withLock(() => undefined)
      await using monitor = await Monitor.of(topology.nodes)
      await lock().withLock(() => undefined)
      expect(await monitor.published()).toEqual([])
      const scripts = (await monitor.deedsOn(name)).filter(
        ({ by, words }) => by === 'client' && words[0] === 'evalsha',
      )
      expect(scripts).toHaveLength(2)
    })

    it('gives its waiters times that Java does not use up: one wait more for each of Java’s', async () => {
      await lock().lock({ threadId: a.threadId, leaseMs: 30_000 })
      const now = await serverTimeMs()
      await ask('ZADD', timeouts, now + 60_000, 'a-java-client:57')
      await ask('RPUSH', queue, 'a-java-client:57')
      const waiter = await lineUp(b)
      const score = Number(await ask('ZSCORE', timeouts, b.owner()))
      expect(score - now).toBeGreaterThan(FAIR_WAIT_MS)
      expect(score - now).toBeLessThan(2 * FAIR_WAIT_MS)
      waiter.leave()
      await eventually(async () => (await line()).length === 1)
      await ask('DEL', queue)
      await ask('DEL', timeouts)
      await lock().unlock({ threadId: a.threadId })
    })

    const serverTimeMs = async (): Promise<number> => {
      const [seconds] = (await (await ownerOf(topology, name)).command('TIME')) as [string]
      return Number(seconds) * 1_000
    }
  })
})

interface Thread {
  readonly threadId: number
  readonly owner: () => string
}
