import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import {
  ClientClosedError,
  RateNotSetError,
  RateTooLowError,
  Redisson,
  type RateLimiterSettings,
  type RRateLimiter,
} from '../../../src/index.js'
import { askOwner, ownerOf } from '../../support/ask-owner.js'
import { eventually } from '../../support/eventually.js'
import { Monitor } from '../../support/monitor.js'
import { noLeaks } from '../../support/no-leaks.js'
import { topologies } from '../../support/topologies.js'
import { SynchronizerFixture } from '../shared/synchronizer-fixture.js'

const reason = new Error('no longer wanted')

describe.each(topologies)('a rate limiter with a rate of its own ($kind)', (topology) => {
  noLeaks(topology)
  const rate = { rate: 2, intervalMs: 60_000, keepAliveMs: 600_000 }

  it('sets it with the first request, in one round trip, and leaves no key that stays', async () => {
    await using client = await Redisson.create(topology.options())
    const name = `brought-${topology.kind}`
    const limiter = client.getRateLimiter(name, rate)
    await client.getRateLimiter(`${name}-before`, rate).tryAcquire() // the script is known now
    await using monitor = await Monitor.of([await ownerOf(topology, name)]) // replicas see its writes as those of a client
    expect(await limiter.attempt()).toEqual({ allowed: true, remaining: 1, retryAfterMs: 0 })
    const requests = (await monitor.deeds()).filter(
      ({ by, words }) => by === 'client' && words.includes(name),
    )
    expect(requests).toHaveLength(1)
    expect(await limiter.getConfig()).toEqual({ mode: 'OVERALL', ...rate })
    for (const key of [name, `{${name}}:value`, `{${name}}:permits`])
      expect(Number(await askOwner(topology, key, 'PTTL'))).toBeGreaterThan(60_000)
    expect([await limiter.tryAcquire(), await limiter.tryAcquire()]).toEqual([true, false])
    await limiter.delete()
    await client.getRateLimiter(`${name}-before`).delete()
  })

  it('leaves another rate that is there, and forgets nothing that was granted', async () => {
    await using client = await Redisson.create(topology.options())
    const name = `brought-later-${topology.kind}`
    await client.getRateLimiter(name).trySetRate('OVERALL', 1, 60_000)
    const limiter = client.getRateLimiter(name, rate)
    expect([await limiter.tryAcquire(), await limiter.tryAcquire()]).toEqual([true, false])
    expect(await limiter.getConfig()).toEqual({
      mode: 'OVERALL',
      rate: 1,
      intervalMs: 60_000,
      keepAliveMs: 0,
    })
    await limiter.delete()
  })

  it('is set by requests for permits alone, and by none that asks for more', async () => {
    await using client = await Redisson.create(topology.options())
    const name = `brought-not-${topology.kind}`
    const limiter = client.getRateLimiter(name, { ...rate, mode: 'PER_CLIENT' })
    await expect(limiter.availablePermits()).rejects.toThrow(RateNotSetError)
    await expect(limiter.tryAcquire(3)).rejects.toThrow(RateTooLowError)
    expect(await limiter.isExists()).toBe(false)
    await client.getBucket(name).set('else')
    await expect(limiter.tryAcquire()).rejects.toThrow(/another kind/)
    await client.getBucket(name).delete()
  })

  it.each([
    [{ rate: 1 }, 'intervalMs'],
    [{ intervalMs: 1 }, 'rate'],
    [{ rate: 0, intervalMs: 1 }, 'rate'],
    [{ rate: 1, intervalMs: 1000, keepAliveMs: 999 }, 'keepAliveMs'],
    [{ rate: 1, intervalMs: 1, mode: 'ALL' }, 'mode'],
    [{ rates: 1 }, 'rates'],
  ])('is refused at once when it is %j', async (settings, word) => {
    await using client = await Redisson.create(topology.options({ timeout: 5000 }))
    expect(() => client.getRateLimiter('any', settings as RateLimiterSettings)).toThrow(word)
  })
})

