import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  ClientClosedError,
  Redisson,
  WrongTypeError,
  type GcraLimit,
  type RedissonClient,
  type RGcraRateLimiter,
} from '../../../src/index.js'
import { askOwner } from '../../support/ask-owner.js'
import { startChild } from '../../support/child.js'
import { twoClients } from '../../support/clients.js'
import { eventually } from '../../support/eventually.js'
import { noLeaks } from '../../support/no-leaks.js'
import { single, topologies } from '../../support/topologies.js'

const HOUR_MS = 3_600_000

/** So slow that nothing drains during a test. */
const SLOW: GcraLimit = { limit: 1, perMs: HOUR_MS, burst: 3 }

const METHODS = ['consume', 'acquire', 'peek', 'refund'] as const

const reason = new Error('no longer wanted')

describe.each(topologies)('a rate limiter by GCRA ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)
  let tests = 0
  let name = ''

  beforeEach(() => {
    tests += 1
    name = `gcra-${String(tests)}`
  })

  const of = (client: RedissonClient, limit: GcraLimit = SLOW): RGcraRateLimiter =>
    client.getRateLimiter(name, { algorithm: 'gcra', ...limit })
  const ask = (key: string, command: string, ...args: readonly (string | number)[]) =>
    askOwner(topology, `${name}:gcra/${key}`, command, ...args)

  it('lets a burst pass, and says how many are left, until when, and which limit refuses', async () => {
    const limiter = of(clients.mine)
    expect(await limiter.consume('a')).toMatchObject({
      allowed: true,
      remaining: 2,
      retryAfterMs: 0,
      resetAfterMs: HOUR_MS,
      refusedBy: undefined,
      degraded: false,
    })
    expect(await limiter.consume('a', { cost: 2 })).toMatchObject({ allowed: true, remaining: 0 })
    const refused = await of(clients.other).consume('a')
    expect(refused).toMatchObject({ allowed: false, remaining: 0, refusedBy: SLOW, degraded: false })
    expect(refused.retryAfterMs).toBeGreaterThan(HOUR_MS - 60_000)
    expect(refused.retryAfterMs).toBeLessThanOrEqual(HOUR_MS)
    expect(refused.resetAfterMs).toBeGreaterThan(3 * HOUR_MS - 60_000)
    expect(refused.limits).toEqual([{ ...SLOW, remaining: 0, resetAfterMs: refused.resetAfterMs }])
    await limiter.reset('a')
  })

  it('counts each key by itself, in one key that expires', async () => {
    const limiter = of(clients.mine)
    await limiter.consume('a', { cost: 3 })
    expect(await limiter.consume('b', { cost: 3 })).toMatchObject({ allowed: true })
    expect(await limiter.consume('a')).toMatchObject({ allowed: false })
    expect(Number(await ask('a', 'PTTL'))).toBeGreaterThan(3 * HOUR_MS - 60_000)
    expect(Number(await ask('a', 'PTTL'))).toBeLessThanOrEqual(3 * HOUR_MS + 1000)
    await Promise.all([limiter.reset('a'), limiter.reset('b')])
  })

  it('takes all cells of a request or none', async () => {
    const limiter = of(clients.mine)
    await limiter.consume('a', { cost: 2 })
    expect(await limiter.consume('a', { cost: 2 })).toMatchObject({ allowed: false, remaining: 1 })
    expect(await limiter.consume('a')).toMatchObject({ allowed: true, remaining: 0 })
    await limiter.reset('a')
  })

  it('looks without using anything, and writes nothing when it refuses', async () => {
    const limiter = of(clients.mine)
    expect(await limiter.peek('a', { cost: 3 })).toMatchObject({
      allowed: true,
      remaining: 3,
      resetAfterMs: 0,
    })
    expect(await ask('a', 'EXISTS')).toBe(0)
    await limiter.consume('a', { cost: 3 })
    const before = await ask('a', 'GET')
    expect(await limiter.consume('a')).toMatchObject({ allowed: false })
    expect(await limiter.peek('a')).toMatchObject({ allowed: false, refusedBy: SLOW })
    expect(await ask('a', 'GET')).toBe(before)
    await limiter.reset('a')
  })

  it('gives back up to the burst, and forgets a key', async () => {
    const limiter = of(clients.mine)
    await limiter.consume('a', { cost: 3 })
    expect(await limiter.refund('a')).toMatchObject({ allowed: true, remaining: 1 })
    expect(await limiter.refund('a', { cost: 3 })).toMatchObject({ remaining: 3, resetAfterMs: 0 })
    expect(await ask('a', 'EXISTS')).toBe(0)
    expect(await limiter.reset('a')).toBe(false)
    await limiter.consume('a', { cost: 3 })
    expect(await limiter.reset('a')).toBe(true)
    expect(await limiter.peek('a')).toMatchObject({ remaining: 3 })
  })

  it('applies several limits together: all count a request, or none', async () => {
    const fast = { limit: 2, perMs: 60_000, burst: 2 }
    const slow = { limit: 3, perMs: HOUR_MS, burst: 3 }
    const limiter = clients.mine.getRateLimiter(name, { algorithm: 'gcra', limits: [slow, fast] })
    await limiter.consume('a', { cost: 2 })
    expect(await limiter.consume('a')).toMatchObject({ allowed: false, remaining: 0, refusedBy: fast })
    await limiter.refund('a')
    expect(await limiter.consume('a')).toMatchObject({ allowed: true, remaining: 0 })
    const refused = await limiter.consume('a', { cost: 2 })
    expect(refused).toMatchObject({ allowed: false, refusedBy: slow })
    expect(refused.retryAfterMs).toBeGreaterThan(60_000)
    await limiter.reset('a')
  })

  it('says what is left of each limit, in their order', async () => {
    const daily = { limit: 100, perMs: 24 * HOUR_MS, burst: 9 }
    const hourly = { limit: 5, perMs: HOUR_MS, burst: 5 }
    const limiter = clients.mine.getRateLimiter(name, { algorithm: 'gcra', limits: [daily, hourly] })
    const fresh = [
      { ...daily, remaining: 9, resetAfterMs: 0 },
      { ...hourly, remaining: 5, resetAfterMs: 0 },
    ]
    expect(await limiter.peek('a', { cost: 2 })).toMatchObject({ remaining: 5, limits: fresh })
    const used = await limiter.consume('a', { cost: 2 })
    expect(used).toMatchObject({
      remaining: 3,
      resetAfterMs: 2 * 864_000,
      limits: [
        { ...daily, remaining: 7, resetAfterMs: 2 * 864_000 },
        { ...hourly, remaining: 3, resetAfterMs: 2 * 720_000 },
      ],
    })
    const refused = await limiter.consume('a', { cost: 5 })
    expect(refused).toMatchObject({ allowed: false, limits: [{ remaining: 7 }, { remaining: 3 }] })
    expect(await limiter.acquire('a')).toMatchObject({ limits: [{ remaining: 6 }, { remaining: 2 }] })
    expect(await limiter.refund('a', { cost: 5 })).toMatchObject({ resetAfterMs: 0, limits: fresh })
  })

  it('keeps what was used when its limit changes', async () => {
    await of(clients.mine).consume('a', { cost: 2 })
    expect(await of(clients.mine, { ...SLOW, burst: 10 }).peek('a')).toMatchObject({ remaining: 8 })
    expect(await of(clients.mine, { ...SLOW, limit: 4 }).peek('a')).toMatchObject({ remaining: 1 })
    expect(await of(clients.mine, { ...SLOW, burst: 1 }).peek('a')).toMatchObject({ remaining: 0 })
    await of(clients.mine).reset('a')
  })

  it('refuses a cost that would never pass, and names that are none', async () => {
    const limiter = of(clients.mine)
    for (const method of METHODS)
      await expect(limiter[method]('a', { cost: 4 })).rejects.toThrow(
        new RangeError('Expected `cost` to be at most 3, the burst of the limit of 1 in 3600000 ms, got 4'),
      )
    const wide = { limit: 9, perMs: 1000 }
    const several = clients.mine.getRateLimiter(name, { algorithm: 'gcra', limits: [wide, SLOW] })
    await expect(several.consume('a', { cost: 10 })).rejects.toThrow(/the limit of 1 in 3600000 ms, got 10/)
    for (const cost of [0, -1, 0.5, NaN, '1'])
      await expect(limiter.consume('a', { cost: cost as number })).rejects.toThrow(RangeError)
    for (const key of ['', '\ud800', 7, undefined])
      await expect(limiter.consume(key as string)).rejects.toThrow(TypeError)
    await expect(limiter.consume('a', { waitMs: 1 } as never)).rejects.toThrow(/acquire\(\)/)
  })

  it('refuses keys that belong to something else, and leaves them', async () => {
    const limiter = of(clients.mine)
    for (const [command, ...args] of [
      ['SET', 'text'],
      ['HSET', 'field', 'value'],
    ] as const) {
      await ask('a', command, ...args)
      for (const method of METHODS) await expect(limiter[method]('a')).rejects.toThrow(WrongTypeError)
      expect(await ask('a', 'EXISTS')).toBe(1)
      await ask('a', 'DEL')
    }
  })

  it('takes no key of one limiter for one of another', async () => {
    for (const wrong of ['a:gcra/b', ':gcra/'])
      expect(() => clients.mine.getRateLimiter(wrong, { algorithm: 'gcra', ...SLOW })).toThrow(TypeError)
    const alike = clients.mine.getRateLimiter(`${name}:gcra`, { algorithm: 'gcra', ...SLOW })
    await alike.consume('d', { cost: 3 })
    expect(await of(clients.mine).consume(':gcra/d')).toMatchObject({ remaining: 2 })
    await Promise.all([alike.reset('d'), of(clients.mine).reset(':gcra/d')])
    const one = clients.mine.getRateLimiter(`${name}:b`, { algorithm: 'gcra', ...SLOW })
    await one.consume('c', { cost: 3 })
    const other = clients.mine.getRateLimiter(name, { algorithm: 'gcra', ...SLOW })
    expect(await other.consume('b:gcra/c')).toMatchObject({ remaining: 2 })
    await Promise.all([one.reset('c'), other.reset('b:gcra/c')])
  })

  it('is as well with names and keys that have braces', async () => {
    for (const key of ['{', '}', '{}', '{a}', 'a}b{c}']) {
      const limiter = clients.mine.getRateLimiter(`{${name}}`, {
        algorithm: 'gcra',
        exactlyOnce: true,
        ...SLOW,
      })
      expect(await limiter.consume(key)).toMatchObject({ remaining: 2 })
      expect(await limiter.reset(key)).toBe(true)
      const plain = clients.mine.getRateLimiter(name, { algorithm: 'gcra', exactlyOnce: true, ...SLOW })
      expect(await plain.consume(key)).toMatchObject({ remaining: 2 })
      expect(await plain.reset(key)).toBe(true)
    }
  })

  it('shows its name, and nothing of the client', () => {
    const limiter = of(clients.mine)
    expect(JSON.stringify(limiter)).toBe(JSON.stringify({ name }))
    expect(limiter.name).toBe(name)
  })

  describe('for callers who wait', () => {
    /** A cell each 40 ms, one at a time. */
    const EVEN: GcraLimit = { limit: 25, perMs: 1000, burst: 1 }

    it(
      'lets them pass one after the other, by any client, none before its turn',
      { tags: ['timed'] },
      async () => {
        const passed: string[] = []
        const began = performance.now()
        const enter = async (client: RedissonClient, who: string) => {
          const result = await of(client, EVEN).acquire('a')
          expect(result).toMatchObject({ allowed: true, retryAfterMs: 0, refusedBy: undefined })
          passed.push(who)
        }
        const calls = [
          enter(clients.mine, 'first'),
          enter(clients.mine, 'second'),
          enter(clients.mine, 'third'),
        ]
        await Promise.all([...calls, enter(clients.other, 'another')])
        expect(passed.filter((who) => who !== 'another')).toEqual(['first', 'second', 'third'])
        expect(performance.now() - began).toBeGreaterThanOrEqual(3 * 40)
        await of(clients.mine, EVEN).reset('a')
      },
    )

    it('says what is left of each limit when the turn has come', async () => {
      const even = { limit: 20, perMs: 1000, burst: 1 }
      const slow = { limit: 3, perMs: HOUR_MS, burst: 3 }
      const soon = { limit: 10, perMs: 10, burst: 10 }
      const limiter = clients.mine.getRateLimiter(name, { algorithm: 'gcra', limits: [slow, even, soon] })
      await limiter.acquire('a')
      const { limits, retryAfterMs, resetAfterMs } = await limiter.acquire('a')
      expect(limits).toMatchObject([{ ...slow, remaining: 1 }, { ...even, remaining: 0 }, soon])
      const [ofSlow, ofEven, ofSoon] = limits.map((each) => each.resetAfterMs)
      expect(ofEven).toBeLessThanOrEqual(51)
      expect(ofSoon).toBeGreaterThanOrEqual(0)
      expect(ofSlow).toBe(resetAfterMs)
      expect(retryAfterMs).toBe(0)
      await limiter.reset('a')
    })

    it('refuses at once what would have to wait too long, and reserves nothing', async () => {
      const limiter = of(clients.mine)
      await limiter.acquire('a', { cost: 3 })
      const before = await ask('a', 'GET')
      for (const waitMs of [60_000, 0, -1])
        expect(await limiter.acquire('a', { waitMs })).toMatchObject({ allowed: false, refusedBy: SLOW })
      expect(await ask('a', 'GET')).toBe(before)
      await limiter.reset('a')
    })

    it('refuses requests that do not wait while others do', async () => {
      const limiter = of(clients.mine)
      const controller = new AbortController()
      await limiter.consume('a', { cost: 3 })
      const waiting = limiter.acquire('a', { signal: controller.signal })
      await eventually(async () => (await limiter.peek('a')).resetAfterMs > 3 * HOUR_MS)
      expect(await of(clients.other).consume('a')).toMatchObject({ allowed: false, remaining: 0 })
      controller.abort(reason)
      await expect(waiting).rejects.toBe(reason)
      await eventually(async () => (await limiter.peek('a')).resetAfterMs <= 3 * HOUR_MS)
      await limiter.reset('a')
    })

    it('gives back the turns of those who give up, in any order', async () => {
      const limiter = of(clients.mine)
      await limiter.consume('a', { cost: 3 })
      const before = await ask('a', 'GET')
      const controllers = [0, 1, 2, 3].map(() => new AbortController())
      const waiting = controllers.map(({ signal }) => limiter.acquire('a', { signal }))
      const outcomes = Promise.allSettled(waiting)
      const levelled = (cells: number) =>
        eventually(async () => Math.ceil((await limiter.peek('a')).resetAfterMs / HOUR_MS) === cells)
      await levelled(7)
      controllers[1]?.abort(reason)
      controllers[0]?.abort(reason)
      controllers[3]?.abort(reason)
      await levelled(6)
      controllers[2]?.abort(reason)
      await levelled(3)
      expect(
        (await outcomes).map((outcome) => outcome.status === 'rejected' && (outcome.reason as unknown)),
      ).toEqual(controllers.map(() => reason))
      expect(await ask('a', 'GET')).not.toContain('|')
      expect(before).not.toContain('|')
      await limiter.reset('a')
    })

    it('knows how long a request has to wait, even for thousands of years', async () => {
      const limiter = of(clients.mine, { limit: 1, perMs: 720 * HOUR_MS, burst: 3_000_000 })
      await limiter.consume('a', { cost: 3_000_000 })
      expect(await limiter.peek('a', { cost: 3_000_000 })).toMatchObject({ allowed: false, remaining: 0 })
      await limiter.reset('a')
    })

    it('reserves nothing for a signal that has aborted before', async () => {
      const limiter = of(clients.mine)
      await expect(limiter.acquire('a', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
      expect(await ask('a', 'EXISTS')).toBe(0)
    })

    it('gives back what the shutdown of its client ends', async () => {
      const leaving = await Redisson.create(topology.options())
      const limiter = of(clients.mine)
      await limiter.consume('a', { cost: 3 })
      const waiting = of(leaving).acquire('a')
      const outcome = expect(waiting).rejects.toThrow(ClientClosedError)
      await eventually(async () => (await limiter.peek('a')).resetAfterMs > 3 * HOUR_MS)
      await leaving.shutdown()
      await outcome
      expect((await limiter.peek('a')).resetAfterMs).toBeLessThanOrEqual(3 * HOUR_MS)
      await limiter.reset('a')
    })
  })
})

describe('bursts from several processes', () => {
  noLeaks(single)
  let client: RedissonClient

  beforeAll(async () => {
    client = await Redisson.create(single.options())
  })
  afterAll(() => client.shutdown())

  const burstOf = async (name: string, processes: number, requests: number, burst: number) => {
    const program = new URL('burst-user.ts', import.meta.url)
    const args = [JSON.stringify(single.options()), name, String(burst), String(requests / processes)]
    const children = Array.from({ length: processes }, () => startChild(program, { args }))
    try {
      await Promise.all(children.map((child) => child.hear('ready')))
      for (const child of children) child.tell('go')
      const done = await Promise.all(children.map((child) => child.hear('done')))
      return done.reduce((sum, { passed }) => sum + Number(passed), 0)
    } finally {
      await Promise.all(children.map((child) => child.kill()))
      await client.getRateLimiter(name, { algorithm: 'gcra', ...SLOW }).reset('all')
    }
  }

  it('let exactly the burst pass', async () => {
    expect(await burstOf('bursts', 2, 1_000, 70)).toBe(70)
  })

  it('let exactly the burst of 10 000 requests from 8 processes pass', { tags: ['full'] }, async () => {
    expect(await burstOf('large-bursts', 8, 10_000, 777)).toBe(777)
  })
})
