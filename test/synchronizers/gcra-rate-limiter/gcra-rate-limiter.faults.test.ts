import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import {
  Redisson,
  type GcraFallback,
  type GcraLimit,
  type RedissonClient,
  type RGcraRateLimiter,
} from '../../../src/index.js'
import { onceOf } from '../../../src/command/once/once-evaluation.js'
import * as scripts from '../../../src/synchronizers/gcra-rate-limiter/gcra-rate-limiter.scripts.js'
import { eventually } from '../../support/eventually.js'
import { describeFaults, strike } from '../../support/faults.js'
import type { ServerNode, SingleTopology } from '../../support/launch/topology.js'
import { noLeaks } from '../../support/no-leaks.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import { single } from '../../support/topologies.js'

const TIMEOUT_MS = 200
const SETTINGS = { timeout: TIMEOUT_MS, retryDelay: 20, reconnectionDelay: 10, retryAttempts: 20 }

const HOUR_MS = 3_600_000
const SLOW: GcraLimit = { limit: 1, perMs: HOUR_MS, burst: 5 }
const LOST = { code: expect.stringMatching(/REPLY_TIMEOUT|CONNECTION_LOST/) as string }
const reason = new Error('no longer wanted')

describe('a rate limiter by GCRA', () => {
  noLeaks(single)
  let topology: Proxied<SingleTopology<ServerNode>>
  let client: RedissonClient
  /** Past the proxy. */
  let other: RedissonClient
  let tests = 0

  beforeAll(async () => {
    topology = await proxied(single)
    client = await Redisson.create(topology.options(SETTINGS))
    other = await Redisson.create(single.options())
  })
  afterEach(async () => {
    for (const proxy of topology.proxies) {
      proxy.resume()
      await proxy.accept()
    }
    await eventually(() => client.ping())
  })
  afterAll(async () => {
    await Promise.all([client.shutdown(), other.shutdown()])
    await topology.stop()
  })

  const pair = (more: object = {}): readonly [RGcraRateLimiter, RGcraRateLimiter] => {
    const name = `gcra-faults-${String((tests += 1))}`
    const settings = { algorithm: 'gcra' as const, ...SLOW }
    return [client.getRateLimiter(name, { ...settings, ...more }), other.getRateLimiter(name, settings)]
  }
  const knows = async (limiter: RGcraRateLimiter) => {
    await limiter.consume('known')
    await limiter.refund('known')
    await limiter.acquire('known')
    await limiter.reset('known')
  }

  describeFaults('whose request %s', TIMEOUT_MS, (...fault) => {
    it('counts once where it is asked to be sent again', async () => {
      const [limiter, past] = pair({ exactlyOnce: true })
      await knows(limiter)
      const { struck } = strike(topology.proxies, onceOf(scripts.consumeOne).sha, fault)
      expect(await limiter.consume('a')).toMatchObject({ allowed: true, remaining: 4 })
      await struck
      expect(await past.peek('a')).toMatchObject({ remaining: 4 })
      await past.reset('a')
    })

    it('is not sent again otherwise, once it may have run', async () => {
      const [limiter, past] = pair()
      await knows(limiter)
      const { struck } = strike(topology.proxies, scripts.consumeOne.sha, fault)
      await expect(limiter.consume('a')).rejects.toMatchObject({ ...LOST, mayHaveRun: true })
      await struck
      expect([4, 5]).toContain((await past.peek('a')).remaining)
      await past.reset('a')
    })

    it('gives back once, and reserves once', async () => {
      const [limiter, past] = pair()
      await knows(limiter)
      await past.consume('a', { cost: 5 })
      const refunding = strike(topology.proxies, onceOf(scripts.refund).sha, fault)
      await limiter.refund('a', { cost: 2 })
      await refunding.struck
      expect(await past.peek('a')).toMatchObject({ remaining: 2 })
      const acquiring = strike(topology.proxies, onceOf(scripts.acquire).sha, fault)
      expect(await limiter.acquire('a')).toMatchObject({ allowed: true, remaining: 1 })
      await acquiring.struck
      expect(await past.peek('a')).toMatchObject({ remaining: 1 })
      await past.reset('a')
    })

    it('gives back the turn of a caller that gave up, once', async () => {
      const [limiter, past] = pair()
      await knows(limiter)
      await past.consume('a', { cost: 5 })
      const controller = new AbortController()
      const waiting = limiter.acquire('a', { signal: controller.signal })
      await eventually(async () => (await past.peek('a')).resetAfterMs > 5 * HOUR_MS)
      const { struck } = strike(topology.proxies, onceOf(scripts.giveBack).sha, fault)
      controller.abort(reason)
      await expect(waiting).rejects.toBe(reason)
      await struck
      await eventually(async () => (await past.peek('a')).resetAfterMs <= 5 * HOUR_MS)
      expect((await past.peek('a')).resetAfterMs).toBeGreaterThan(4 * HOUR_MS)
      await past.reset('a')
    })
  })

  it('gives back what it was granted after its caller had given up', async () => {
    const [limiter, past] = pair()
    await knows(limiter)
    const controller = new AbortController()
    const [proxy] = topology.proxies
    const held = Promise.withResolvers<void>()
    const { struck } = strike(topology.proxies, onceOf(scripts.acquire).sha, [
      'is held',
      'reply',
      () => held.promise,
    ])
    const waiting = limiter.acquire('a', { cost: 2, signal: controller.signal })
    await struck
    controller.abort(reason)
    await expect(waiting).rejects.toBe(reason)
    held.resolve()
    expect(proxy).toBeDefined()
    await eventually(async () => (await past.peek('a')).remaining === 5)
    await past.reset('a')
  })

  describe('while Redis cannot be reached', () => {
    const warnings: (Error & { readonly code?: string })[] = []
    const note = (warning: Error) => warnings.push(warning)
    beforeAll(() => {
      process.on('warning', note)
    })
    afterAll(() => {
      process.off('warning', note)
    })

    const down = () => {
      for (const proxy of topology.proxies) {
        proxy.refuse()
        proxy.cut()
      }
    }

    it.each<readonly [GcraFallback, readonly boolean[]]>([
      ['allow', [true, true, true]],
      ['deny', [false, false, false]],
      [{ local: { limit: 1, perMs: HOUR_MS, burst: 2 } }, [true, true, false]],
    ])('does %j, says so, and warns once', async (onRedisDown, allowed) => {
      const [limiter, past] = pair({ onRedisDown })
      await knows(limiter)
      expect(await limiter.consume('a')).toMatchObject({ allowed: true, degraded: false, remaining: 4 })
      down()
      for (const each of allowed) {
        const result = await limiter.consume('a')
        expect(result).toMatchObject({ allowed: each, degraded: true })
        expect(result.retryAfterMs > 0).toBe(!each)
      }
      await vi.waitFor(() => {
        const own = warnings.filter(({ message }) => message.includes(`${limiter.name} `))
        expect(own).toMatchObject([{ code: 'REDISSON_LIMITER_DEGRADED' }])
      })
      for (const proxy of topology.proxies) await proxy.accept()
      await eventually(async () => !(await limiter.consume('b')).degraded)
      expect(await limiter.consume('a')).toMatchObject({ degraded: false })
      await Promise.all([past.reset('a'), past.reset('b')])
    })

    it('has a request try again in a second that only Redis may let pass', async () => {
      const local = { limit: 1, perMs: HOUR_MS, burst: 2 }
      const [limiter, past] = pair({ onRedisDown: { local } })
      await knows(limiter)
      down()
      expect(await limiter.consume('a', { cost: 3 })).toMatchObject({
        allowed: false,
        degraded: true,
        retryAfterMs: 1000,
        refusedBy: local,
        limits: [{ ...local, remaining: 2, resetAfterMs: 0 }],
      })
      for (const proxy of topology.proxies) await proxy.accept()
      await eventually(async () => !(await limiter.consume('b')).degraded)
      await past.reset('b')
    })

    it('decides within its time when Redis is silent', async () => {
      const [limiter, past] = pair({ onRedisDown: 'allow', redisTimeoutMs: 30 })
      await knows(limiter)
      for (const proxy of topology.proxies) proxy.stall()
      expect(await limiter.consume('a')).toMatchObject({
        allowed: true,
        degraded: true,
        limits: [{ ...SLOW, remaining: 0, resetAfterMs: 0 }],
      })
      for (const proxy of topology.proxies) proxy.resume()
      await eventually(async () => !(await limiter.consume('b')).degraded)
      await Promise.all([past.reset('a'), past.reset('b')])
    })

    it('rejects within its time where it has nothing else to do', async () => {
      const [limiter, past] = pair({ redisTimeoutMs: 30 })
      await knows(limiter)
      for (const proxy of topology.proxies) proxy.stall()
      await expect(limiter.consume('a')).rejects.toMatchObject(LOST)
      for (const proxy of topology.proxies) proxy.resume()
      await eventually(async () => (await limiter.peek('b')).allowed)
      await past.reset('a')
    })

    it('does not hide that its key is something else', async () => {
      const [limiter] = pair({ onRedisDown: 'allow' })
      const bucket = other.getBucket(`${limiter.name}:gcra/a`)
      await bucket.set('else')
      await expect(limiter.consume('a')).rejects.toMatchObject({ code: 'WRONG_TYPE' })
      await bucket.delete()
    })
  })
})