describe.each(topologies)('a rate limiter ($kind)', (topology) => {
  const bench = new SynchronizerFixture<RRateLimiter>(topology, (client, name) => client.getRateLimiter(name))
  noLeaks(topology)

  const remove = async () => {
    await bench.mine.delete()
    await bench.theirs.delete()
    const rest = ['value', 'permits'].flatMap((kind) =>
      bench.clients.map(({ id }) => `{${bench.name}}:${kind}:${id}`),
    )
    for (const key of rest) await askOwner(topology, key, 'DEL') // deleting one client's limiter leaves that of others
  }
  const take = (limiter: RRateLimiter, times: number) =>
    Promise.all(Array.from({ length: times }, () => limiter.tryAcquire()))
  const granted = (answers: readonly boolean[]) => answers.filter((answer) => answer).length

  describe('its rate', () => {
    it(
      'is set once, and grants so much per interval, again and again (edge 115)',
      { tags: ['timed'] },
      async () => {
        expect(await bench.mine.trySetRate('OVERALL', 10, 250)).toBe(true)
        expect(await bench.theirs.trySetRate('OVERALL', 20, 250)).toBe(false)
        for (let round = 0; round < 3; round += 1) {
          expect(granted([...(await take(bench.mine, 10)), ...(await take(bench.theirs, 10))])).toBe(10)
          await eventually(async () => (await bench.mine.availablePermits()) === 10)
        }
        await remove()
      },
    )

    it('is returned', async () => {
      expect(await bench.mine.getConfig()).toBeUndefined()
      await bench.mine.trySetRate('PER_CLIENT', 3, 60_000, 120_000)
      expect(await bench.theirs.getConfig()).toEqual({
        mode: 'PER_CLIENT',
        rate: 3,
        intervalMs: 60_000,
        keepAliveMs: 120_000,
      })
      await remove()
    })

    it('is missed where it was never set', async () => {
      const calls = [
        () => bench.mine.acquire(),
        () => bench.mine.tryAcquire(),
        () => bench.mine.tryAcquire(1, 10_000),
        () => bench.mine.attempt(),
        () => bench.mine.release(),
        () => bench.mine.availablePermits(),
      ]
      for (const call of calls) {
        await expect(call()).rejects.toBeInstanceOf(RateNotSetError)
        await expect(call()).rejects.toMatchObject({ code: 'RATE_NOT_SET', limiter: bench.name })
      }
      expect(await bench.mine.delete()).toBe(false)
    })

    it('is the most that can be asked for (edge 116)', async () => {
      await bench.mine.trySetRate('OVERALL', 1, 60_000)
      await expect(bench.mine.tryAcquire(20)).rejects.toBeInstanceOf(RateTooLowError)
      await expect(bench.mine.acquire(20)).rejects.toMatchObject({
        code: 'RATE_TOO_LOW',
        permits: 20,
        rate: 1,
        intervalMs: 60_000,
        message: `Rate limiter ${bench.mine.name} never grants 20 permits at once: its rate is 1 in 60000 ms`,
      })
      expect(await bench.mine.tryAcquire()).toBe(true)
      await remove()
    })

    it('for all is shared by all; for each client it is each one’s own', async () => {
      await bench.mine.trySetRate('OVERALL', 3, 60_000)
      expect([granted(await take(bench.mine, 3)), granted(await take(bench.theirs, 3))]).toEqual([3, 0])
      await bench.mine.setRate('PER_CLIENT', 3, 60_000)
      expect([granted(await take(bench.mine, 5)), granted(await take(bench.theirs, 5))]).toEqual([3, 3])
      expect(await bench.theirs.availablePermits()).toBe(0)
      await remove()
    })

    it('is exact when two clients take at once', async () => {
      await bench.mine.trySetRate('OVERALL', 50, 60_000)
      const answers = await Promise.all([take(bench.mine, 60), take(bench.theirs, 60)])
      expect(granted(answers.flat())).toBe(50)
      await remove()
    })

    it('begins anew when it is set, unless its state is kept (edge 120)', async () => {
      expect(await bench.mine.updateRate('OVERALL', 5, 60_000)).toBe(false)
      expect(await bench.ask('EXISTS')).toBe(0)
      await bench.mine.setRate('OVERALL', 5, 60_000)
      await bench.mine.acquire(4)
      await bench.mine.setRate('OVERALL', 10, 60_000)
      expect(await bench.mine.availablePermits()).toBe(10)
      await bench.mine.acquire(4)
      expect(await bench.mine.updateRate('OVERALL', 6, 60_000, { keepState: true })).toBe(true)
      expect(await bench.mine.availablePermits()).toBe(2)
      await bench.mine.setRate('OVERALL', 3, 60_000, { keepState: true })
      expect(await bench.mine.availablePermits()).toBe(0)
      await bench.mine.setRate('PER_CLIENT', 3, 60_000, { keepState: true })
      expect(await bench.mine.availablePermits()).toBe(3)
      await remove()
    })
  })

  describe('its window', () => {
    it('slides with every grant (edge 117)', { tags: ['timed'] }, async () => {
      await bench.mine.trySetRate('OVERALL', 2, 500)
      expect(await bench.mine.tryAcquire()).toBe(true)
      await sleep(350)
      expect(await bench.mine.tryAcquire()).toBe(true)
      expect(await bench.mine.tryAcquire()).toBe(false)
      await sleep(160)
      expect([await bench.mine.tryAcquire(), await bench.mine.tryAcquire()]).toEqual([true, false])
      await remove()
    })

    it('uses the server’s clock, and not that of this machine (S-17)', async () => {
      await bench.mine.trySetRate('OVERALL', 1, 60_000)
      expect(await bench.mine.tryAcquire()).toBe(true)
      const now = Date.now.bind(Date)
      Date.now = () => now() + 3_600_000
      try {
        expect(await bench.mine.tryAcquire()).toBe(false)
      } finally {
        Date.now = now
      }
      await remove()
    })

    it('has as much again as is given back, and no more (edge 120)', async () => {
      await bench.mine.trySetRate('OVERALL', 5, 60_000)
      await bench.mine.acquire(4)
      await bench.theirs.release(2)
      expect(await bench.mine.availablePermits()).toBe(3)
      await bench.theirs.release(20)
      expect(await bench.mine.availablePermits()).toBe(5)
      await remove()
    })
  })

  describe('what is left', () => {
    const grants = () => `{${bench.name}}:permits`
    const value = () => `{${bench.name}}:value`

    it('is the new rate less what was granted, for every client, when one of them changes it', async () => {
      await bench.mine.trySetRate('PER_CLIENT', 2, 60_000)
      expect([granted(await take(bench.mine, 3)), granted(await take(bench.theirs, 3))]).toEqual([2, 2])
      await bench.mine.setRate('PER_CLIENT', 20, 60_000)
      expect(granted(await take(bench.theirs, 25))).toBe(18)
      await bench.mine.updateRate('PER_CLIENT', 25, 60_000, { keepState: true })
      expect(granted(await take(bench.theirs, 25))).toBe(5)
      await bench.mine.updateRate('PER_CLIENT', 22, 60_000, { keepState: true })
      expect(await bench.theirs.availablePermits()).toBe(0)
      await bench.theirs.release(4) // 21 of 22 are in use
      expect(await bench.theirs.availablePermits()).toBe(1)
      await remove()
    })

    it('keeps up with a rate that is lowered below what was granted', async () => {
      await bench.mine.trySetRate('OVERALL', 10, 60_000)
      await bench.mine.acquire(5)
      await bench.mine.acquire(3)
      await bench.mine.setRate('OVERALL', 4, 60_000, { keepState: true })
      expect(await bench.mine.attempt()).toMatchObject({ allowed: false, remaining: 0 })
      await bench.mine.release(3) // five are in use, which is more than four
      expect(await bench.mine.attempt()).toMatchObject({ allowed: false, remaining: 0 })
      await bench.mine.release(2)
      expect(await bench.mine.attempt()).toMatchObject({ allowed: true, remaining: 0 })
      await remove()
    })

    it('is right when the server has evicted the grants, the number, or both', async () => {
      for (const evict of [[grants()], [value()], [grants(), value()]]) {
        await bench.mine.setRate('OVERALL', 5, 60_000)
        expect(granted(await take(bench.mine, 7))).toBe(5)
        for (const key of evict) await askOwner(topology, key, 'UNLINK')
        const left = evict.includes(grants()) ? 5 : 0
        expect(await bench.theirs.availablePermits()).toBe(left)
        expect(granted(await take(bench.theirs, 7))).toBe(left)
      }
      await remove()
    })

    it('is right when others have been granted something since the grants were evicted', async () => {
      await bench.mine.trySetRate('OVERALL', 5, 60_000)
      await take(bench.mine, 3)
      await askOwner(topology, grants(), 'UNLINK')
      await askOwner(topology, value(), 'DECRBY', 1) // as a client in Java does
      await askOwner(topology, grants(), 'ZADD', Date.now(), '\x10sixteen bytes !!\x01\0\0\0')
      expect(granted(await take(bench.mine, 7))).toBe(4)
      await remove()
    })

    const putClockBack = async (ms: number) => {
      const members = `for _, grant in ipairs(redis.call('zrangebyscore', KEYS[1], 0, '(+inf')) do
        redis.call('zincrby', KEYS[1], ARGV[1], grant)
      end`
      const owner = await ownerOf(topology, grants())
      await owner.command('EVAL', members, 1, grants(), ms)
    }

    it('is there again when the server’s clock was put back by far', async () => {
      await bench.mine.trySetRate('OVERALL', 5, 60_000)
      await take(bench.mine, 5)
      await putClockBack(3_600_000)
      expect(granted(await take(bench.theirs, 7))).toBe(5)
      await remove()
    })

    it(
      'is not held up for longer than an interval when the server’s clock was put back',
      { tags: ['timed'] },
      async () => {
        await bench.mine.trySetRate('OVERALL', 5, 1_000)
        await take(bench.mine, 5)
        await putClockBack(30_000)
        const refusal = await bench.mine.attempt()
        expect(refusal.allowed).toBe(false)
        expect(refusal.retryAfterMs).toBeLessThanOrEqual(1_000)
        await sleep(1_050)
        expect(granted(await take(bench.theirs, 7))).toBe(5)
        await remove()
      },
    )

    it(
      'does not come back a second time when what was given back would have ended',
      { tags: ['timed'] },
      async () => {
        await bench.mine.trySetRate('OVERALL', 10, 2_100)
        const first = await take(bench.mine, 8)
        await bench.theirs.release(8)
        await sleep(900)
        const second = await take(bench.mine, 12)
        await sleep(1_350) // the first grants would have ended, and the second have not
        const third = await take(bench.mine, 12)
        expect([first, second, third].map(granted)).toEqual([8, 10, 0])
        await eventually(async () => (await bench.mine.availablePermits()) === 10)
        await remove()
      },
    )

    it('has what is given back of a grant only once', { tags: ['timed'] }, async () => {
      await bench.mine.trySetRate('OVERALL', 10, 1_800)
      await bench.mine.acquire(8)
      await sleep(600)
      await bench.mine.acquire(2)
      await bench.mine.release(3)
      expect(await bench.mine.availablePermits()).toBe(3)
      await eventually(async () => (await bench.mine.availablePermits()) === 8) // the five others of the first grant
      await eventually(async () => (await bench.mine.availablePermits()) === 10)
      await remove()
    })

    it('is exact after pauses with thousands of grants', async () => {
      await bench.mine.trySetRate('OVERALL', 5_000, 400)
      for (let round = 0; round < 3; round += 1) {
        const startedAt = performance.now()
        const some = granted(await take(bench.mine, 2_600)) + granted(await take(bench.mine, 2_600))
        if (performance.now() - startedAt < 400) expect(some).toBe(5_000)
        await eventually(async () => (await bench.theirs.availablePermits()) === 5_000)
      }
      await remove()
    })
  })

  describe('an attempt', () => {
    it('counts all grants that have ended, however many those are', { tags: ['timed'] }, async () => {
      await bench.mine.trySetRate('OVERALL', 4_000, 1_000)
      await take(bench.mine, 2_500)
      await sleep(600)
      await bench.mine.acquire() // so that not all of them have ended
      await sleep(700)
      const { remaining } = await bench.mine.attempt()
      expect(remaining).toBe(await bench.mine.availablePermits())
      await remove()
    })

    it('knows when there will be enough among many grants', async () => {
      await bench.mine.trySetRate('OVERALL', 3_000, 60_000)
      await take(bench.mine, 2_500)
      const { allowed, remaining, retryAfterMs } = await bench.mine.attempt(2_900)
      expect([allowed, remaining]).toEqual([false, 500])
      expect(retryAfterMs).toBeGreaterThan(50_000)
      expect(retryAfterMs).toBeLessThanOrEqual(60_000)
      await remove()
    })

    it('tells what is left, and when there will be enough', async () => {
      await bench.mine.trySetRate('OVERALL', 3, 60_000)
      expect(await bench.mine.attempt()).toEqual({ allowed: true, remaining: 2, retryAfterMs: 0 })
      await sleep(60)
      expect(await bench.mine.attempt(2)).toEqual({ allowed: true, remaining: 0, retryAfterMs: 0 })
      const startedAt = performance.now()
      const one = await bench.theirs.attempt()
      const two = await bench.theirs.attempt(2)
      const tookMs = performance.now() - startedAt
      expect([one.allowed, one.remaining, two.allowed]).toEqual([false, 0, false])
      expect(one.retryAfterMs).toBeGreaterThan(50_000)
      expect(one.retryAfterMs).toBeLessThanOrEqual(60_000)
      expect(two.retryAfterMs + tookMs - one.retryAfterMs).toBeGreaterThanOrEqual(55) // it has to wait for the second grant
      await remove()
    })
  })

  describe('waiting for it', () => {
    it('ends when there is enough again', async () => {
      await bench.mine.trySetRate('OVERALL', 1, 200)
      const startedAt = performance.now()
      for (let each = 0; each < 4; each += 1) await bench.mine.acquire()
      expect(performance.now() - startedAt).toBeGreaterThanOrEqual(598)
      await remove()
    })

    it('is first come, first served inside a process', async () => {
      await bench.mine.trySetRate('OVERALL', 2, 100)
      await bench.mine.acquire(2)
      const order: number[] = []
      const visit = async (number: number, permits: number) => {
        await bench.mine.acquire(permits)
        order.push(number)
      }
      await Promise.all([visit(1, 2), visit(2, 1), visit(3, 2), visit(4, 1)])
      expect(order).toEqual([1, 2, 3, 4])
      await remove()
    })

    it('answers false when the time is over (edge 118)', async () => {
      await bench.mine.trySetRate('OVERALL', 1, 600_000)
      expect(await bench.mine.tryAcquire(1, 0)).toBe(true)
      expect(await bench.mine.tryAcquire(1, 0)).toBe(false)
      const startedAt = performance.now()
      const both = [bench.mine.tryAcquire(1, 100), bench.mine.tryAcquire({ waitMs: 150 })]
      expect(await Promise.all(both)).toEqual([false, false])
      expect(performance.now() - startedAt).toBeGreaterThanOrEqual(149)
      await remove()
    })

    it('ends at once when permits are given back, or the rate is raised', async () => {
      await bench.mine.trySetRate('OVERALL', 1, 60_000)
      await bench.mine.acquire()
      const waiting = bench.mine.acquire()
      await sleep(30)
      await bench.mine.release()
      await waiting
      const more = bench.mine.acquire(2).catch((error: unknown) => error)
      expect(await more).toBeInstanceOf(RateTooLowError)
      const next = bench.mine.acquire()
      await sleep(30)
      await bench.mine.setRate('OVERALL', 2, 60_000)
      await next
      await remove()
    })

    it('ends by its signal, and takes nothing', async () => {
      await bench.mine.trySetRate('OVERALL', 1, 60_000)
      const signal = AbortSignal.abort(reason)
      expect(await bench.refusal(() => bench.mine.acquire({ signal }))).toBe(reason)
      await bench.mine.acquire()
      const abort = new AbortController()
      const waiting = [1, 2].map(() => bench.mine.acquire({ signal: abort.signal }))
      const outcomes = Promise.allSettled(waiting)
      await sleep(20)
      abort.abort(reason)
      for (const outcome of await outcomes) expect(outcome).toMatchObject({ status: 'rejected', reason })
      await remove()
    })

    it('ended by a signal at any moment takes back what was granted without a caller', async () => {
      await bench.mine.trySetRate('OVERALL', 1_000, 60_000)
      let taken = 0
      const ask = async () => {
        const signal = AbortSignal.timeout(Math.floor(Math.random() * 3))
        try {
          await bench.mine.acquire({ signal })
          taken += 1
        } catch (error) {
          expect(error).toBe(signal.reason)
        }
      }
      for (let round = 0; round < 20; round += 1) await Promise.all([1, 2, 3, 4, 5].map(ask))
      await eventually(async () => (await bench.theirs.availablePermits()) === 1_000 - taken)
      await remove()
    })

    it('ends with the client', async () => {
      await bench.mine.trySetRate('OVERALL', 1, 60_000)
      await bench.mine.acquire()
      const client = await Redisson.create(topology.options())
      const outcomes = Promise.allSettled([
        bench.of(client).acquire(),
        bench.of(client).tryAcquire(1, 30_000),
      ])
      await sleep(30)
      await client.shutdown()
      for (const outcome of await outcomes) {
        expect(outcome.status === 'rejected' && outcome.reason).toBeInstanceOf(ClientClosedError)
      }
      await remove()
    })
  })

  describe('its keys', () => {
    it('are gone without a request during the keep-alive time (edge 119)', { tags: ['timed'] }, async () => {
      await bench.mine.trySetRate('OVERALL', 5, 50, 1_200)
      await bench.mine.acquire()
      await sleep(800)
      await bench.mine.acquire() // keeps it for as long again
      await sleep(800)
      expect(await bench.ask('EXISTS')).toBe(1)
      await eventually(async () => (await bench.ask('EXISTS')) === 0) // and noLeaks finds nothing else
    })

    it('end together where the limiter was given an end (edge 119)', { tags: ['timed'] }, async () => {
      await bench.mine.trySetRate('OVERALL', 5, 50)
      await bench.ask('PEXPIRE', 400)
      await bench.mine.acquire()
      await eventually(async () => (await bench.ask('EXISTS')) === 0)
    })

    it('are kept for ever once more when the rate is set anew without an end', async () => {
      await bench.mine.trySetRate('OVERALL', 5, 50, 60_000)
      await bench.mine.setRate('OVERALL', 5, 50)
      expect(await bench.ask('PTTL')).toBe(-1)
      await remove()
    })

    it('are all kept when what was granted stays and the keep-alive time does not', async () => {
      await bench.mine.trySetRate('OVERALL', 5, 60_000, 600_000)
      await bench.mine.acquire()
      await bench.mine.setRate('OVERALL', 5, 60_000, { keepState: true })
      for (const key of [bench.name, `{${bench.name}}:value`, `{${bench.name}}:permits`])
        expect(await askOwner(topology, key, 'PTTL')).toBe(-1)
      await remove()
    })

    it('of one client last for an interval, even if the limiter is to end before', async () => {
      await bench.mine.trySetRate('PER_CLIENT', 5, 600_000)
      await bench.theirs.expire(60_000)
      await bench.mine.acquire()
      const grants = `{${bench.name}}:permits:${bench.clients[0].id}`
      expect(Number(await askOwner(topology, grants, 'PTTL'))).toBeGreaterThan(60_000)
      await remove()
    })

    it('are removed with the limiter', async () => {
      expect(await bench.mine.delete()).toBe(false)
      await bench.mine.trySetRate('PER_CLIENT', 5, 60_000)
      await bench.mine.acquire()
      expect(await bench.mine.delete()).toBe(true) // and noLeaks finds nothing else
    })
  })

  it.each<[string, (limiter: RRateLimiter) => Promise<unknown>]>([
    ['trySetRate', (limiter) => limiter.trySetRate('OVERALL', 1, 1)],
    ['setRate', (limiter) => limiter.setRate('OVERALL', 1, 1)],
    ['updateRate', (limiter) => limiter.updateRate('OVERALL', 1, 1)],
    ['acquire', (limiter) => limiter.acquire()],
    ['tryAcquire', (limiter) => limiter.tryAcquire()],
    ['attempt', (limiter) => limiter.attempt()],
    ['release', (limiter) => limiter.release()],
    ['availablePermits', (limiter) => limiter.availablePermits()],
    ['getConfig', (limiter) => limiter.getConfig()],
    ['delete', (limiter) => limiter.delete()],
  ])(
    '%s() of a name that belongs to something else rejects and changes nothing (T-30)',
    async (_, operate) => {
      await bench.expectWrongTypes(operate)
    },
  )

  type Untyped = Readonly<Record<string, (...args: readonly unknown[]) => Promise<unknown>>>

  it.each<[string, unknown[], ErrorConstructor, string]>([
    ['trySetRate', ['ALL', 1, 1], TypeError, "Expected `mode` to be 'OVERALL' or 'PER_CLIENT', got 'ALL'"],
    ['trySetRate', ['OVERALL', 0, 1], RangeError, 'Expected `rate` to be a whole number, 1 or more, got 0'],
    [
      'setRate',
      ['OVERALL', 1, 0],
      RangeError,
      'Expected `intervalMs` to be a whole number, 1 or more, got 0',
    ],
    [
      'trySetRate',
      ['OVERALL', 1, 100, 50],
      RangeError,
      'Expected `keepAliveMs` to be 0, or at least the interval of 100 ms, got 50',
    ],
    [
      'trySetRate',
      ['OVERALL', 1, 100, 1e16],
      RangeError,
      'Expected `keepAliveMs` to be at most 9007199254740991 milliseconds, got 10000000000000000',
    ],
    ['updateRate', ['OVERALL', 1, 1, 7], TypeError, 'Expected the options to be an object, got 7'],
    ['acquire', [0], RangeError, 'Expected `permits` to be a whole number, 1 or more, got 0'],
    ['acquire', [2 ** 32], RangeError, 'Expected `permits` to be at most 4294967295, got 4294967296'],
    [
      'tryAcquire',
      [1, '7'],
      RangeError,
      'Expected `waitMs` to be a number of milliseconds, got a string of 1 character',
    ],
    ['attempt', [-1], RangeError, 'Expected `permits` to be a whole number, 1 or more, got -1'],
    ['release', [-1], RangeError, 'Expected `permits` to be a whole number, 0 or more, got -1'],
  ])('%s(…%o) is refused, and nothing is sent (edge 120)', async (method, args, kind, message) => {
    const limiter = bench.mine as unknown as Untyped
    const error = await bench.refusal(() => limiter[method]?.(...args) ?? Promise.resolve())
    expect(error).toBeInstanceOf(kind)
    expect(error.message).toBe(message)
  })

  it('refuses the settings of the other kind of limiter, and says what they lack', () => {
    expect(() => bench.clients[0].getRateLimiter('r', { limit: 5, perMs: 1_000 } as never)).toThrow(
      "got `limit`: `limit` is an option of a limiter with `algorithm: 'gcra'`",
    )
  })
})
