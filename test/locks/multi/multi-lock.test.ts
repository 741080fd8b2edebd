import { setTimeout as sleep } from 'node:timers/promises'
import { Cluster, Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  ConnectionLostError,
  MultiUnlockError,
  Redisson,
  SameLockError,
  type RedissonClient,
  type RLock,
} from '../../../src/index.js'
import {
  LockFixture,
  BRIEFLY_MS,
  noLeaksAfterAll,
  untilFree,
  untilRenewed,
  WATCHDOG_MS,
} from '../../contracts/lock-fixture.js'
import { extending } from '../../contracts/lock/extending.js'
import { ownershipContract } from '../../contracts/ownership.contract.js'
import { takeBriefly } from '../../contracts/take-briefly.js'
import { untilAwaited } from '../../support/channels.js'
import { twoClients } from '../../support/clients.js'
import { elsewhere } from '../../support/elsewhere.js'
import { eventually } from '../../support/eventually.js'
import { LimitedResource } from '../../support/limited-resource.js'
import type { SingleTopology, ServerNode } from '../../support/launch/topology.js'
import { Monitor } from '../../support/monitor.js'
import { noLeaks } from '../../support/no-leaks.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import { cluster, sentinel, single } from '../../support/topologies.js'
import { untilAborted } from '../../support/until-aborted.js'
import { twoAsOne } from '../shared/two-as-one.js'

describe('who holds a multi-lock', () => {
  ownershipContract({
    topology: single,
    getLock: twoAsOne,
    inSteps: true,
    kindName: 'multi',
  })
})

describe('a multi-lock of two', () => {
  extending(new LockFixture({ topology: single, getLock: twoAsOne, inSteps: true }))
})

