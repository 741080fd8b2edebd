import assert from 'node:assert/strict'
import type * as Library from '../../../src/index.js'
import type { Process } from './process.js'
import type { Scenario } from './scenario.js'

/** When grants that seem to come from the future would end. */
const AN_HOUR_MS = 3_600_000

const RAISES: Record<string, (limiter: Library.RRateLimiter) => Promise<unknown>> = {
  'setRate()': (limiter) => limiter.setRate('PER_CLIENT', 20, 500),
  'updateRate()': (limiter) => limiter.updateRate('PER_CLIENT', 20, 500),
  'updateRate() with keepState': (limiter) => limiter.updateRate('PER_CLIENT', 20, 500, { keepState: true }),
}

export const rateLimiters: readonly Scenario[] = [
  {
    name: 'rate-attempt-with-signal',
    promise: 'attempt() of a rate limiter ends as soon as its signal aborts, although Redis is silent',
    run: async (stage) => {
      const mine = await stage.process('mine', { server: { timeout: 10_000 } })
      await mine.run((client) => client.ping())
      stage.network.partition({ host: 'mine' }, 'lose')
      const ended = new AbortController()
      const begun = stage.now
      const settled = mine
        .run((client) => client.getRateLimiter('rate').attempt({ signal: ended.signal }))
        .catch((error: unknown) => error)
      await stage.sleep(100)
      ended.abort('enough')
      assert.equal(await settled, 'enough')
      assert.ok(stage.now - begun < 200)
    },
  },
  ...Object.entries(RAISES).map(([how, raise], n): Scenario => ({
    name: `rate-raised-${String(n + 1)}`,
    promise: `A rate for each client that is raised by ${how} is the rate of all clients`,
    run: async (stage) => {
      const [mine, other] = await Promise.all([stage.process('mine'), stage.process('other')])
      await mine.run((client) => limiterOf(client).setRate('PER_CLIENT', 2, 500))
      await Promise.all([grants(mine), grants(other)])
      await mine.run((client) => raise(limiterOf(client)))
      await stage.sleep(700)
      await grants(other)
      await stage.sleep(700)
      assert.equal(await grants(other), 20)
    },
  })),
  {
    name: 'rate-released',
    promise: 'No more than the rate is used within an interval, although permits are given back',
    run: async (stage) => {
      const mine = await stage.process('mine')
      await mine.run((client) => limiterOf(client).trySetRate('OVERALL', 10, 2_000))
      await grants(mine, 8)
      await mine.run((client) => limiterOf(client).release(8))
      await stage.sleep(300)
      const first = await grants(mine)
      await stage.sleep(1_750)
      const second = await grants(mine)
      assert.ok(first + second <= 10, `${String(first + second)} permits were used within an interval`)
    },
  },
  {
    name: 'rate-clock-back',
    promise: 'A limiter goes on, although the clock of the server was put back',
    run: async (stage) => {
      const mine = await stage.process('mine')
      await mine.run((client) => limiterOf(client).trySetRate('OVERALL', 5, 1_000))
      await grants(mine)
      const { redis } = stage
      for (const grant of redis.command('ZRANGE', '{limiter}:permits', 0, -1) as string[])
        redis.command('ZADD', '{limiter}:permits', redis.server.now + AN_HOUR_MS, grant)
      await stage.sleep(1_500)
      assert.equal(await grants(mine), 5)
    },
  },
  {
    name: 'rate-grants-evicted',
    promise: 'A limiter goes on, although Redis has evicted what it has granted',
    run: async (stage) => {
      const mine = await stage.process('mine')
      await mine.run((client) => limiterOf(client).trySetRate('OVERALL', 10, 500))
      await grants(mine)
      stage.redis.command('UNLINK', '{limiter}:permits')
      await stage.sleep(700)
      assert.equal(await grants(mine), 10)
    },
  },
]

function limiterOf(client: Library.RedissonClient): Library.RRateLimiter {
  return client.getRateLimiter('limiter')
}

/** Takes as many permits as there are. Returns their number. */
function grants(process: Process, most = Infinity): Promise<number> {
  return process.run(async (client) => {
    let granted = 0
    while (granted < most && (await limiterOf(client).tryAcquire())) granted += 1
    return granted
  })
}
