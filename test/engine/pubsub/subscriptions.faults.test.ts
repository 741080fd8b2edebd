import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { LockHold } from '../../../src/locks/shared/lock.api.js'
import type { RedissonClient } from '../../../src/api/redisson-client.js'
import { Redisson } from '../../../src/client/redisson.js'
import { eventually } from '../../support/eventually.js'
import { noLeaks } from '../../support/no-leaks.js'
import { single, topologies } from '../../support/topologies.js'

const NEVER_MS = 600_000

describe.each(topologies)('the subscriptions at a $kind', (topology) => {
  let holder: RedissonClient
  let waiter: RedissonClient

  noLeaks(topology, { withinMs: 10_000 })

  beforeAll(async () => {
    holder = await Redisson.create(topology.options())
    waiter = await Redisson.create(topology.options({ clientName: 'the-waiter' }))
  })

  afterAll(async () => {
    await Promise.all([holder.shutdown(), waiter.shutdown()])
  })

  it('share one connection at each node, for three thousand waiters at as many locks (T-14)', async () => {
    const names = Array.from({ length: 3000 }, (_, n) => `crowd-${String(n)}`)
    const holds = await Promise.all(names.map((name) => holder.getLock(name).acquire({ leaseMs: NEVER_MS })))
    const giveUp = new AbortController()
    const waiting = names.map((name) => waiter.getLock(name).acquire({ signal: giveUp.signal }))
    await eventually(async () => (await subscribed()) === names.length)
    expect(Math.max(...(await connections()))).toBeLessThanOrEqual(2)
    await Promise.all(holds.slice(0, 100).map((hold) => hold.unlock()))
    const got = await Promise.all(waiting.slice(0, 100))
    giveUp.abort()
    const refused = await Promise.allSettled(waiting.slice(100))
    expect(refused.every(({ status }) => status === 'rejected')).toBe(true)
    await Promise.all([...got, ...holds.slice(100)].map((hold: LockHold) => hold.unlock()))
    expect(await subscribed()).toBe(0)
  })

  it('are one for all who wait for the same lock (T-15)', { tags: ['timed'] }, async () => {
    const hold = await holder.getLock('popular').acquire({ leaseMs: NEVER_MS })
    const waiting = Array.from({ length: 50 }, () => waiter.getLock('popular').tryAcquire({ waitMs: 300 }))
    await eventually(async () => (await subscribed()) === 1)
    expect(await Promise.all(waiting)).toEqual(waiting.map(() => undefined))
    await eventually(async () => (await subscribed()) === 0)
    await hold.unlock()
  })

  const subscribed = async (): Promise<number> => {
    const counts = await Promise.all(
      topology.nodes.map(async (node) => {
        const plain = (await node.command('PUBSUB', 'CHANNELS', 'redisson*')) as string[]
        const sharded = (await node.command('PUBSUB', 'SHARDCHANNELS', 'redisson*')) as string[]
        return plain.length + sharded.length
      }),
    )
    return counts.reduce((sum, count) => sum + count, 0)
  }

  /** How many connections the waiter has at each node. */
  const connections = (): Promise<number[]> =>
    Promise.all(
      topology.nodes.map(async (node) => {
        const list = String(await node.command('CLIENT', 'LIST'))
        return list.split('\n').filter((line) => line.includes(' name=the-waiter ')).length
      }),
    )
})

describe('a channel that Redis forbids (T-13)', () => {
  const [server] = single.nodes
  let client: RedissonClient

  noLeaks(single)

  beforeAll(async () => {
    const rights = ['on', '>secret', '~*', '+@all', 'resetchannels', '&redisson_lock__channel:{allowed*']
    await server.command('ACL', 'SETUSER', 'limited', ...rights)
    client = await Redisson.create({ ...single.options(), username: 'limited', password: 'secret' })
  })

  afterAll(async () => {
    await client.shutdown()
    await server.command('ACL', 'DELUSER', 'limited')
  })

  it('fails its waiters at once with what Redis says, and no others', async () => {
    const [forbidden, allowed] = [client.getLock('forbidden'), client.getLock('allowed')]
    await forbidden.lock({ threadId: 1, leaseMs: NEVER_MS })
    const hold = await allowed.acquire({ leaseMs: NEVER_MS })
    for (let round = 0; round < 20; round++) {
      await expect(forbidden.lock()).rejects.toMatchObject({
        code: 'COMMAND',
        message: expect.stringContaining('NOPERM'),
      })
    }
    const waiting = allowed.acquire()
    await hold.unlock()
    await (await waiting).unlock()
    await forbidden.unlock({ threadId: 1 }) // its message is forbidden as well, and not needed
    expect(await server.command('EXISTS', 'forbidden')).toBe(0)
  })
})