describe('a multi-lock', () => {
  const clients = twoClients(single)
  const watched = twoClients(single, { lockWatchdogTimeout: WATCHDOG_MS })
  let spots = 0
  /** Unique names, in their order. */
  const names = (count: number): readonly string[] => {
    spots += 1
    return Array.from({ length: count }, (_, index) => `multi-${String(spots)}-${String(index)}`)
  }
  const locks = (all: readonly string[], client = clients.mine): RLock[] =>
    all.map((name) => client.getLock(name))
  const countHeld = async (all: readonly RLock[]): Promise<number> =>
    (await Promise.all(all.map((lock) => lock.isLocked()))).filter(Boolean).length

  describe('of three locks', () => {
    noLeaksAfterAll(single)

    it.concurrent('is held with all of them, and free with all of them', async () => {
      const members = locks(names(3))
      const multi = clients.mine.getMultiLock(...members)
      await multi.lock(10_000)
      expect(await multi.isHeldByCurrentThread()).toBe(true)
      expect(await countHeld(members)).toBe(3)
      await multi.unlock()
      expect(await multi.isHeldByCurrentThread()).toBe(false)
      expect(await countHeld(members)).toBe(0)
    })

    it.concurrent('is for one of ten who try at the same time', async () => {
      const all = names(3)
      const outcomes = await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          clients[index % 2 === 0 ? 'mine' : 'other']
            .getMultiLock(...locks(all, clients[index % 2 === 0 ? 'mine' : 'other']))
            .tryAcquire({ leaseMs: 10_000 }),
        ),
      )
      const won = outcomes.filter((hold) => hold !== undefined)
      expect(won).toHaveLength(1)
      await won[0]?.unlock()
    })

    it.concurrent.each([0, 1, 2])(
      'is not acquired if another owner has number %d, and leaves the others alone',
      async (taken) => {
        const all = names(3)
        const theirs = await locks(all, clients.other)[taken]?.acquire()
        const multi = clients.mine.getMultiLock(...locks(all))
        expect(await multi.tryLock()).toBe(false)
        expect(await multi.tryAcquire({ waitMs: 300 })).toBeUndefined()
        await expect(multi.withLock(() => undefined, { waitMs: 300 })).rejects.toMatchObject({
          code: 'LOCK_TIMEOUT',
          lock: all.join(),
          waitMs: 300,
        })
        expect(await countHeld(locks(all))).toBe(1)
        await theirs?.unlock()
      },
    )

    it.concurrent('leaves the reason of a signal as it is', async () => {
      const all = names(2)
      const theirs = await locks(all, clients.other)[1]?.acquire()
      const ended = new AbortController()
      const reason = new ConnectionLostError('another call has failed', { mayHaveRun: false })
      const waiting = clients.mine.getMultiLock(...locks(all)).lock({ signal: ended.signal })
      await eventually(async () => (await countHeld(locks(all))) === 2)
      ended.abort(reason)
      await expect(waiting).rejects.toBe(reason)
      expect(reason.mayHaveRun).toBe(false)
      await theirs?.unlock()
    })

    it.concurrent.each([0, 1, 2])('is waited for until number %d is free', async (taken) => {
      const all = names(3)
      const theirs = await locks(all, clients.other)[taken]?.acquire({ leaseMs: 60_000 })
      const waiting = clients.mine.getMultiLock(...locks(all)).acquire()
      await untilAwaited(single, String(all[taken]))
      await theirs?.unlock()
      const hold = await waiting
      expect(await countHeld(locks(all))).toBe(3)
      await hold.unlock()
    })

    it.concurrent.each([0, 1, 2])(
      'is no longer waited for when its signal aborts at number %d',
      async (taken) => {
        const all = names(3)
        const theirs = await locks(all, clients.other)[taken]?.acquire({ leaseMs: 60_000 })
        const abort = new AbortController()
        const reason = new Error('no longer wanted')
        const waiting = clients.mine
          .getMultiLock(...locks(all))
          .lock({ signal: abort.signal, leaseMs: 60_000 })
        await untilAwaited(single, String(all[taken]))
        abort.abort(reason)
        await expect(waiting).rejects.toBe(reason)
        await eventually(async () => (await countHeld(locks(all))) === 1)
        await theirs?.unlock()
      },
    )

    it.concurrent(
      'gives each member the lease that was asked for, however long it was waited for (S-4)',
      { tags: ['timed'] },
      async () => {
        const all = names(3)
        const theirs = await clients.other.getLock(String(all[2])).acquire({ leaseMs: 2 * WATCHDOG_MS })
        const { mine } = watched
        const hold = await mine.getMultiLock(...locks(all, mine)).acquire({ leaseMs: 10_000 })
        expect(theirs.isHeld).toBe(false)
        for (const lock of locks(all)) {
          const leftMs = await lock.remainTimeToLive()
          expect(leftMs).toBeLessThanOrEqual(10_000)
          expect(leftMs).toBeGreaterThan(9_000)
        }
        await hold.unlock()
      },
    )

    it.concurrent('whose lease has ended is lost as a whole, and nothing of it is renewed', async () => {
      const all = names(3)
      const multi = clients.mine.getMultiLock(...locks(all))
      const hold = await takeBriefly(() => multi.acquire({ leaseMs: 150 }))
      await untilAborted(hold.signal)
      expect(hold.isHeld).toBe(false)
      await Promise.all(locks(all).map(untilFree))
    })

    it.concurrent('is renewed as a whole if no lease was asked for', { tags: ['timed'] }, async () => {
      const all = names(3)
      const hold = await watched.mine.getMultiLock(...locks(all, watched.mine)).acquire()
      await Promise.all(locks(all).map(untilRenewed))
      expect(hold.isHeld).toBe(true)
      await hold.unlock()
      expect(await countHeld(locks(all))).toBe(0)
    })

    it.concurrent('takes nothing from a longer lease that its thread has of a member', async () => {
      const all = names(3)
      const [first] = locks(all) as [RLock]
      await clients.mine.runAsThread(async () => {
        await first.lock(60_000)
        const multi = clients.mine.getMultiLock(...locks(all))
        await multi.lock(20_000)
        expect(await first.remainTimeToLive()).toBeGreaterThan(50_000)
        await multi.unlock()
        expect(await countHeld(locks(all))).toBe(1)
        await first.unlock()
      })
    })

    it.concurrent('that has lost a member is lost, and tells so once', { tags: ['timed'] }, async () => {
      const all = names(3)
      const { mine } = watched
      const multi = mine.getMultiLock(...locks(all, mine))
      const events: unknown[] = []
      const listen = (event: { readonly lock: string }) => {
        if (event.lock.includes(String(all[0]))) events.push(event)
      }
      mine.on('lockLost', listen)
      const hold = await multi.acquire()
      await single.nodes[0].command('DEL', String(all[1]))
      await untilAborted(hold.signal)
      expect(hold.isHeld).toBe(false)
      expect(hold.signal.reason).toMatchObject({ code: 'LOCK_LOST', lock: multi.name, owner: hold.owner })
      expect(events).toMatchObject([{ lock: multi.name, owner: hold.owner }])
      await expect(hold.unlock()).rejects.toMatchObject({ code: 'NOT_HELD', lock: multi.name })
      expect(await countHeld(locks(all, mine))).toBe(0)
      mine.off('lockLost', listen)
    })

    it.concurrent('whose lease has ended is no news', async () => {
      const all = names(3)
      const multi = clients.mine.getMultiLock(...locks(all))
      const lost: string[] = []
      const listen = ({ lock }: { readonly lock: string }) => void lost.push(lock)
      clients.mine.on('lockLost', listen)
      const other = clients.mine.getMultiLock(...locks(names(2)))
      const [left, unlocked] = [
        await takeBriefly(() => multi.acquire({ leaseMs: BRIEFLY_MS })),
        await takeBriefly(() => other.acquire({ leaseMs: BRIEFLY_MS })),
      ]
      await Promise.all([left, unlocked].map(({ signal }) => untilAborted(signal)))
      expect(left.signal.reason).toMatchObject({ reason: 'expired', leaseMs: BRIEFLY_MS })
      await sleep(100) // by now the servers have let go, too
      await expect(unlocked.unlock()).rejects.toMatchObject({
        code: 'NOT_HELD',
        cause: { leaseMs: BRIEFLY_MS },
      })
      expect(lost.filter((name) => [left.name, unlocked.name].includes(name))).toEqual([])
      clients.mine.off('lockLost', listen)
    })

    it.concurrent(
      'is not asked for by a thread that is asking for one of its members, nor the other way round',
      async () => {
        const all = names(2)
        const multi = clients.mine.getMultiLock(...locks(all)) as RLock
        const [member] = locks(all) as [RLock]
        for (const asked of [
          [multi, member],
          [member, multi],
        ]) {
          await clients.mine.runAsThread(async () => {
            const outcomes = await Promise.allSettled(asked.map((lock) => lock.lock()))
            expect(outcomes).toMatchObject([{ status: 'fulfilled' }, { reason: { code: 'FORKED_THREAD' } }])
            await multi.lock() // one after the other
            await member.lock()
            await member.unlock()
            await multi.unlock()
            await asked[0]?.unlock()
          })
        }
        expect(await countHeld(locks(all))).toBe(0)
      },
    )

    it.concurrent(
      'that was lost and is taken again leaves nothing of the first time',
      { tags: ['timed'] },
      async () => {
        const all = names(3)
        const { mine } = watched
        const multi = mine.getMultiLock(...locks(all, mine)) as RLock
        await mine.runAsThread(async () => {
          await multi.lock()
          const lost = Promise.withResolvers<void>()
          const listen = ({ lock }: { readonly lock: string }) => {
            if (lock === multi.name) lost.resolve()
          }
          mine.on('lockLost', listen)
          await single.nodes[0].command('DEL', String(all[1]))
          await lost.promise
          mine.off('lockLost', listen)
          await multi.lock()
          await multi.unlock()
        })
        expect(await countHeld(locks(all, mine))).toBe(0)
      },
    )

    it.concurrent('is extended as a whole', async () => {
      const all = names(3)
      const hold = await clients.mine.getMultiLock(...locks(all)).acquire({ leaseMs: 10_000 })
      await hold.extend(60_000)
      for (const lock of locks(all)) expect(await lock.remainTimeToLive()).toBeGreaterThan(50_000)
      await hold.unlock()
    })

    it.concurrent('is lost when it turns out at an extension that one of them is', async () => {
      const all = names(3)
      const hold = await clients.mine.getMultiLock(...locks(all)).acquire({ leaseMs: 20_000 })
      await single.nodes[0].command('DEL', String(all[1]))
      await expect(hold.extend()).rejects.toMatchObject({
        code: 'LOCK_LOST',
        lock: all.join(),
        reason: 'not-held',
      })
      expect([hold.isHeld, hold.signal.aborted]).toEqual([false, true])
      await expect(hold.extend(60_000)).rejects.toBe(hold.signal.reason)
      await Promise.all(locks(all).map(untilFree)) // what is left is not renewed, though it was asked for
    })

    it.concurrent(
      'gives back what is left when it turns out at an extension that one of them is lost',
      async () => {
        const all = names(3)
        const extended = clients.mine.getMultiLock(...locks(all)).withLock(
          async (hold) => {
            await single.nodes[0].command('DEL', String(all[1]))
            await expect(hold.extend(60_000)).rejects.toMatchObject({ code: 'LOCK_LOST' })
            expect(await countHeld(locks(all))).toBe(0)
          },
          { leaseMs: 20_000 },
        )
        await expect(extended).rejects.toMatchObject({ code: 'LOCK_LOST', reason: 'not-held' })
      },
    )

    it.concurrent(
      'of which something was lost leaves nothing for ever, even without a release',
      { tags: ['timed'] },
      async () => {
        const all = names(3)
        const hold = await watched.mine.getMultiLock(...locks(all, watched.mine)).acquire()
        await single.nodes[0].command('DEL', String(all[1]))
        await untilAborted(hold.signal)
        await Promise.all(locks(all).map(untilFree))
      },
    )

    it.concurrent('is known to every object for the same locks, in any order', async () => {
      const all = names(3)
      const one = clients.mine.getMultiLock(...locks(all))
      const other = clients.mine.getMultiLock(...locks(all.toReversed()), ...locks(all))
      expect(other.name).toBe(one.name)
      await one.lock()
      await other.unlock()
      expect(await countHeld(locks(all))).toBe(0)
    })

    it.concurrent('lets the same thread have its members as well', async () => {
      const all = names(3)
      const [, second] = locks(all) as [RLock, RLock]
      await clients.mine.getMultiLock(...locks(all)).withLock(async () => {
        await second.withLock(async () => {
          expect(await second.getHoldCount()).toBe(2)
        })
      })
      expect(await countHeld(locks(all))).toBe(0)
    })

    it.concurrent('is not waited for for ever by a flow that holds a member', async () => {
      const all = names(3)
      const { mine } = watched
      const multi = mine.getMultiLock(...locks(all, mine))
      const [, , third] = locks(all, mine) as [RLock, RLock, RLock]
      await third.withLock(
        async () => {
          await expect(multi.acquire()).rejects.toMatchObject({ code: 'NESTED_LOCK', lock: multi.name })
        },
        { leaseMs: 60_000 },
      )
      expect(await countHeld(locks(all, mine))).toBe(0)
    })
  })

  describe('in two orders', () => {
    noLeaks(single)

    it('is taken repeatedly, and no caller waits for ever (T-29)', async () => {
      const [a, b, c] = names(3) as [string, string, string]
      const orders = [
        [a, b, c],
        [c, b, a],
        [b, c],
        [c, a],
      ] as const
      const resources = new Map([a, b, c].map((name) => [name, new LimitedResource()]))
      const visit = async (order: readonly string[], client: RedissonClient) => {
        for (let round = 0; round < 50; round += 1) {
          await client.getMultiLock(...locks(order, client)).withLock(async () => {
            const visits = order.map((name) => resources.get(name)?.enter())
            await Promise.resolve()
            for (const each of visits) each?.[Symbol.dispose]()
          })
        }
      }
      await Promise.all(
        orders.flatMap((order) =>
          [clients.mine, clients.other].map((client) => elsewhere(() => visit(order, client))),
        ),
      )
      expect([...resources.values()].map(({ entries }) => entries)).toEqual([300, 300, 400])
    })

    it('also where its members are multi-locks themselves', async () => {
      const [a, b, c] = names(3) as [string, string, string]
      const of = (client: RedissonClient, ...all: readonly string[]) =>
        client.getMultiLock(...locks(all, client))
      const visit = async (multi: () => Pick<RLock, 'withLock'>) => {
        for (let round = 0; round < 30; round += 1) await multi().withLock(() => undefined)
      }
      const { mine, other } = clients
      await Promise.all([
        visit(() => mine.getMultiLock(of(mine, a, c), mine.getLock(b))),
        visit(() => of(other, b, c)),
        visit(() => of(other, c, b, a)),
      ])
    })
  })

  describe('of locks of every kind', () => {
    noLeaks(single, { keeps: /^redisson_lock_token:/ })

    it('is all of them or none', async () => {
      const [a, b, c, d, e] = names(5) as [string, string, string, string, string]
      const members = (client: RedissonClient): RLock[] => [
        client.getFairLock(a),
        client.getReadWriteLock(b).writeLock(),
        client.getFencedLock(c),
        client.getSpinLock(d),
        client.getMultiLock(e, ['one', 'two']),
      ]
      const multi = clients.mine.getMultiLock(...members(clients.mine))
      for (const leaseMs of [0, 10_000]) {
        const hold = await multi.acquire({ leaseMs })
        expect(await countHeld(members(clients.other))).toBe(5)
        expect(await clients.other.getMultiLock(...members(clients.other)).tryLock()).toBe(false)
        await hold.unlock()
        expect(await countHeld(members(clients.other))).toBe(0)
      }
    })
  })

  describe('when something fails', () => {
    noLeaks(single)

    it.each([0, 1, 2])('at the request for number %d, gives back what it had', async (broken) => {
      const all = names(3)
      await single.nodes[0].command('SET', String(all[broken]), 'no lock')
      const multi = clients.mine.getMultiLock(...locks(all))
      await expect(multi.lock(60_000)).rejects.toMatchObject({ code: 'WRONG_TYPE' })
      await single.nodes[0].command('DEL', String(all[broken]))
      expect(await countHeld(locks(all))).toBe(0)
    })

    it('at the end, gives all others back, and tells what went wrong where (S-5)', async () => {
      const all = names(3)
      const hold = await clients.mine.getMultiLock(...locks(all)).acquire({ leaseMs: 60_000 })
      await single.nodes[0].command('SET', String(all[0]), 'no lock')
      const error: unknown = await hold.unlock().catch((reason: unknown) => reason)
      expect(error).toBeInstanceOf(MultiUnlockError)
      expect((error as MultiUnlockError).failures).toMatchObject([
        { lock: all[0], error: { code: 'WRONG_TYPE' } },
      ])
      expect(await countHeld(locks(all.slice(1)))).toBe(0)
      await single.nodes[0].command('DEL', String(all[0]))
    })

    it(
      'because its process dies, is free when the watchdog’s time is over',
      { tags: ['timed'] },
      async () => {
        const all = names(2)
        const dying = await Redisson.create({ ...single.options(), lockWatchdogTimeout: WATCHDOG_MS })
        await dying.getMultiLock(...locks(all, dying)).acquire()
        await dying.shutdown()
        expect(await countHeld(locks(all))).toBe(2)
        await Promise.all(locks(all).map(untilFree))
      },
    )
  })

  it('is not made of one lock by two clients', () => {
    const [name] = names(1) as [string]
    const [mine, theirs] = [clients.mine, clients.other].map((client) => client.getLock(name)) as [
      RLock,
      RLock,
    ]
    expect(() => clients.mine.getMultiLock(mine, theirs)).toThrow(SameLockError)
    expect(() => clients.mine.getRedLock(mine, theirs)).toThrow(
      expect.objectContaining({ code: 'SAME_LOCK', lock: name, servers: expect.stringMatching(/:\d+\/0$/) }),
    )
    expect(() => clients.mine.getMultiLock(mine, clients.mine.getLock(name))).not.toThrow()
  })

  it('of both sides of a read-write lock is had, whichever is given first', async () => {
    const [name] = names(1) as [string]
    const lock = clients.mine.getReadWriteLock(name)
    for (const sides of [
      [lock.readLock(), lock.writeLock()],
      [lock.writeLock(), lock.readLock()],
    ]) {
      const hold = await clients.mine.getMultiLock(...sides).tryAcquire()
      expect(hold?.isHeld).toBe(true)
      await hold?.unlock()
    }
    expect(await lock.readLock().isLocked()).toBe(false)
  })

  it('is made of locks, and of at least one', () => {
    expect(() => clients.mine.getMultiLock()).toThrow(new TypeError('Expected at least one lock, got none'))
    expect(() => clients.mine.getMultiLock({} as RLock)).toThrow('Expected a lock of this library, got {}')
  })
})

