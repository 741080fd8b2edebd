import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import {
  ClientClosedError,
  PermitTimeoutError,
  Redisson,
  WrongTypeError,
  type RSemaphore,
} from '../../../src/index.js'
import { channelsOf, untilAwaited } from '../../support/channels.js'
import { eventually } from '../../support/eventually.js'
import { LimitedResource } from '../../support/limited-resource.js'
import { noLeaks } from '../../support/no-leaks.js'
import { topologies } from '../../support/topologies.js'
import { SynchronizerFixture } from '../shared/synchronizer-fixture.js'

const reason = new Error('no longer wanted')

describe.each(topologies)('a semaphore ($kind)', (topology) => {
  const bench = new SynchronizerFixture<RSemaphore>(topology, (client, name) => client.getSemaphore(name))
  noLeaks(topology)

  const left = () => bench.theirs.availablePermits()
  const remove = () => bench.mine.delete()

  describe('its permits', () => {
    it('are set once, and not again (edge 85)', async () => {
      expect(await bench.mine.trySetPermits(10)).toBe(true)
      expect(await bench.theirs.trySetPermits(15)).toBe(false)
      expect(await left()).toBe(10)
      await remove()
    })

    it('are gone when their time is over (edge 85)', { tags: ['timed'] }, async () => {
      expect(await bench.mine.trySetPermits(10, 100)).toBe(true)
      expect(await left()).toBe(10)
      await eventually(async () => (await bench.ask('EXISTS')) === 0)
      expect(await left()).toBe(0)
    })

    it('may be none at all, asked for or given back, even where nothing is set (edge 86)', async () => {
      expect(await bench.mine.tryAcquire(0)).toBe(true)
      await bench.mine.acquire(0)
      await bench.mine.release(0)
      expect(await bench.mine.releaseIfExists(0)).toBe(false)
      expect(await bench.ask('EXISTS')).toBe(0)
    })

    it('come into being when some are given back (edge 87)', async () => {
      await bench.mine.release()
      expect(await left()).toBe(1)
      await bench.mine.release()
      await bench.theirs.acquire(2)
      expect(await left()).toBe(0)
      await remove()
    })

    it('may become more than there were (edge 88)', async () => {
      await bench.mine.trySetPermits(10)
      await bench.mine.acquire(10)
      await bench.mine.addPermits(4)
      expect(await left()).toBe(4)
      await bench.mine.release(10)
      expect(await left()).toBe(14)
      await remove()
    })

    it('may become less than none (edge 89)', async () => {
      await bench.mine.trySetPermits(0)
      await bench.mine.addPermits(-5)
      expect(await left()).toBe(-5)
      expect(await bench.mine.tryAcquire()).toBe(false)
      await bench.mine.release(10)
      expect(await left()).toBe(5)
      await remove()
    })

    it('keep their end when permits are added, taken or drained', async () => {
      await bench.mine.trySetPermits(10, 60_000)
      await bench.mine.addPermits(5)
      await bench.mine.acquire(3)
      await bench.mine.release()
      await bench.mine.drainPermits()
      expect(await bench.ask('PTTL')).toBeGreaterThan(50_000)
      await remove()
    })

    it('are drained all together (edge 92)', async () => {
      expect(await bench.mine.drainPermits()).toBe(0)
      await bench.mine.trySetPermits(10)
      await bench.mine.acquire(3)
      expect(await bench.mine.drainPermits()).toBe(7)
      expect(await bench.mine.drainPermits()).toBe(0)
      await bench.mine.addPermits(-3)
      expect(await bench.mine.drainPermits()).toBe(-3)
      expect(await left()).toBe(0)
      await remove()
    })

    it('are given back to what exists, and only there if so wished (edge 93)', async () => {
      expect(await bench.mine.releaseIfExists()).toBe(false)
      await bench.mine.trySetPermits(1)
      expect(await bench.mine.releaseIfExists(2)).toBe(true)
      expect(await left()).toBe(3)
      await remove()
    })

    it('may be as many as Java counts (edge 94)', async () => {
      await bench.mine.trySetPermits(2 ** 31 - 1)
      await Promise.all([bench.mine, bench.theirs, bench.mine, bench.theirs].map((each) => each.acquire()))
      expect(await left()).toBe(2 ** 31 - 5)
      await remove()
    })

    it('are removed with the semaphore', async () => {
      expect(await bench.mine.delete()).toBe(false)
      await bench.mine.trySetPermits(3)
      expect(await bench.theirs.delete()).toBe(true)
      expect(await left()).toBe(0)
    })
  })

  describe('waiting for its permits', () => {
    it.each(['the same client', 'another client'])('ends when %s gives one back', async (whose) => {
      await bench.mine.trySetPermits(0)
      const waiting = bench.mine.acquire()
      await untilAwaited(topology, bench.mine.name)
      await (whose === 'another client' ? bench.theirs : bench.mine).release()
      await waiting
      expect(await left()).toBe(0)
      await remove()
    })

    it('ends when the semaphore is set', async () => {
      const waiting = bench.mine.acquire(2)
      await untilAwaited(topology, bench.mine.name)
      await bench.theirs.trySetPermits(3)
      await waiting
      expect(await left()).toBe(1)
      await remove()
    })

    it('goes on while others come and go, and ends when there is enough (edge 90)', async () => {
      await bench.mine.trySetPermits(1)
      const waiting = bench.mine.acquire(2)
      await untilAwaited(topology, bench.mine.name)
      let done = false
      void waiting.then(() => (done = true))
      for (let round = 0; round < 3; round += 1) {
        expect(await bench.theirs.tryAcquire()).toBe(true)
        await bench.theirs.release()
      }
      expect(done).toBe(false)
      await bench.theirs.addPermits(1)
      await waiting
      expect(await left()).toBe(0)
      await remove()
    })

    it.each([[[1, 1, 1, 1]], [[2, 2]], [[3, 1]], [[4]]])(
      'for four ends when they come as %j (T-10, edge 91)',
      async (parts) => {
        const waiting = bench.mine.tryAcquire(4, 15_000)
        await untilAwaited(topology, bench.mine.name)
        for (const part of parts) await bench.theirs.release(part)
        expect(await waiting).toBe(true)
        expect(await left()).toBe(0)
        await remove()
      },
    )

    it('of several ends for all of them when one message brings enough (T-10)', async () => {
      const waiting = [1, 2, 1, 3].map((permits) => bench.mine.acquire(permits))
      await untilAwaited(topology, bench.mine.name)
      await bench.theirs.release(7)
      await Promise.all(waiting)
      expect(await left()).toBe(0)
      await remove()
    })

    it('for many is not overtaken by those of the same process who want few', async () => {
      const order: string[] = []
      const big = bench.mine.acquire(5).then(() => order.push('big'))
      await untilAwaited(topology, bench.mine.name)
      const small = [1, 2, 3].map(() => bench.mine.acquire().then(() => order.push('small')))
      for (let each = 0; each < 8; each += 1) await bench.theirs.release()
      await Promise.all([big, ...small])
      expect(order).toEqual(['big', 'small', 'small', 'small'])
      await remove()
    })

    it.each<[string, (semaphore: RSemaphore) => Promise<boolean>, number]>([
      ['delete()', (semaphore) => semaphore.delete(), 0],
      ['isExists()', (semaphore) => semaphore.isExists(), 3],
      ['expire()', (semaphore) => semaphore.expire(600_000), 3],
    ])('lets a release of the same turn take effect before %s', async (_, call, permits) => {
      const leave = new AbortController()
      const waiting = bench.mine.acquire({ permits: 100, signal: leave.signal }).catch(() => undefined)
      await untilAwaited(topology, bench.mine.name)
      const [, there] = await Promise.all([bench.mine.release(3), call(bench.mine)])
      expect(there).toBe(true)
      expect(await left()).toBe(permits)
      leave.abort()
      await waiting
      await remove()
    })

    it('is one subscription, however many wait', async () => {
      const waiting = Array.from({ length: 50 }, () => bench.mine.acquire())
      await untilAwaited(topology, bench.mine.name)
      expect(await channelsOf(topology)).toEqual([`redisson_sc:{${bench.name}}`])
      await bench.theirs.release(50)
      await Promise.all(waiting)
      await remove()
    })

    it('lasts for its time limit, and takes nothing then', async () => {
      const startedAt = performance.now()
      expect(await bench.mine.tryAcquire(1, 150)).toBe(false)
      expect(performance.now() - startedAt).toBeGreaterThanOrEqual(149)
      await eventually(async () => (await channelsOf(topology)).length === 0)
      await bench.theirs.release()
      expect(await left()).toBe(1)
      await remove()
    })

    it('without success lets those behind go on', { tags: ['timed'] }, async () => {
      const hasty = bench.mine.tryAcquire(2, 150)
      await untilAwaited(topology, bench.mine.name)
      const patient = bench.mine.acquire()
      await bench.theirs.release()
      expect(await hasty).toBe(false)
      await patient
      expect(await left()).toBe(0)
      await remove()
    })

    it('ends with the client', async () => {
      const client = await Redisson.create(topology.options())
      const waiting = [bench.of(client).acquire(), bench.of(client).tryAcquire(2, 15_000)]
      const outcomes = Promise.allSettled(waiting)
      await untilAwaited(topology, bench.mine.name)
      await client.shutdown()
      for (const outcome of await outcomes) {
        expect(outcome.status === 'rejected' && outcome.reason).toBeInstanceOf(ClientClosedError)
      }
      await expect(bench.of(client).acquire()).rejects.toBeInstanceOf(ClientClosedError)
    })
  })

  describe('aborting a request for its permits', () => {
    it('that has not been made sends nothing', async () => {
      const signal = AbortSignal.abort(reason)
      for (const ask of [
        () => bench.mine.acquire({ signal }),
        () => bench.mine.tryAcquire({ signal, waitMs: 100 }),
        () => bench.mine.withPermit(() => undefined, { signal }),
      ]) {
        expect(await bench.refusal(ask)).toBe(reason)
      }
    })

    it.each([0, 1, 2])('of number %d in a queue of three delays no other waiter', async (quitter) => {
      const aborts = [0, 1, 2].map(() => new AbortController())
      const waiting = aborts.map(({ signal }) => bench.mine.acquire({ signal }))
      const outcomes = Promise.allSettled(waiting)
      await untilAwaited(topology, bench.mine.name)
      aborts[quitter]?.abort(reason)
      await expect(waiting[quitter]).rejects.toBe(reason)
      await bench.theirs.release(2)
      const fulfilled = (await outcomes).filter(({ status }) => status === 'fulfilled')
      expect(fulfilled.length).toBe(2)
      expect(await left()).toBe(0)
      await remove()
    })

    it('at any moment loses no permit and leaves no caller waiting', { tags: ['timed'] }, async () => {
      await bench.mine.trySetPermits(2)
      const resource = new LimitedResource(2)
      const outcomes = { taken: 0, aborted: 0 }
      const cycle = async (semaphore: RSemaphore) => {
        const signal = AbortSignal.timeout(Math.floor(Math.random() * 5))
        try {
          await semaphore.acquire({ signal })
        } catch (error) {
          expect(error).toBe(signal.reason)
          outcomes.aborted += 1
          return
        }
        outcomes.taken += 1
        await resource.use(() => sleep(1))
        await semaphore.release()
      }
      for (let round = 0; round < 60; round += 1) {
        await Promise.all([1, 2, 3, 4, 5, 6].map((each) => cycle(each % 2 === 0 ? bench.mine : bench.theirs)))
      }
      expect(outcomes.taken).toBeGreaterThan(0)
      expect(outcomes.aborted).toBeGreaterThan(0)
      await eventually(async () => (await left()) === 2)
      await remove()
    })

    it('and shutting down at once gives back what was taken meanwhile', async () => {
      await bench.mine.trySetPermits(20)
      const client = await Redisson.create(topology.options())
      const abort = new AbortController()
      const requests = Array.from({ length: 20 }, () => bench.of(client).acquire({ signal: abort.signal }))
      const outcomes = Promise.allSettled(requests)
      setImmediate(() => {
        abort.abort(reason)
      })
      const taken = (await outcomes).filter(({ status }) => status === 'fulfilled').length
      await client.shutdown()
      expect(await left()).toBe(20 - taken)
      await remove()
    })
  })

  describe('withPermit()', () => {
    it('releases what it took, with any result of the function', async () => {
      await bench.mine.trySetPermits(3)
      expect(await bench.mine.withPermit(left, { permits: 2 })).toBe(1)
      const error = new Error('of the function')
      await expect(bench.mine.withPermit(() => Promise.reject(error))).rejects.toBe(error)
      expect(await left()).toBe(3)
      await remove()
    })

    it('says so if there was no permit in time, and runs nothing', async () => {
      const ran: string[] = []
      const refused = bench.mine.withPermit(() => ran.push('ran'), { permits: 2, waitMs: 300 })
      await expect(refused).rejects.toBeInstanceOf(PermitTimeoutError)
      await expect(refused).rejects.toMatchObject({ semaphore: bench.name, permits: 2, waitMs: 300 })
      expect(ran).toEqual([])
    })

    it('lets no more in than there are permits, from whichever client (edge 94)', async () => {
      for (const limit of [1, 3]) {
        await bench.mine.trySetPermits(limit)
        const resource = new LimitedResource(limit)
        const visit = (semaphore: RSemaphore) => semaphore.withPermit(() => resource.use(() => sleep(1)))
        await Promise.all(
          Array.from({ length: 60 }, (_, index) => visit(index % 2 === 0 ? bench.mine : bench.theirs)),
        )
        expect(resource.entries).toBe(60)
        expect(await left()).toBe(limit)
        await remove()
      }
    })
  })

  it.each<[string, (semaphore: RSemaphore, inside: () => Promise<void>) => Promise<void>]>([
    [
      'acquire() and release()',
      async (semaphore, inside) => {
        await semaphore.acquire()
        await inside()
        await semaphore.release()
      },
    ],
    ['withPermit()', (semaphore, inside) => semaphore.withPermit(inside)],
  ])('leaves asynchronous contexts of the program alone: %s', async (_, section) => {
    const requests = new AsyncLocalStorage<string>()
    await bench.mine.trySetPermits(1)
    const seen: unknown[] = []
    const look = async () => {
      seen.push(requests.getStore())
      await nextTurn()
      seen.push(requests.getStore())
    }
    const flow = async () => {
      await section(bench.mine, look)
      seen.push(requests.getStore())
    }
    const names = ['first', 'second', 'third']
    await Promise.all(names.map((name) => requests.run(name, flow)))
    expect(seen.sort()).toEqual(names.flatMap((name) => [name, name, name]))
    await remove()
  })

  describe('asking it for nonsense', () => {
    type Untyped = Readonly<Record<string, (...args: readonly unknown[]) => Promise<unknown>>>

    it.each<[string, unknown[], ErrorConstructor, string]>([
      ['acquire', [-1], RangeError, 'Expected `permits` to be a whole number, 0 or more, got -1'],
      ['acquire', [1.5], RangeError, 'Expected `permits` to be a whole number, 0 or more, got 1.5'],
      ['acquire', [NaN], RangeError, 'Expected `permits` to be a whole number, 0 or more, got NaN'],
      [
        'acquire',
        ['1'],
        TypeError,
        'Expected the options to be an object or a number of permits, got a string of 1 character',
      ],
      ['acquire', [null], TypeError, 'Expected the options to be an object or a number of permits, got null'],
      ['acquire', [{ signal: {} }], TypeError, 'Expected `signal` to be an AbortSignal, got {}'],
      ['tryAcquire', [1, NaN], RangeError, 'Expected `waitMs` to be a number of milliseconds, got NaN'],
      ['tryAcquire', [-2], RangeError, 'Expected `permits` to be a whole number, 0 or more, got -2'],
      ['release', [-1], RangeError, 'Expected `permits` to be a whole number, 0 or more, got -1'],
      ['releaseIfExists', [0.5], RangeError, 'Expected `permits` to be a whole number, 0 or more, got 0.5'],
      ['trySetPermits', [-1], RangeError, 'Expected `permits` to be a whole number, 0 or more, got -1'],
      ['trySetPermits', [1, 0], RangeError, 'Expected `ttlMs` to be more than 0 milliseconds, got 0'],
      ['addPermits', [NaN], RangeError, 'Expected `permits` to be a whole number, got NaN'],
      ['withPermit', [1], TypeError, 'Expected `fn` to be a function, got 1'],
    ])('%s(…%o) is refused, and nothing is sent', async (method, args, kind, message) => {
      const semaphore = bench.mine as unknown as Untyped
      const error = await bench.refusal(() => semaphore[method]?.(...args) ?? Promise.resolve())
      expect(error).toBeInstanceOf(kind)
      expect(error.message).toBe(message)
    })

    it('a name that is none is refused', () => {
      const client = bench.clients[0] as { getSemaphore(name: unknown): RSemaphore }
      expect(() => client.getSemaphore('')).toThrow(
        new TypeError(
          'Expected `name` to be a non-empty string without lone surrogates, got an empty string',
        ),
      )
    })
  })

  describe.each<[string, [string, ...string[]], string]>([
    ['a hash', ['HSET', 'field', 'value'], 'HGETALL'],
    ['a text', ['SET', 'text'], 'GET'],
  ])('where the name belongs to %s', (_, make, look) => {
    it.each<[string, (semaphore: RSemaphore) => Promise<unknown>]>([
      ['acquire', (semaphore) => semaphore.acquire()],
      ['tryAcquire', (semaphore) => semaphore.tryAcquire(1, 15_000)],
      ['release', (semaphore) => semaphore.release()],
      ['releaseIfExists', (semaphore) => semaphore.releaseIfExists()],
      ['trySetPermits', (semaphore) => semaphore.trySetPermits(1)],
      ['addPermits', (semaphore) => semaphore.addPermits(1)],
      ['drainPermits', (semaphore) => semaphore.drainPermits()],
      ['availablePermits', (semaphore) => semaphore.availablePermits()],
      ['delete', (semaphore) => semaphore.delete()],
    ])('%s() rejects and changes nothing (T-30)', async (_name, operate) => {
      const [command, ...args] = make
      await bench.ask(command, ...args)
      const before = await bench.ask(look)
      const error: unknown = await operate(bench.mine).catch((cause: unknown) => cause)
      expect(error).toBeInstanceOf(WrongTypeError)
      expect(error).toMatchObject({ code: 'WRONG_TYPE', object: bench.name })
      expect(await bench.ask(look)).toEqual(before)
      await bench.ask('DEL')
    })
  })

  it.each(['with spaces and ünïcödé', '{tag}:name', 'name{tag}', 'x'.repeat(500)])(
    'called %s is taken, waited for and given back',
    async (name) => {
      const [mine, other] = bench.clients
      const semaphore = bench.of(mine, name)
      const waiting = semaphore.acquire()
      await untilAwaited(topology, name)
      await bench.of(other, name).release(2)
      await waiting
      expect(await semaphore.availablePermits()).toBe(1)
      await semaphore.delete()
    },
  )
})
