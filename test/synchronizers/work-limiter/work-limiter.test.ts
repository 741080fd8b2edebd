import { beforeEach, describe, expect, it } from 'vitest'
import {
  ClientClosedError,
  Redisson,
  WorkLostError,
  WorkQueueFullError,
  WorkTimeoutError,
  WrongTypeError,
  type RedissonClient,
  type RWorkLimiter,
  type Work,
  type WorkLimiterSettings,
  type WorkOptions,
} from '../../../src/index.js'
import { askOwner } from '../../support/ask-owner.js'
import { twoClients } from '../../support/clients.js'
import { eventually } from '../../support/eventually.js'
import { noLeaks } from '../../support/no-leaks.js'
import { topologies } from '../../support/topologies.js'
import { untilAborted } from '../../support/until-aborted.js'
import { Gate } from './gate.js'

const HOUR_MS = 3_600_000

const reason = new Error('no longer wanted')

describe.each(topologies)('a work limiter ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)
  let tests = 0
  let name = ''
  let gate: Gate

  beforeEach(() => {
    tests += 1
    name = `work-${String(tests)}`
    gate = new Gate()
  })

  const of = (client: RedissonClient, settings: Partial<WorkLimiterSettings> = {}): RWorkLimiter =>
    client.getWorkLimiter(name, { concurrency: 1, ...settings })
  const begin = (limiter: RWorkLimiter, task: string, options?: WorkOptions) =>
    limiter.run(gate.task(task), options)
  const begun = (...tasks: readonly string[]) =>
    eventually(() => {
      expect(gate.begun).toEqual(tasks)
    })
  const counted = (limiter: RWorkLimiter, running: number, waitingProcesses: number) =>
    eventually(async () => {
      expect(await limiter.counts()).toMatchObject({ running, waitingProcesses })
    })
  /** That a function waits, which Redis knows. */
  const waits = (limiter: RWorkLimiter, queued: number) =>
    eventually(async () => {
      const counts = await limiter.counts()
      expect(counts.queued).toBe(queued)
      expect(counts.waitingProcesses).toBeGreaterThan(0)
    })
  const isFree = async (limiter: RWorkLimiter) => {
    expect(await limiter.counts()).toEqual({ running: 0, waitingProcesses: 0, queued: 0 })
    await limiter.reset()
  }

  it('runs a function, returns what it returns, and leaves nothing', async () => {
    const limiter = of(clients.mine)
    const result = await limiter.run(async ({ signal }) => {
      expect(signal.aborted).toBe(false)
      expect(await limiter.counts()).toEqual({ running: 1, waitingProcesses: 0, queued: 0 })
      return 7
    })
    expect(result).toBe(7)
    await isFree(limiter)
  })

  it('gives the place back of a function that throws', async () => {
    const limiter = of(clients.mine)
    await expect(limiter.run(() => Promise.reject(reason))).rejects.toBe(reason)
    await expect(
      limiter.run(() => {
        throw reason
      }),
    ).rejects.toBe(reason)
    await isFree(limiter)
  })

  it('begins no more functions than there are places, of all clients, and then the next ones', async () => {
    const [mine, other] = [of(clients.mine, { concurrency: 2 }), of(clients.other, { concurrency: 2 })]
    const first = [begin(mine, 'a'), begin(mine, 'b')]
    await eventually(() => gate.begun.length === 2)
    const more = [begin(mine, 'c'), begin(other, 'd')]
    await waits(mine, 1)
    await waits(other, 1)
    expect(gate.running).toBe(2)
    gate.let('a')
    await eventually(() => gate.begun.length === 3)
    gate.let('b')
    await eventually(() => gate.begun.length === 4)
    gate.letAll()
    expect(await Promise.all([...first, ...more])).toEqual(['a', 'b', 'c', 'd'])
    expect(gate.most).toBe(2)
    await isFree(mine)
  })

  it('begins those of a higher priority first, and those of the same in the order of the calls', async () => {
    const limiter = of(clients.mine)
    const calls = [begin(limiter, 'first')]
    await begun('first')
    for (const [task, priority] of [
      ['a', 0],
      ['low', -1],
      ['b', 0],
      ['high', 5],
      ['c', 0],
    ] as const)
      calls.push(begin(limiter, task, { priority }))
    await waits(limiter, 5)
    const order = ['first', 'high', 'a', 'b', 'c', 'low']
    for (const [index, task] of order.entries()) {
      await begun(...order.slice(0, index + 1))
      gate.let(task)
    }
    await Promise.all(calls)
    await isFree(limiter)
  })

  it('begins those of a higher priority first among clients', async () => {
    const calls = [begin(of(clients.mine), 'first')]
    await begun('first')
    calls.push(begin(of(clients.mine), 'mine'))
    await counted(of(clients.mine), 1, 1)
    calls.push(begin(of(clients.other), 'urgent', { priority: 1 }))
    await counted(of(clients.mine), 1, 2)
    const order = ['first', 'urgent', 'mine']
    for (const [index, task] of order.entries()) {
      await begun(...order.slice(0, index + 1))
      gate.let(task)
    }
    await Promise.all(calls)
    await isFree(of(clients.mine))
  })

  it('lets clients take turns, however many functions wait in each', async () => {
    const [mine, other] = [of(clients.mine), of(clients.other)]
    const calls = [begin(mine, 'first')]
    await begun('first')
    calls.push(...['a', 'b', 'c'].map((task) => begin(mine, task)))
    await counted(mine, 1, 1)
    calls.push(...['x', 'y'].map((task) => begin(other, task)))
    await counted(mine, 1, 2)
    for (let each = 1; each <= 6; each += 1) {
      await eventually(() => gate.begun.length === each)
      await counted(mine, 1, each < 5 ? 2 : 6 - each)
      gate.letAll()
    }
    await Promise.all(calls)
    expect(gate.begun).toEqual(['first', 'a', 'x', 'b', 'y', 'c'])
    await isFree(mine)
  })

  it('takes as many places as a weight says, and lets none pass it', async () => {
    const limiter = of(clients.mine, { concurrency: 3 })
    const calls = [begin(limiter, 'a'), begin(limiter, 'b')]
    await begun('a', 'b')
    calls.push(begin(limiter, 'heavy', { weight: 3 }))
    await waits(limiter, 1)
    calls.push(begin(limiter, 'light'))
    calls.push(begin(of(clients.other, { concurrency: 3 }), 'light too'))
    await counted(limiter, 2, 2)
    gate.let('a')
    await counted(limiter, 1, 2)
    gate.let('b')
    await begun('a', 'b', 'heavy')
    expect((await limiter.counts()).running).toBe(3)
    gate.let('heavy')
    await eventually(() => gate.begun.length === 5)
    gate.letAll()
    await Promise.all(calls)
    await isFree(limiter)
  })

  it('refuses what could never begin, and settings and options that are none', async () => {
    const rate = { limit: 5, perMs: 1000, burst: 2 }
    const wide = { limit: 9, perMs: 60_000 }
    const refusal = (settings: object, weight: number) =>
      of(clients.mine, { concurrency: 3, ...settings })
        .run(() => 1, { weight })
        .catch(String)
    expect(await refusal({ rate: wide }, 4)).toBe(
      'RangeError: Expected `weight` to be at most 3, the concurrency, got 4',
    )
    expect(await refusal({ rate: [wide, rate] }, 4)).toBe(
      'RangeError: Expected `weight` to be at most 2, the burst of the limit of 5 in 1000 ms, got 4',
    )
    for (const concurrency of [0, -1, 0.5, 100_001, NaN, '1', undefined])
      expect(() => of(clients.mine, { concurrency: concurrency as number })).toThrow(RangeError)
    expect(() => of(clients.mine, { maxQueued: 0 })).toThrow(RangeError)
    expect(() => of(clients.mine, { rate: [] })).toThrow(
      new RangeError('Expected `rate` to have at least one limit, got none'),
    )
    expect(() => of(clients.mine, { rate: new Array<typeof rate>(2) })).toThrow(
      new TypeError('Expected each of `rate` to be an object, got undefined'),
    )
    expect(() => of(clients.mine, { rate: [rate, rate] })).toThrow(
      /^Expected `rate` to have one limit for each interval/,
    )
    const limiter = of(clients.mine)
    for (const options of [{ weight: 0 }, { priority: 1001 }, { priority: 0.5 }, { waitMs: '1' }])
      await expect(limiter.run(() => 1, options as never)).rejects.toThrow(RangeError)
    await expect(limiter.run(() => 1, { concurrency: 1 } as never)).rejects.toThrow(/getWorkLimiter/)
    await expect(limiter.run(1 as never)).rejects.toThrow(TypeError)
    expect(() => limiter.wrap(1 as never)).toThrow(TypeError)
  })

  it('begins as many as the rate allows, and uses no cell for those that wait', async () => {
    const limiter = of(clients.mine, { concurrency: 9, rate: { limit: 1, perMs: HOUR_MS, burst: 2 } })
    await limiter.run(() => 1)
    const calls = [begin(limiter, 'a')]
    await begun('a')
    const controller = new AbortController()
    const waiting = begin(limiter, 'b', { signal: controller.signal })
    await waits(limiter, 1)
    expect((await limiter.counts()).running).toBe(1)
    await expect(
      of(clients.other, { concurrency: 9, rate: { limit: 1, perMs: HOUR_MS, burst: 2 } }).run(() => 1, {
        waitMs: 0,
      }),
    ).rejects.toThrow(WorkTimeoutError)
    controller.abort(reason)
    await expect(waiting).rejects.toBe(reason)
    gate.let('a')
    await Promise.all(calls)
    await counted(limiter, 0, 0)
    expect(await limiter.reset()).toBe(true)
    expect(await limiter.reset()).toBe(false)
  })

  it('lets the first begin when its rate is reset', async () => {
    const limiter = of(clients.mine, {
      rate: [
        { limit: 1, perMs: HOUR_MS },
        { limit: 2, perMs: 2 * HOUR_MS },
      ],
    })
    await limiter.run(() => 1)
    const waiting = limiter.run(() => 2)
    await waits(limiter, 1)
    await of(clients.other).reset()
    expect(await waiting).toBe(2)
    await limiter.reset()
  })

  it('begins the next when the rate allows it, by a timer', { tags: ['timed'] }, async () => {
    const limiter = of(clients.mine, { concurrency: 5, rate: { limit: 20, perMs: 1000, burst: 1 } })
    const began = performance.now()
    await Promise.all([1, 2, 3].map(() => limiter.run(() => 1)))
    await of(clients.other, { concurrency: 5, rate: { limit: 20, perMs: 1000, burst: 1 } }).run(() => 1)
    expect(performance.now() - began).toBeGreaterThanOrEqual(3 * 50 - 2)
    expect(performance.now() - began).toBeLessThan(1000)
    await limiter.reset()
  })

  it('gives back what is reserved for one that gives up before its time', { tags: ['timed'] }, async () => {
    const settings = { concurrency: 5, rate: { limit: 1, perMs: 200, burst: 1 } }
    const limiter = of(clients.mine, settings)
    await limiter.run(() => 1)
    const controller = new AbortController()
    const waiting = [begin(limiter, 'a', { signal: controller.signal }), begin(limiter, 'b', { waitMs: 100 })]
    const outcomes = Promise.allSettled(waiting)
    await eventually(async () => {
      expect((await of(clients.other, settings).counts()).running).toBe(1)
    })
    controller.abort(reason)
    expect(await outcomes).toMatchObject([{ reason }, { reason: { code: 'WORK_TIMEOUT' } }])
    expect(gate.begun).toEqual([])
    await counted(limiter, 0, 0)
    await limiter.reset()
  })

  it('does not begin what waits too long, and leaves nothing of it', async () => {
    const limiter = of(clients.mine)
    const first = begin(limiter, 'first')
    await begun('first')
    await expect(limiter.run(() => 1, { waitMs: 30 })).rejects.toMatchObject({
      code: 'WORK_TIMEOUT',
      limiter: name,
      waitMs: 30,
    })
    for (const waitMs of [0, -1]) {
      await expect(limiter.run(() => 1, { waitMs })).rejects.toThrow(WorkTimeoutError)
      await expect(of(clients.other).run(() => 1, { waitMs })).rejects.toThrow(WorkTimeoutError)
    }
    await counted(limiter, 1, 0)
    gate.let('first')
    await first
    expect(await limiter.run(() => 1, { waitMs: 0 })).toBe(1)
    await isFree(limiter)
  })

  it('lets none that does not wait pass those that do', async () => {
    const limiter = of(clients.mine, { concurrency: 2 })
    const first = begin(limiter, 'first')
    await begun('first')
    const heavy = begin(limiter, 'heavy', { weight: 2 })
    await waits(limiter, 1)
    await expect(limiter.run(() => 1, { waitMs: 0 })).rejects.toThrow(WorkTimeoutError)
    await expect(of(clients.other, { concurrency: 2 }).run(() => 1, { waitMs: 0 })).rejects.toThrow(
      WorkTimeoutError,
    )
    gate.let('first')
    await begun('first', 'heavy')
    gate.letAll()
    await Promise.all([first, heavy])
    await isFree(limiter)
  })

  it('lets one that does not wait pass those of a lower priority in its client', async () => {
    const limiter = of(clients.mine, { concurrency: 2 })
    const first = begin(limiter, 'first')
    await begun('first')
    const heavy = begin(limiter, 'heavy', { weight: 2 })
    await waits(limiter, 1)
    for (const priority of [-1, 0])
      await expect(limiter.run(() => 1, { waitMs: 0, priority })).rejects.toThrow(WorkTimeoutError)
    expect(await limiter.run(() => 1, { waitMs: 0, priority: 1 })).toBe(1)
    gate.let('first')
    await begun('first', 'heavy')
    gate.let('heavy')
    await Promise.all([first, heavy])
    await isFree(limiter)
  })

  it('leaves nothing of a function whose signal aborts while it waits', async () => {
    const limiter = of(clients.mine)
    const first = begin(limiter, 'first')
    await begun('first')
    const controllers = [0, 1, 2].map(() => new AbortController())
    const waiting = controllers.map(({ signal }) => limiter.run(() => 1, { signal }))
    const outcomes = Promise.allSettled(waiting)
    await waits(limiter, 3)
    for (const controller of controllers) controller.abort(reason)
    expect((await outcomes).every((each) => each.status === 'rejected' && each.reason === reason)).toBe(true)
    await counted(limiter, 1, 0)
    await expect(limiter.run(() => 1, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    gate.let('first')
    await first
    await isFree(limiter)
  })

  it('lets the next client begin when the first one leaves', async () => {
    const [mine, other] = [of(clients.mine, { concurrency: 2 }), of(clients.other, { concurrency: 2 })]
    const first = begin(mine, 'first')
    await begun('first')
    const controller = new AbortController()
    const heavy = begin(mine, 'heavy', { weight: 2, signal: controller.signal })
    await counted(mine, 1, 1)
    const next = begin(other, 'next')
    await counted(mine, 1, 2)
    controller.abort(reason)
    await expect(heavy).rejects.toBe(reason)
    await begun('first', 'next')
    gate.letAll()
    await Promise.all([first, next])
    await isFree(mine)
  })

  it('aborts the signal of a running function with that of its caller', async () => {
    const limiter = of(clients.mine)
    const controller = new AbortController()
    const running = limiter.run(
      async ({ signal }) => {
        controller.abort(reason)
        await untilAborted(signal)
        return signal.reason as unknown
      },
      { signal: controller.signal },
    )
    expect(await running).toBe(reason)
    await isFree(limiter)
  })

  it('refuses more than may wait', async () => {
    const limiter = of(clients.mine, { maxQueued: 2 })
    const calls = [begin(limiter, 'first')]
    await begun('first')
    calls.push(begin(limiter, 'a'), begin(limiter, 'b'))
    const full = limiter.run(() => 1)
    await expect(full).rejects.toThrow(WorkQueueFullError)
    await expect(full).rejects.toMatchObject({ code: 'WORK_QUEUE_FULL', limiter: name, maxQueued: 2 })
    for (const task of ['first', 'a', 'b']) {
      await eventually(() => gate.begun.includes(task))
      gate.let(task)
    }
    await Promise.all(calls)
    await isFree(limiter)
  })

  it('wraps a function', async () => {
    const limiter = of(clients.mine)
    const sum = limiter.wrap(({ signal }: Work, one: number, other: number) => {
      expect(signal).toBeInstanceOf(AbortSignal)
      return one + other
    })
    expect(await Promise.all([sum(1, 2), sum(3, 4)])).toEqual([3, 7])
    await isFree(limiter)
  })

  it('keeps its places when a shorter lease would have ended, and gives them back at a shutdown', async () => {
    const leaving = await Redisson.create({ ...topology.options(), lockWatchdogTimeout: 300 })
    const limiter = of(leaving, { concurrency: 2 })
    const { promise: signalled, resolve: haveSignal } = Promise.withResolvers<AbortSignal>()
    const ended = limiter.run(
      async ({ signal }) => {
        haveSignal(signal)
        await untilAborted(signal)
        return signal.reason as unknown
      },
      { weight: 2 },
    )
    const signal = await signalled
    const key = `ioredisson_work:{${name}}`
    const leases = async () => String(await askOwner(topology, key, 'ZRANGE', 0, -1, 'WITHSCORES'))
    const before = await leases()
    await eventually(async () => (await leases()) !== before)
    expect(signal.aborted).toBe(false)
    const waiting = expect(limiter.run(() => 1)).rejects.toThrow(ClientClosedError)
    await waits(limiter, 1)
    await leaving.shutdown({ release: true })
    await waiting
    expect(await ended).toMatchObject({ code: 'WORK_LOST', limiter: name, reason: 'closed' })
    expect(await ended).toBeInstanceOf(WorkLostError)
    await isFree(of(clients.mine))
  })

  it('waits for running functions at a shutdown that has time', async () => {
    const leaving = await Redisson.create(topology.options())
    const running = begin(of(leaving), 'a')
    await begun('a')
    const closed = leaving.shutdown({ drainMs: 30_000 })
    gate.let('a')
    expect(await running).toBe('a')
    await closed
    await isFree(of(clients.mine))
  })

  it('aborts the signal when Redis says that the place is gone', async () => {
    const brief = await Redisson.create({ ...topology.options(), lockWatchdogTimeout: 300 })
    const result = await of(brief).run(async ({ signal }) => {
      const key = `ioredisson_work:{${name}}`
      await askOwner(topology, key, 'DEL')
      await untilAborted(signal)
      return signal.reason as unknown
    })
    expect(result).toMatchObject({ code: 'WORK_LOST', reason: 'not-held' })
    await brief.shutdown()
    await isFree(of(clients.mine))
  })

  it('refuses keys that belong to something else', async () => {
    const limiter = of(clients.mine, { rate: { limit: 1, perMs: 1 } })
    for (const kind of ['work', 'work_rate', 'work_waiting']) {
      const key = `ioredisson_${kind}:{${name}}`
      await askOwner(topology, key, 'HSET', 'field', 'value')
      await expect(limiter.run(() => 1)).rejects.toThrow(WrongTypeError)
      await askOwner(topology, key, 'DEL')
    }
  })

  it('shows its name, and nothing of the client', () => {
    expect(JSON.stringify(of(clients.mine))).toBe(JSON.stringify({ name }))
  })
})
