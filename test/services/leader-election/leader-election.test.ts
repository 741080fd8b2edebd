import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type {
  CandidateOptions,
  Leadership,
} from '../../../src/services/leader-election/leader-election.api.js'
import type { RedissonClient } from '../../../src/api/redisson-client.js'
import { Redisson } from '../../../src/client/redisson.js'
import { askOwner } from '../../support/ask-owner.js'
import { startChild } from '../../support/child.js'
import { eventually } from '../../support/eventually.js'
import { LimitedResource } from '../../support/limited-resource.js'
import { noLeaks } from '../../support/no-leaks.js'
import { cluster, single, topologies } from '../../support/topologies.js'
import { untilAborted } from '../../support/until-aborted.js'

const WATCHDOG_MS = 900
/** The lease of a leader that is not to end by itself. */
const LONG_MS = 600_000
const program = new URL('../fixtures/candidate.ts', import.meta.url)

describe.each(topologies)('an election ($kind)', (topology) => {
  const clients: RedissonClient[] = []
  /** One with leases that are soon renewed, or soon over. */
  let watched: RedissonClient
  let names = 0
  let name = ''

  noLeaks(topology, { except: /^redisson_lock_token:/ })

  const connect = (lockWatchdogTimeout = LONG_MS) =>
    Redisson.create({ ...topology.options({}), lockWatchdogTimeout })
  const election = (index: number) => (clients[index] as RedissonClient).getLeaderElection(name)
  const ask = (command: string) => askOwner(topology, `ioredisson_leader:{${name}}`, command)

  /** Competes, and leads until its signal aborts or it is let go. */
  const compete = (of: ReturnType<typeof election>, options: CandidateOptions = {}) => {
    const elected = Promise.withResolvers<Leadership>()
    const { promise: end, resolve: letGo, reject: fail } = Promise.withResolvers<undefined>()
    const outcome = of.run(async (leadership) => {
      elected.resolve(leadership)
      await Promise.race([end, untilAborted(leadership.signal)])
    }, options)
    outcome.catch(() => undefined)
    return { elected: elected.promise, letGo, fail, outcome }
  }

  const startCandidate = (leaseMs?: number) => {
    const options = JSON.stringify({
      ...topology.options({}),
      lockWatchdogTimeout: leaseMs === undefined ? WATCHDOG_MS : 60_000,
    })
    return startChild(program, { args: [options, name, leaseMs === undefined ? '' : String(leaseMs)] })
  }

  beforeAll(async () => {
    for (let each = 0; each < 3; each += 1) clients.push(await connect())
    watched = await connect(WATCHDOG_MS)
  })

  beforeEach(() => {
    name = `election-${String(names++)}`
  })

  afterAll(async () => {
    await Promise.all([...clients, watched].map((client) => client.shutdown()))
  })

  it('has one leader at a time, each with a larger token, and lets all of them lead', async () => {
    const office = new LimitedResource()
    const tokens: number[] = []
    const leaders = new Set<number>()
    const enough = new AbortController()
    const runs = clients.map((_, index) =>
      election(index).run(
        ({ token }) =>
          office.use(async () => {
            tokens.push(token)
            leaders.add(index)
            await sleep(20)
            if (tokens.length >= 12) enough.abort()
          }),
        { signal: enough.signal },
      ),
    )
    await Promise.all(runs)
    expect(office.highest).toBe(1)
    expect(tokens).toEqual(tokens.toSorted((a, b) => a - b))
    expect(new Set(tokens).size).toBe(tokens.length)
    expect(leaders.size).toBe(3)
  })

  it('knows who leads', async () => {
    expect([await election(0).getLeader(), election(0).isLeader]).toEqual([undefined, false])
    const { elected, letGo, outcome } = compete(election(0), { requeue: false })
    await elected
    expect([election(0).isLeader, election(1).isLeader]).toEqual([true, false])
    const leader = await election(1).getLeader()
    expect(leader).toMatch(new RegExp(`^${String(clients[0]?.id)}:\\d+$`))
    letGo(undefined)
    await outcome
    expect([await election(1).getLeader(), election(0).isLeader]).toEqual([undefined, false])
  })

  it(
    'goes on for as long as the leader lives, by the watchdog or with a lease of its own',
    { tags: ['timed'] },
    async () => {
      const renewed = watched.getLeaderElection(name)
      const own = (clients[1] as RedissonClient).getLeaderElection(`${name}-own`, { leaseMs: 400 })
      const stop = new AbortController()
      const [first, second] = [renewed, own].map((each) => compete(each, { signal: stop.signal }))
      const signals = [(await first?.elected)?.signal, (await second?.elected)?.signal]
      await sleep(WATCHDOG_MS * 1.5)
      expect(signals.map((signal) => signal?.aborted)).toEqual([false, false])
      expect([renewed.isLeader, own.isLeader]).toEqual([true, true])
      stop.abort()
      await Promise.all([first?.outcome, second?.outcome])
    },
  )

  it("ends with the caller's signal, for the leader and for those who wait", async () => {
    const stop = new AbortController()
    const leader = compete(election(0), { signal: stop.signal })
    const { signal } = await leader.elected
    const waiting = compete(election(1), { signal: stop.signal })
    await sleep(50)
    stop.abort(new Error('enough'))
    expect(signal.reason).toMatchObject({ message: 'enough' })
    await Promise.all([leader.outcome, waiting.outcome])
    expect(await ask('EXISTS')).toBe(0)
    await compete(election(0), { signal: stop.signal }).outcome
  })

  it('takes the error of an abort for an end', async () => {
    const stop = new AbortController()
    const outcomes = [
      election(0).run(({ signal }) => sleep(60_000, undefined, { signal }), { signal: stop.signal }),
      (clients[1] as RedissonClient).getLeaderElection(`${name}-1`).run(
        async ({ signal }) => {
          await untilAborted(signal)
          signal.throwIfAborted()
        },
        { signal: stop.signal },
      ),
    ]
    await eventually(() => election(0).isLeader)
    stop.abort(new Error('enough'))
    await Promise.all(outcomes)
  })

  it('ends with the error of the function, and leaves the leadership to others', async () => {
    const { elected, fail, outcome } = compete(election(0))
    await elected
    fail(new Error('it failed'))
    await expect(outcome).rejects.toThrow('it failed')
    expect(await ask('EXISTS')).toBe(0)
    await election(0).run(() => undefined, { requeue: false })
  })

  it('has one candidate of each client', async () => {
    const { elected, letGo, outcome } = compete(election(0), { requeue: false })
    const error = { name: 'ElectionRunningError', code: 'ELECTION_RUNNING', election: name }
    await expect(election(0).run(() => undefined)).rejects.toMatchObject(error)
    await elected
    await expect(election(0).run(() => undefined)).rejects.toMatchObject(error)
    letGo(undefined)
    await outcome
    await election(0).run(() => undefined, { requeue: false })
  })

  it(
    'has others lead after a loss, and the loser again once its function has ended',
    { tags: ['timed'] },
    async () => {
      const losing = watched.getLeaderElection(name)
      const office: string[] = []
      const stop = new AbortController()
      const slow = Promise.withResolvers<undefined>()
      let terms = 0
      const loser = losing.run(
        async ({ signal, token }) => {
          terms += 1
          office.push(`loser ${String(token)}`)
          if (terms === 1) {
            await untilAborted(signal)
            expect(signal.reason).toMatchObject({ code: 'LOCK_LOST', reason: 'not-held' })
            expect(losing.isLeader).toBe(false)
            await slow.promise
          }
          office.push('loser ends')
          if (terms === 2) stop.abort()
        },
        { signal: stop.signal },
      )
      await eventually(() => office.length === 1)
      await ask('DEL')
      await election(1).run(({ token }) => office.push(`other ${String(token)}`), { requeue: false })
      await sleep(400)
      expect(office).toEqual(['loser 1', 'other 2'])
      slow.resolve(undefined)
      await loser
      expect(office).toEqual(['loser 1', 'other 2', 'loser ends', 'loser 3', 'loser ends'])
    },
  )

  it('resolves after a loss where it is not to compete again', async () => {
    const { elected, outcome } = compete(watched.getLeaderElection(name), { requeue: false })
    await elected
    await ask('DEL')
    await outcome
  })

  it.each([{}, { drainMs: 20_000 }, { release: true }])(
    'is given up at once by a shutdown with %o',
    async (options) => {
      const client = await connect()
      const leader = compete(client.getLeaderElection(name))
      const { signal } = await leader.elected
      const next = compete(election(0), { requeue: false })
      await sleep(50)
      const ended = client.shutdown(options)
      expect(signal.reason).toMatchObject({ code: 'CLOSED' })
      await next.elected
      await Promise.all([leader.outcome, ended])
      next.letGo(undefined)
      await next.outcome
      await expect(client.getLeaderElection(name).run(() => undefined)).rejects.toMatchObject({
        code: 'CLOSED',
      })
    },
  )

  it('ends for those who wait when their client is shut down', async () => {
    const leader = compete(election(0), { requeue: false })
    await leader.elected
    const client = await connect()
    const waiting = compete(client.getLeaderElection(name))
    await sleep(50)
    await client.shutdown()
    await waiting.outcome
    leader.letGo(undefined)
    await leader.outcome
  })

  it.each([undefined, 600])(
    'has a new leader soon after the old one was killed, with a lease of %s',
    { tags: ['timed'] },
    async (leaseMs) => {
      await using child = startCandidate(leaseMs)
      const { token, leader } = await child.hear('leads')
      expect(leader).toBe(await election(0).getLeader())
      const next = compete(election(0), { requeue: false })
      await sleep((leaseMs ?? WATCHDOG_MS) * 1.5)
      expect(election(0).isLeader).toBe(false)
      await child.kill()
      const begin = performance.now()
      expect((await next.elected).token).toBeGreaterThan(Number(token))
      expect(performance.now() - begin).toBeLessThan((leaseMs ?? WATCHDOG_MS) + 500)
      next.letGo(undefined)
      await next.outcome
    },
  )

  it.each([undefined, 600])(
    'is known to be lost by a process that was frozen, with a lease of %s',
    async (leaseMs) => {
      await using child = startCandidate(leaseMs)
      const { token } = await child.hear('leads')
      const next = compete(election(0), { requeue: false })
      await sleep(50)
      child.pause()
      await next.elected
      child.resume()
      child.tell('ask')
      expect(await child.hear('answer')).toMatchObject({ aborted: true, isLeader: false })
      next.letGo(undefined)
      await next.outcome
      expect((await child.hear('leads'))['token']).toBe(Number(token) + 2)
      await child.kill()
      await ask('DEL')
    },
  )

  it('refuses a key that belongs to something else', async () => {
    await askOwner(topology, `ioredisson_leader:{${name}}`, 'SET', 'text')
    await expect(election(0).run(() => undefined)).rejects.toMatchObject({ code: 'WRONG_TYPE' })
    await expect(election(0).getLeader()).rejects.toMatchObject({ code: 'WRONG_TYPE' })
    await ask('DEL')
  })
})

describe('an election refuses', () => {
  let client: RedissonClient

  noLeaks(single)

  beforeAll(async () => {
    client = await Redisson.create(single.options({}))
  })

  afterAll(() => client.shutdown())

  it.each([1, 'no', null])('the requeue %s', async (requeue) => {
    const outcome = client.getLeaderElection('a').run(() => undefined, { requeue: requeue as never })
    await expect(outcome).rejects.toThrow(/^Expected `requeue` to be true or false, got /)
  })

  it('a lease that is no number', () => {
    expect(() => client.getLeaderElection('a', { leaseMs: '1' as never })).toThrow(
      /^Expected `leaseMs` to be /,
    )
  })

  it('names that a cluster cannot serve', async () => {
    await using clustered = await Redisson.create(cluster.options({}))
    expect(() => clustered.getLeaderElection('a{b')).toThrow(/hash tag/)
  })
})
