import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { isRedissonError, Redisson, type RLock } from '../../../src/index.js'
import * as scripts from '../../../src/locks/fair/fair-lock.scripts.js'
import { noLeaksAfterAll, untilFree, untilRenewed, WATCHDOG_MS } from '../../contracts/lock-fixture.js'
import { askOwner, ownerOf } from '../../support/ask-owner.js'
import { channelsOf } from '../../support/channels.js'
import { twoClients } from '../../support/clients.js'
import { elsewhere } from '../../support/elsewhere.js'
import { eventually } from '../../support/eventually.js'
import { LimitedResource } from '../../support/limited-resource.js'
import { Monitor } from '../../support/monitor.js'
import { topologies } from '../../support/topologies.js'
import { LockUser } from '../shared/lock-user.js'

/** What dead waiters cost, in milliseconds, however many there are. */
const BOUND_MS = 5_000

describe.each(topologies)('the queue of a fair lock ($kind)', (topology) => {
  const alone = topology.kind === 'single' // what takes long is tried once
  noLeaksAfterAll(topology)
  const settings = { fairLockWaitTimeout: 1_000 }
  const clients = twoClients(topology, settings)
  const watched = twoClients(topology, { ...settings, lockWatchdogTimeout: WATCHDOG_MS })
  const users: LockUser[] = []
  let names = 0

  afterAll(async () => {
    await Promise.all(users.splice(0).map((user) => user[Symbol.asyncDispose]()))
  })

  const spot = ({ mine, other } = clients) => {
    const name = `${topology.kind}-queue-${String((names += 1))}`
    const ask = (command: string, key: string, ...args: readonly (string | number)[]) =>
      askOwner(topology, key, command, ...args)
    const queue = `redisson_lock_queue:{${name}}`
    const timeouts = `redisson_lock_timeout:{${name}}`
    const heartbeats = `redisson_lock_heartbeat:{${name}}`
    const inLine = async () => (await ask('LRANGE', queue, 0, -1)) as string[]
    return {
      name,
      queue,
      timeouts,
      heartbeats,
      ask,
      inLine,
      mine: mine.getFairLock(name),
      theirs: other.getFairLock(name),
      untilInLine: (count: number) =>
        eventually(async () => (await inLine()).length === count, { what: `${count} in line` }),
      scores: async () => {
        const flat = (await ask('ZRANGE', timeouts, 0, -1, 'WITHSCORES')) as string[]
        return new Map(flat.flatMap((one, at) => (at % 2 === 0 ? [[one, Number(flat[at + 1])]] : [])))
      },
      /** A waiter of Redisson for Java: in the list, and in the set with a time of its own. */
      javaWaits: async (owner: string, leftMs: number) => {
        await ask('ZADD', timeouts, (await serverTimeMs(name)) + leftMs, owner)
        await ask('RPUSH', queue, owner)
      },
      javaLeaves: async (owner: string) => {
        await ask('LREM', queue, 0, owner)
        await ask('ZREM', timeouts, owner)
      },
    }
  }
  type Spot = ReturnType<typeof spot>

  const serverTimeMs = async (name: string): Promise<number> => {
    const [seconds, micros] = (await (await ownerOf(topology, name)).command('TIME')) as [string, string]
    return Number(seconds) * 1_000 + Math.floor(Number(micros) / 1_000)
  }

  const startUser = async (): Promise<LockUser> => {
    const user = await LockUser.start({ ...topology.options(), ...settings }, 'fair')
    users.push(user)
    return user
  }

  /** Makes a caller wait; resolves when it is in the queue. */
  const lineUp = async <T>(
    { inLine }: Spot,
    ask: () => Promise<T>,
  ): Promise<{ readonly answer: Promise<T> }> => {
    const before = await inLine()
    const answer = elsewhere(ask)
    answer.catch(() => undefined)
    const isInLine = async () => (await inLine()).some((owner) => !before.includes(owner)) // others may leave meanwhile
    await eventually(isInLine, { what: 'one more in line' })
    return { answer }
  }

  it.concurrent('is served in the order of asking, whichever client and flow asks', async () => {
    const here = spot()
    const hold = await here.theirs.acquire()
    const served: number[] = []
    const visits: Promise<unknown>[] = []
    for (let index = 0; index < 18; index += 1) {
      const lock = [here.mine, here.theirs][index % 2] as RLock
      visits.push(elsewhere(() => lock.withLock(() => served.push(index))))
      await here.untilInLine(index + 1)
    }
    await hold.unlock()
    await Promise.all(visits)
    expect(served).toEqual(Array.from({ length: 18 }, (_, index) => index))
  })

  it.concurrent('lets no caller pass at the turn of another', async () => {
    const here = spot()
    const java = 'a-java-client:1'
    await here.javaWaits(java, 60_000)
    expect(await here.mine.tryLock()).toBe(false)
    expect(await here.mine.tryLock(300)).toBe(false)
    expect(await here.mine.isLocked()).toBe(false)
    expect(await here.inLine()).toEqual([java])
    await here.javaLeaves(java)
    expect(await here.mine.tryLock()).toBe(true)
    await here.mine.unlock()
  })

  it.concurrent('is not joined by those who only try', async () => {
    const here = spot()
    const hold = await here.theirs.acquire({ leaseMs: 60_000 })
    for (let round = 0; round < 3; round += 1) expect(await here.mine.tryLock()).toBe(false)
    expect(await here.inLine()).toEqual([])
    await here.ask('PEXPIRE', here.name, 1) // its lease ends
    await untilFree(here.mine)
    expect(await here.mine.tryLock()).toBe(true)
    await here.mine.unlock()
    await hold[Symbol.asyncDispose]()
  })

  it.concurrent('calls the first waiter of each process on a channel of its own', async () => {
    const here = spot()
    await here.ask('HSET', here.name, 'another-process:1', 1)
    await here.ask('PEXPIRE', here.name, 60_000)
    const waiters = [
      await lineUp(here, () => here.mine.acquire()),
      await lineUp(here, () => here.theirs.acquire()),
    ]
    const line = await here.inLine()
    const expected = line.map((owner) => `redisson_lock__channel:{${here.name}}:${owner}`)
    await eventually(async () => {
      const channels = await channelsOf(topology)
      return expected.every((channel) => channels.includes(channel))
    })
    expect(line[0]).toMatch(new RegExp(`^${clients.mine.id}:\\d+$`))
    expect(await here.theirs.forceUnlock()).toBe(true)
    for (const { answer } of waiters) await (await answer).unlock()
  })

  it.concurrent('lets its holder enter again, though others wait', async () => {
    const here = spot()
    let waiter: { readonly answer: Promise<string> } | undefined
    await here.mine.withLock(async () => {
      waiter = await lineUp(here, () => here.theirs.withLock(() => 'served'))
      await here.mine.withLock(() => undefined)
    })
    expect(await waiter?.answer).toBe('served')
  })

  if (alone) {
    it.concurrent(
      'keeps a waiter in its place longer than fairLockWaitTimeout (T-18)',
      { tags: ['timed'] },
      async () => {
        const here = spot()
        const hold = await here.theirs.acquire({ leaseMs: 60_000 })
        const served: string[] = []
        const first = await lineUp(here, () => here.mine.withLock(() => served.push('first')))
        const second = await lineUp(here, () => here.theirs.withLock(() => served.push('second')))
        const before = await here.inLine()
        await sleep(4_200) // longer than a waiter counts as alive, and four times fairLockWaitTimeout
        expect(await here.inLine()).toEqual(before)
        const startedAt = performance.now()
        await hold.unlock()
        await Promise.all([first.answer, second.answer])
        expect(performance.now() - startedAt).toBeLessThan(1_000)
        expect(served).toEqual(['first', 'second'])
      },
    )
  }

  it.concurrent('gives no waiter a time in the far future, however often others give up (T-17)', async () => {
    const here = spot()
    const hold = await here.theirs.acquire({ leaseMs: 60_000 })
    const patient = await lineUp(here, () => here.mine.acquire())
    let waitMs = 10
    const giveUp = (times: number) =>
      elsewhere(() => here.theirs.tryLock(times * waitMs)).catch((error: unknown) => {
        if (isRedissonError(error, 'REPLY_TIMEOUT')) return 'too short for a reply' as const
        throw error
      })
    try {
      for (let round = 0; round < 10;) {
        const answers = await Promise.all([1, 2, 3].map(giveUp))
        const latest = Math.max(...(await here.scores()).values())
        expect(latest).toBeLessThanOrEqual((await serverTimeMs(here.name)) + BOUND_MS)
        if (answers.includes('too short for a reply')) waitMs *= 2
        else round += 1
      }
      await here.untilInLine(1)
    } finally {
      await hold.unlock()
      await (await patient.answer).unlock()
    }
  })

  it.concurrent.each<[string, (lock: RLock) => Promise<unknown>]>([
    ['its time is over', (lock) => lock.tryLock(500)],
    ['it is aborted', (lock) => lock.lock({ signal: AbortSignal.timeout(500) })],
  ])(
    'is left by a waiter when %s, and no other place changes (T-19, S-6)',
    { tags: ['timed'] },
    async (_, giveUp) => {
      const here = spot()
      const hold = await here.theirs.acquire({ leaseMs: 60_000 })
      const served: string[] = []
      const first = await lineUp(here, () => here.mine.withLock(() => served.push('first')))
      const quitter = await lineUp(here, () => giveUp(here.mine))
      const [one, two] = await here.inLine()
      const third = await lineUp(here, () => here.theirs.withLock(() => served.push('third')))
      const before = await here.scores()
      await quitter.answer.catch(() => undefined)
      await here.untilInLine(2)
      const line = await here.inLine()
      expect(line[0]).toBe(one)
      expect(line).not.toContain(two)
      const after = await here.scores()
      for (const owner of line) expect(after.get(owner)).toBeGreaterThanOrEqual(before.get(owner) as number)
      expect([...after.keys()].toSorted()).toEqual(line.toSorted())
      await hold.unlock()
      await Promise.all([first.answer, third.answer])
      expect(served).toEqual(['first', 'third'])
    },
  )

  it.concurrent('holds only waiters that are alive, whenever waiters give up (T-19)', async () => {
    const here = spot()
    const hold = await here.theirs.acquire({ leaseMs: 60_000 })
    const hasty = Array.from({ length: 60 }, (_, index) =>
      elsewhere(() =>
        (index % 2 === 0 ? here.mine : here.theirs)
          .acquire({ signal: AbortSignal.timeout(index % 8) })
          .catch(() => undefined),
      ),
    )
    await Promise.all(hasty)
    await here.untilInLine(0)
    expect(await here.ask('EXISTS', here.timeouts)).toBe(0)
    expect(await here.ask('EXISTS', here.heartbeats)).toBe(0)
    await hold.unlock()
    expect(await here.mine.tryLock()).toBe(true)
    await here.mine.unlock()
  })

  it.concurrent('excludes, under three clients that mix waiting, trying and giving up', async () => {
    const here = spot()
    const third = await Redisson.create({ ...topology.options(), ...settings })
    const locks = [here.mine, here.theirs, third.getFairLock(here.name)]
    const resource = new LimitedResource()
    const visit = async (task: number) => {
      const lock = locks[task % 3] as RLock
      const options = [{}, { signal: AbortSignal.timeout(task % 9) }, { waitMs: task % 11 }, {}][task % 4]
      const hold = await (task % 4 === 2 ? lock.tryAcquire(options) : lock.acquire(options)).catch(
        () => undefined,
      )
      if (hold !== undefined) await resource.use(() => lock.isLocked())
      await hold?.unlock()
    }
    await Promise.all(Array.from({ length: 120 }, (_, task) => elsewhere(() => visit(task))))
    expect(resource.entries).toBeGreaterThanOrEqual(60)
    await third.shutdown()
    await here.untilInLine(0)
  })

  it.concurrent('heals by itself when list and set disagree (T-19)', async () => {
    const here = spot()
    await here.ask('RPUSH', here.queue, 'listed-only:1')
    await here.ask('ZADD', here.timeouts, (await serverTimeMs(here.name)) + 60_000, 'timed-only:1')
    expect(await here.mine.tryLock(20_000)).toBe(true)
    await here.mine.unlock()
    expect(await here.inLine()).toEqual([])
    await here.ask('DEL', here.timeouts)
  })

  it.concurrent('uses the clock of the server, and not those of clients (S-17)', async () => {
    const here = spot()
    const hold = await here.theirs.acquire()
    const before = await serverTimeMs(here.name)
    const waiter = await lineUp(here, () => here.mine.acquire())
    const [score = NaN] = (await here.scores()).values()
    const after = await serverTimeMs(here.name)
    expect(score).toBeGreaterThan(before)
    expect(score).toBeLessThanOrEqual(after + BOUND_MS)
    for (const { args } of Object.values(scripts)) expect(args).not.toContain('now')
    await hold.unlock()
    await (await waiter.answer).unlock()
  })

  it.concurrent('is not joined by the holder of a lock that refuses it', async () => {
    const here = spot()
    const lock = clients.mine.getNonReentrantFairLock(here.name)
    await clients.mine.runAsThread(async () => {
      await lock.lock()
      for (const ask of [() => lock.lock(), () => lock.tryLock(), () => lock.tryLock(100)])
        await expect(ask()).rejects.toMatchObject({ code: 'LOCK_REENTRY' })
      expect(await here.inLine()).toEqual([])
      const waiter = await lineUp(here, () => clients.other.getNonReentrantFairLock(here.name).acquire())
      expect(await lock.getHoldCount()).toBe(1)
      await lock.unlock()
      await (await waiter.answer).unlock()
    })
  })

  it.concurrent('rejects a thread that does not hold it, and an unlock of a free lock (S-7)', async () => {
    const { mine } = spot()
    await expect(mine.unlock()).rejects.toMatchObject({ code: 'NOT_HELD' })
    await expect(mine.unlock({ threadId: 7 })).rejects.toMatchObject({ code: 'NOT_HELD' })
  })

  it.concurrent('passes on the turn of a waiter that gives up just then', async () => {
    const here = spot()
    const hold = await here.theirs.acquire()
    const abort = new AbortController()
    const first = await lineUp(here, () => here.mine.acquire({ signal: abort.signal }))
    const second = await lineUp(here, () => here.theirs.withLock(() => 'served'))
    const released = hold.unlock()
    abort.abort()
    await released
    const outcome = await first.answer.catch(() => undefined)
    await outcome?.unlock()
    expect(await second.answer).toBe('served')
  })

  it.concurrent('is left by the waiters of a client that shuts down', async () => {
    const here = spot()
    const leaving = await Redisson.create({ ...topology.options(), ...settings })
    const hold = await here.theirs.acquire({ leaseMs: 60_000 })
    const lock = leaving.getFairLock(here.name)
    await lineUp(here, () => lock.acquire())
    await lineUp(here, () => lock.tryLock(60_000))
    await leaving.shutdown()
    expect(await here.inLine()).toEqual([])
    await hold.unlock()
  })

  if (alone) {
    describe('with dead waiters', () => {
      const FAR_MS = 60_000

      /** Waiters of this library who are in the queue: the first dies last. */
      const join = async (
        { ask, queue, timeouts, heartbeats, name }: Spot,
        owners: string[],
        leftMs: number,
      ) => {
        const now = await serverTimeMs(name)
        await ask('RPUSH', queue, ...owners)
        await ask('ZADD', timeouts, ...owners.flatMap((owner) => [now + FAR_MS, owner]))
        await ask('ZADD', heartbeats, ...owners.flatMap((owner, index) => [now + leftMs - index, owner]))
      }
      const owners = (count: number) => Array.from({ length: count }, (_, index) => `dead:${String(index)}`)

      it.concurrent('removes those at its head in its order, so that none is looked for', async () => {
        const here = spot()
        await join(here, owners(250), -1)
        await using monitor = await Monitor.of(topology.nodes)
        expect(await here.mine.tryLock()).toBe(true)
        const removals = (await monitor.deedsOn(here.queue)).filter(({ words }) => words[0] === 'lrem')
        expect(removals.slice(0, 250).map(({ words }) => words.at(-1))).toEqual(owners(250))
        await here.mine.unlock()
      })

      it.concurrent('removes a hundred behind a living one with each request', async () => {
        const here = spot()
        await join(here, ['alive:1'], FAR_MS)
        await join(here, owners(250), -1)
        for (const left of [151, 51, 1]) {
          expect(await here.mine.tryLock()).toBe(false)
          expect(await here.inLine()).toHaveLength(left)
        }
        expect(await here.inLine()).toEqual(['alive:1'])
        await here.ask('DEL', here.queue, here.timeouts, here.heartbeats)
      })
    })

    describe('with waiters in other processes', () => {
      it.concurrent('serves three processes in the order in which they asked', async () => {
        const here = spot()
        const three = await Promise.all([startUser(), startUser(), startUser()])
        const hold = await here.mine.acquire()
        const served: number[] = []
        const visits: Promise<unknown>[] = []
        for (const [index, user] of three.entries()) {
          visits.push(
            (async () => {
              expect(await user.call(here.name, 'tryLock', { waitMs: 15_000, threadId: 5 })).toMatchObject({
                answer: true,
              })
              served.push(index)
              await user.call(here.name, 'unlock', { threadId: 5 })
            })(),
          )
          await here.untilInLine(index + 1)
        }
        await hold.unlock()
        await Promise.all(visits)
        expect(served).toEqual([0, 1, 2])
      })

      it.concurrent(
        'skips those that were killed, several at once, within five seconds in all (T-16)',
        { tags: ['timed'] },
        async () => {
          const here = spot()
          const dead = await Promise.all([startUser(), startUser(), startUser()])
          const hold = await here.theirs.acquire({ leaseMs: 60_000 })
          for (const [index, user] of dead.entries()) {
            for (let thread = 1; thread <= 4; thread += 1)
              void user
                .call(here.name, 'tryLock', { waitMs: 60_000, threadId: thread })
                .catch(() => undefined)
            await here.untilInLine(4 * (index + 1))
          }
          const waiter = await lineUp(here, () => here.mine.acquire())
          await Promise.all(dead.map((user) => user[Symbol.asyncDispose]()))
          const startedAt = performance.now()
          await hold.unlock()
          const own = await waiter.answer
          expect(performance.now() - startedAt).toBeLessThan(BOUND_MS)
          expect(own.isHeld).toBe(true)
          expect(await here.inLine()).toEqual([])
          await own.unlock()
        },
      )

      it.concurrent('skips a dead one also behind a live one, before any turn', async () => {
        const here = spot()
        const user = await startUser()
        const hold = await here.theirs.acquire()
        const waiter = await lineUp(here, () => here.mine.acquire())
        void user.call(here.name, 'tryLock', { waitMs: 60_000 }).catch(() => undefined)
        await here.untilInLine(2)
        await user[Symbol.asyncDispose]()
        await eventually(async () => (await here.inLine()).length === 1)
        await hold.unlock()
        await (await waiter.answer).unlock()
      })
    })
  }

  describe('with waiters of Redisson for Java', () => {
    it.concurrent('keeps their place, and calls them in their turn', async () => {
      const here = spot()
      const java = 'a-java-client:57'
      const hold = await here.theirs.acquire()
      const first = await lineUp(here, () => here.mine.acquire())
      await here.javaWaits(java, 60_000)
      const last = await lineUp(here, () => here.theirs.acquire())
      await hold.unlock()
      await (await first.answer).unlock()
      expect((await here.inLine())[0]).toBe(java)
      expect(await here.mine.tryLock()).toBe(false)
      // Java takes it: it leaves the queue, and takes its time from all others.
      await here.javaLeaves(java)
      for (const owner of (await here.scores()).keys())
        await here.ask('ZINCRBY', here.timeouts, -1_000, owner)
      await here.ask('HSET', here.name, java, 1)
      await here.ask('PEXPIRE', here.name, 100)
      await (await last.answer).unlock()
    })

    if (alone) {
      it.concurrent('looks for them once for all heartbeats of a process', async () => {
        const here = spot()
        const hold = await here.theirs.acquire()
        const count = 10
        const lineUpFive = async (inLine: number) => {
          const answers = Array.from({ length: 5 }, () =>
            elsewhere(() => here.mine.withLock(() => undefined)),
          )
          await here.untilInLine(inLine)
          return answers
        }
        const before = await lineUpFive(5)
        await here.javaWaits('a-java-client:57', 60_000)
        const behind = await lineUpFive(count + 1)
        const line = await here.inLine()
        await using monitor = await Monitor.of(topology.nodes)
        const beats = async () =>
          (await monitor.deedsOn(here.heartbeats)).filter(
            ({ words }) => words[0] === 'evalsha' || words[0] === 'eval',
          )
        await eventually(async () => (await beats()).length > 0, { what: 'heartbeats' })
        const looks = (await monitor.deedsOn(here.queue)).filter(
          ({ words }) => words[0] === 'lrange' && words[2] === '0' && words[3] === '-1',
        )
        expect(looks.length).toBeLessThanOrEqual((await beats()).length)
        const scores = await here.scores()
        const [first, ...others] = line
          .filter((owner) => owner !== 'a-java-client:57')
          .map((owner) => scores.get(owner) ?? NaN)
        expect(others.map((score) => (score - (first ?? NaN) >= 1_000 ? 1 : 0))).toEqual([
          0, 0, 0, 0, 1, 1, 1, 1, 1,
        ])
        await here.javaLeaves('a-java-client:57')
        await hold.unlock()
        await Promise.all([...before, ...behind])
      })
    }

    it.concurrent('discards the first of them when its time has passed, and not before', async () => {
      const here = spot()
      const startedAt = performance.now()
      await here.javaWaits('a-java-client:57', 300)
      const hold = await here.mine.acquire()
      expect(performance.now() - startedAt).toBeGreaterThanOrEqual(299)
      await hold.unlock()
    })

    it.concurrent('takes its place anew when Java has discarded it', async () => {
      const here = spot()
      const hold = await here.theirs.acquire()
      const waiter = await lineUp(here, () => here.mine.acquire())
      const [owner = ''] = await here.inLine()
      await here.javaLeaves(owner)
      await here.untilInLine(1)
      expect(await here.inLine()).toEqual([owner])
      await hold.unlock()
      await (await waiter.answer).unlock()
    })
  })

  describe('as Redisson tests it', () => {
    it.concurrent(
      'serves eight that queue with short leases, in order, though none gives back',
      { tags: ['timed'] },
      async () => {
        const here = spot()
        const served: number[] = []
        const hold = await here.theirs.acquire()
        const waiters: Promise<unknown>[] = []
        for (let index = 0; index < 8; index += 1) {
          const visit = async () => {
            if (await here.mine.tryLock(10_000, 60)) served.push(index)
          }
          waiters.push((await lineUp(here, visit)).answer)
        }
        await hold.unlock()
        await Promise.all(waiters)
        expect(served).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
        await untilFree(here.mine)
      },
    )

    it.concurrent(
      'is clean after a failed attempt, so that the next attempt gets the lock',
      { tags: ['timed'] },
      async () => {
        const here = spot()
        const hold = await here.theirs.acquire({ leaseMs: 400 })
        expect(await here.mine.tryLock(100)).toBe(false)
        await untilFree(here.mine)
        expect(await here.mine.tryLock(0)).toBe(true)
        await here.mine.unlock()
        await hold[Symbol.asyncDispose]()
      },
    )

    it.concurrent('serves the first when the second has given up', { tags: ['timed'] }, async () => {
      const here = spot()
      const hold = await here.theirs.acquire({ leaseMs: 60_000 })
      const first = await lineUp(here, () => here.mine.acquire())
      const second = await lineUp(here, () => here.mine.tryLock(100))
      expect(await second.answer).toBe(false)
      await hold.unlock()
      await (await first.answer).unlock()
    })

    it.concurrent('is renewed for its holder while others wait', { tags: ['timed'] }, async () => {
      const here = spot(watched)
      const hold = await here.mine.acquire()
      const waiter = await lineUp(here, () => here.theirs.acquire())
      await untilRenewed(here.mine)
      await untilRenewed(here.mine)
      await hold.unlock()
      await (await waiter.answer).unlock()
    })
  })
})
