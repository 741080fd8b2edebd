import { describe, expect, it } from 'vitest'
import type { InteropFixture } from '../interop-fixture.js'
import type { Call, JavaThread } from '../java-peer.js'
import { directions } from '../sides.js'

/** A rate that both sides use up. */
export function rateLimiterAcrossSides(bench: InteropFixture): void {
  describe('a rate limiter', () => {
    const inJava = (thread: JavaThread, name: string, ...calls: Call[]) =>
      thread.call(['getRateLimiter', name], ...calls)
    const inNode = (name: string) => bench.node[0].getRateLimiter(name)

    it.each(directions)('set in %s, is the same in %s', async (from) => {
      const [name, thread] = [bench.name(), bench.thread()]
      const inSide = {
        Node: () => inNode(name).trySetRate('OVERALL', 5, 60_000),
        Java: () => inJava(thread, name, ['trySetRate', 'OVERALL', 5, 'PT60S']),
      }
      expect(await inSide[from]()).toBe(true)
      expect(await inSide.Node()).toBe(false)
      expect(await inSide.Java()).toBe(false)
      expect(await inNode(name).getConfig()).toEqual({
        mode: 'OVERALL',
        rate: 5,
        intervalMs: 60_000,
        keepAliveMs: 0,
      })
      expect(await inJava(thread, name, ['getConfig'], ['getRate'])).toBe(5)
      expect(await inJava(thread, name, ['getConfig'], ['getRateInterval'])).toBe(60_000)
      expect(await inJava(thread, name, ['getConfig'], ['getRateType'])).toBe('OVERALL')
      await inNode(name).delete()
    })

    it('grants as much as it says to both sides together', async () => {
      const [name, thread] = [bench.name(), bench.thread()]
      await inNode(name).trySetRate('OVERALL', 30, 60_000)
      const outcomes = await Promise.all([
        ...bench.node.flatMap((client) =>
          Array.from({ length: 15 }, () => client.getRateLimiter(name).tryAcquire()),
        ),
        ...bench.java.flatMap((client) =>
          Array.from({ length: 15 }, (_, n) =>
            client.thread(`rate ${n % 2}`).call(['getRateLimiter', name], ['tryAcquire']),
          ),
        ),
      ])
      expect(outcomes.filter((granted) => granted === true)).toHaveLength(30)
      expect(await inNode(name).availablePermits()).toBe(0)
      expect(await inJava(thread, name, ['availablePermits'])).toBe(0)
      await inJava(thread, name, ['release', 2])
      await inNode(name).release(1)
      expect(await inJava(thread, name, ['tryAcquire', 2])).toBe(true)
      expect(await inNode(name).attempt()).toMatchObject({ allowed: true, remaining: 0 })
      await inNode(name).delete()
    })

    it.each(directions)('used up in %s, grants again in %s when the interval is over', async (from, to) => {
      const [name, thread] = [bench.name(), bench.thread()]
      await inNode(name).trySetRate('OVERALL', 3, 500)
      if (from === 'Node') await inNode(name).acquire(3)
      else await inJava(thread, name, ['acquire', 3])
      const startedAt = performance.now()
      if (to === 'Node') await inNode(name).acquire(3)
      else await inJava(thread, name, ['acquire', 3])
      expect(performance.now() - startedAt).toBeGreaterThan(300)
      await inNode(name).delete()
    })

    it('for each client, is for each client of either side', async () => {
      const name = bench.name()
      await inNode(name).trySetRate('PER_CLIENT', 2, 60_000)
      for (const client of bench.node) {
        const limiter = client.getRateLimiter(name)
        expect([await limiter.tryAcquire(2), await limiter.tryAcquire()]).toEqual([true, false])
      }
      for (const client of bench.java) {
        const thread = client.thread('rate 0')
        expect(await inJava(thread, name, ['tryAcquire', 2])).toBe(true)
        expect(await inJava(thread, name, ['tryAcquire', 1])).toBe(false)
      }
      for (const node of bench.topology.nodes) await node.command('FLUSHALL').catch(() => undefined) // replicas refuse
    })
  })
}
