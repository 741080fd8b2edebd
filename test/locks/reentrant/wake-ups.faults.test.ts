import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { RLock } from '../../../src/locks/shared/lock.api.js'
import type { RedissonClient } from '../../../src/api/redisson-client.js'
import { Redisson } from '../../../src/client/redisson.js'
import { eventually } from '../../support/eventually.js'
import { noLeaks } from '../../support/no-leaks.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import { topologies } from '../../support/topologies.js'

const SETTINGS = { timeout: 500, retryDelay: 20, reconnectionDelay: 10, pingConnectionInterval: 200 }

/** Nothing in these tests is woken by the end of a lease. */
const NEVER_MS = 600_000

describe.each(topologies)('a waiter at a $kind', (topology) => {
  let door: Proxied<typeof topology>
  let holder: RedissonClient
  let waiter: RedissonClient
  let names = 0

  noLeaks(topology)

  beforeAll(async () => {
    door = await proxied(topology)
    holder = await Redisson.create(topology.options())
    waiter = await Redisson.create(door.options(SETTINGS))
  })

  afterEach(async () => {
    await Promise.all(door.proxies.map((proxy) => proxy.heal()))
  })

  afterAll(async () => {
    await Promise.all([holder.shutdown(), waiter.shutdown()])
    await door.stop()
  })

  const freshLocks = (): [RLock, RLock] => {
    const name = `woken-${String(names++)}`
    return [holder.getLock(name), waiter.getLock(name)]
  }
  const onSubscribe = (act: Parameters<(typeof door.proxies)[0]['onReply']>[1]) => {
    for (const proxy of door.proxies) proxy.onReply(/^s?subscribe/i, act, { times: Infinity })
  }

  /** Holds back what confirms subscriptions, until it is let go; `asked` resolves when the first is on the way. */
  const holdBackSubscriptions = () => {
    const { promise: over, resolve: letGo } = Promise.withResolvers<void>()
    const asked = Promise.withResolvers<void>()
    onSubscribe(async () => {
      asked.resolve()
      await over
    })
    return { asked: asked.promise, letGo }
  }

  it('is woken by the message, and not by time', async () => {
    const [theirs, mine] = freshLocks()
    const hold = await theirs.acquire({ leaseMs: NEVER_MS })
    const waiting = mine.acquire()
    await eventually(() => isSubscribed(mine.name))
    await hold.unlock()
    await (await waiting).unlock()
  })

  it('takes a lock that was freed while its subscription was on the way (T-9)', async () => {
    const [theirs, mine] = freshLocks()
    const hold = await theirs.acquire({ leaseMs: NEVER_MS })
    const { asked, letGo } = holdBackSubscriptions()
    const waiting = mine.acquire()
    await asked
    await hold.unlock()
    letGo()
    await (await waiting).unlock()
  })

  // Timed, as a process passes a lock on only for 100 ms. The simulation has it without a clock.
  it(
    'is left the lock while its subscription is on the way, as is the one behind it',
    { tags: ['timed'] },
    async () => {
      const [, mine] = freshLocks()
      const hold = await mine.acquire({ leaseMs: NEVER_MS })
      const { asked, letGo } = holdBackSubscriptions()
      const second = mine.acquire({ leaseMs: NEVER_MS })
      await asked
      const third = mine.acquire({ leaseMs: NEVER_MS })
      await hold.unlock()
      await (await second).unlock()
      await (await third).unlock()
      letGo()
    },
  )

  it('tries again when its connection was cut and a message was missed (T-24)', async () => {
    const [theirs, mine] = freshLocks()
    const hold = await theirs.acquire({ leaseMs: NEVER_MS })
    const waiting = mine.acquire()
    await eventually(() => isSubscribed(mine.name))
    for (const proxy of door.proxies) {
      proxy.refuse()
      proxy.cut()
    }
    await hold.unlock()
    await Promise.all(door.proxies.map((proxy) => proxy.accept()))
    await (await waiting).unlock()
  })

  it('notices a connection that failed silently, and tries again (T-25)', async () => {
    const [theirs, mine] = freshLocks()
    const hold = await theirs.acquire({ leaseMs: NEVER_MS })
    const waiting = mine.acquire()
    await eventually(() => isSubscribed(mine.name))
    for (const proxy of door.proxies) for (const connection of proxy.connections) connection.freeze()
    await hold.unlock()
    await (await waiting).unlock()
  })

  it('is let go by a signal while its subscription is on the way, and leaves none behind', async () => {
    const [theirs, mine] = freshLocks()
    const hold = await theirs.acquire({ leaseMs: NEVER_MS })
    const giveUp = new AbortController()
    onSubscribe(() => giveUp.abort(new Error('enough')))
    await expect(mine.lock({ signal: giveUp.signal })).rejects.toThrow('enough')
    await hold.unlock()
  })

  it('subscribes all the same after subscriptions were cut off many times (T-12)', async () => {
    const [theirs, mine] = freshLocks()
    const hold = await theirs.acquire({ leaseMs: NEVER_MS })
    let cuts = 0
    onSubscribe((passing) => {
      if (cuts++ < 50) passing.cut()
    })
    const waiting = mine.acquire()
    await eventually(() => isSubscribed(mine.name))
    await hold.unlock()
    await (await waiting).unlock()
    expect(cuts).toBeGreaterThan(50)
  })

  const isSubscribed = async (name: string): Promise<boolean> => {
    const channel = `redisson_lock__channel:{${name}}`
    const counts = await Promise.all(
      topology.nodes.map(async (node) => {
        const [, plain] = (await node.command('PUBSUB', 'NUMSUB', channel)) as [string, number]
        const [, sharded] = (await node.command('PUBSUB', 'SHARDNUMSUB', channel)) as [string, number]
        return plain + sharded
      }),
    )
    return counts.some((count) => count > 0)
  }
})