describe('a multi-lock of locks at three servers', () => {
  for (const topology of [single, sentinel, cluster]) noLeaks(topology)

  const arrangements = [sentinel, cluster]
  let door: Proxied<SingleTopology<ServerNode>>
  let mine: RedissonClient[]
  let theirs: RedissonClient[]

  beforeAll(async () => {
    door = await proxied<SingleTopology<ServerNode>>(single)
    const connect = async () => [
      ...(await Promise.all(arrangements.map((topology) => Redisson.create(topology.options())))),
      await Redisson.create(
        door.options({ timeout: 600, retryAttempts: 2, retryDelay: 20, reconnectionDelay: 10 }),
      ),
    ]
    mine = await connect()
    theirs = await connect()
  })

  afterEach(() => Promise.all(door.proxies.map((proxy) => proxy.heal())))

  afterAll(async () => {
    await Promise.all([...mine, ...theirs].map((client) => client.shutdown()))
    await door.stop()
  })

  const options = { lazyConnect: true }
  const likeSentinel = () =>
    new Redis({ ...options, sentinels: [...sentinel.sentinels], name: sentinel.masterName })
  const likeCluster = () => new Cluster([...cluster.nodes], options)
  const likeSingle = () => new Redis(Number(door.proxies[0]?.port), String(door.proxies[0]?.host), options)
  const connectLike = (ioredis: Redis | Cluster) => Redisson.create({ ioredis })

  const members = (clients: readonly RedissonClient[], name: string): RLock[] =>
    clients.map((client, index) => client.getLock(name.replace('#', String(index))))
  const multi = (clients: readonly RedissonClient[], name: string) =>
    (clients[0] as RedissonClient).getMultiLock(...members(clients, name))
  const held = async (name: string, where: readonly number[]): Promise<boolean[]> =>
    Promise.all(where.map((index) => members(theirs, name)[index]?.isLocked() as Promise<boolean>))

  it('is held at all of them under one owner, and another is refused twice', async () => {
    const hold = await multi(mine, 'three').acquire()
    expect(
      await Promise.all(members(theirs, 'three').map((lock) => lock.isHeldByThread(hold.owner))),
    ).toEqual([true, true, true])
    expect(await multi(theirs, 'three').tryLock()).toBe(false)
    expect(await multi(theirs, 'three').tryLock()).toBe(false)
    await hold.unlock()
    expect(await held('three', [0, 1, 2])).toEqual([false, false, false])
  })

  it('of one name is taken in one order, for any order of the servers', async () => {
    const resource = new LimitedResource()
    const visit = async (clients: readonly RedissonClient[]) => {
      for (let round = 0; round < 30; round += 1)
        await multi(clients, 'same').withLock(() => resource.use(() => Promise.resolve()))
    }
    await Promise.all([
      visit(mine),
      visit(theirs.toReversed()),
      visit([...mine.slice(1), ...mine.slice(0, 1)]),
    ])
    expect(resource.entries).toBe(90)
  })

  it('of clients of ioredis is taken in one order as well', async () => {
    const connect = () => Promise.all([likeSentinel(), likeCluster(), likeSingle()].map(connectLike))
    const [ours, others] = await Promise.all([connect(), connect()])
    const resource = new LimitedResource()
    const visit = async (clients: readonly RedissonClient[]) => {
      for (let round = 0; round < 30; round += 1)
        await multi(clients, 'alike').withLock(() => resource.use(() => Promise.resolve()), {
          waitMs: 10_000,
        })
    }
    await Promise.all([visit(ours), visit(others.toReversed()), visit(mine.toReversed())])
    expect(resource.entries).toBe(90)
    await Promise.all([...ours, ...others].map((client) => client.shutdown()))
  })

  it.each([
    [
      'stalls',
      () => {
        door.proxies[0]?.stall()
      },
    ],
    [
      'breaks off',
      () => {
        door.proxies[0]?.refuse()
        door.proxies[0]?.cut()
      },
    ],
  ])(
    'of which one %s is not had, and within a second of that nothing of it is (T-29)',
    { tags: ['timed'] },
    async (_, fail) => {
      fail()
      await expect(multi(mine, 'failing#').lock()).rejects.toMatchObject({
        code: expect.stringMatching(/REPLY_TIMEOUT|CONNECTION_LOST/) as unknown,
      })
      await eventually(async () => !(await held('failing#', [0, 1])).includes(true), { withinMs: 1_000 })
      await Promise.all(door.proxies.map((proxy) => proxy.heal()))
      await eventually(async () => !(await held('failing#', [2])).includes(true), { withinMs: 3_000 })
    },
  )

  it('of which one grants it, but its answer is lost, leaves nothing there', async () => {
    door.proxies[0]?.onReply(/^eval/i, (passing) => passing.freeze(), { times: 3 })
    await multi(mine, 'unheard#')
      .lock()
      .then(
        () => multi(mine, 'unheard#').unlock(),
        (error: unknown) => {
          expect(error).toMatchObject({
            code: expect.stringMatching(/REPLY_TIMEOUT|CONNECTION_LOST/) as string,
          })
        },
      )
    await eventually(async () => !(await held('unheard#', [0, 1, 2])).includes(true))
  })

  it.each([
    ['the first', 'refused-a', false],
    ['another', 'refused-b', true],
  ])('says whether it had something when it failed at %s of its locks', async (_, name, mayHaveRun) => {
    const client = mine[2] as RedissonClient
    using _refused = door.proxies[0]?.onRequest(
      (request) => /^eval/i.test(request) && request.includes(name),
      (passing) => {
        passing.refuse('LOADING Redis is loading the dataset in memory')
      },
      { times: 100 },
    )
    const locks = ['refused-a', 'refused-b'].map((each) => client.getLock(each))
    await expect(client.getMultiLock(...locks).lock()).rejects.toMatchObject({
      code: 'SERVER_NOT_READY',
      mayHaveRun,
    })
    await eventually(async () => !(await held('refused-a', [2])).includes(true))
  })

  it('of which one is silent at the end is given back at the others', { tags: ['timed'] }, async () => {
    const hold = await multi(mine, 'silent#').acquire({ leaseMs: 10_000 })
    door.proxies[0]?.stall()
    const unlocked = hold.unlock()
    await eventually(async () => !(await held('silent#', [0, 1])).includes(true), { withinMs: 1_000 })
    await expect(unlocked).rejects.toMatchObject({ code: 'MULTI_UNLOCK', failures: [{ lock: 'silent2' }] })
    await Promise.all(door.proxies.map((proxy) => proxy.heal()))
    await eventually(async () => !(await held('silent#', [2])).includes(true))
  })

  it('of which one is silent is not extended, and lasts as long as it would have', async () => {
    const hold = await multi(mine, 'unextended#').acquire({ leaseMs: 20_000 })
    door.proxies[0]?.stall()
    await expect(hold.extend(60_000)).rejects.toMatchObject({
      code: 'NO_QUORUM',
      failures: [
        {
          lock: 'unextended2',
          error: { code: expect.stringMatching(/REPLY_TIMEOUT|CONNECTION_LOST/) as string },
        },
      ],
    })
    expect(hold.isHeld).toBe(true)
    await Promise.all(door.proxies.map((proxy) => proxy.heal()))
    await hold.extend(60_000)
    await hold.unlock()
    expect(await held('unextended#', [0, 1, 2])).toEqual([false, false, false])
  })

  it('that cannot give one of them its lease gives all of them back', async () => {
    await using monitor = await Monitor.of(single.nodes)
    door.proxies[0]?.onRequest(
      (request) => /^eval(sha)? \S+ 2 unlettable2 \S+ \S+ 60000 publish$/i.test(request),
      (passing) => passing.freeze(),
      { times: 10 },
    )
    await expect(multi(mine, 'unlettable#').lock(60_000)).rejects.toMatchObject({
      code: expect.stringMatching(/REPLY_TIMEOUT|CONNECTION_LOST/) as string,
    })
    expect((await monitor.deedsOn('unlettable2')).length).toBeGreaterThan(0)
    await eventually(async () => !(await held('unlettable#', [0, 1, 2])).includes(true))
  })
})
