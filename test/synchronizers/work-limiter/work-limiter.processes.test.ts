import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { Redisson, type RedissonClient } from '../../../src/index.js'
import { startChild } from '../../support/child.js'
import { twoClients } from '../../support/clients.js'
import { eventually } from '../../support/eventually.js'
import { Monitor } from '../../support/monitor.js'
import { noLeaks } from '../../support/no-leaks.js'
import { single } from '../../support/topologies.js'

/** Of a lease that ends during a test. */
const BRIEF_MS = 800

describe('a work limiter of several processes', () => {
  noLeaks(single)
  const clients = twoClients(single)

  const worker = (name: string, concurrency: number, functions: number, ms: number) => {
    const options = { ...single.options(), lockWatchdogTimeout: BRIEF_MS }
    const args = [JSON.stringify(options), name, ...[concurrency, functions, ms].map(String)]
    return startChild(new URL('worker.ts', import.meta.url), { args })
  }

  it('goes on when a process is killed that runs functions, and has others wait', async () => {
    await using child = worker('killed', 2, 5, 600_000)
    await child.hear('ready')
    child.tell('go')
    await Promise.all([child.hear('begun'), child.hear('begun')])
    const limiter = clients.mine.getWorkLimiter('killed', { concurrency: 2 })
    const waiting = Promise.all([1, 2, 3].map((each) => limiter.run(() => each)))
    await eventually(async () => {
      expect(await limiter.counts()).toMatchObject({ running: 2, waitingProcesses: 2 })
    })
    await child.kill()
    expect(await waiting).toEqual([1, 2, 3])
    expect(await limiter.counts()).toEqual({ running: 0, waitingProcesses: 0, queued: 0 })
  })

  it('begins what waits when a process stands still for longer than its lease', async () => {
    await using child = worker('still', 1, 1, 600_000)
    await child.hear('ready')
    child.tell('go')
    await child.hear('begun')
    child.pause()
    expect(await clients.mine.getWorkLimiter('still', { concurrency: 1 }).run(() => 1)).toBe(1)
    child.resume()
    await child.hear('ended')
    await child.hear('done')
    await child.exited
  })

  it('never runs more functions than there are places, in four processes', async () => {
    const children = [1, 2, 3, 4].map(() => worker('busy', 10, 30, 20))
    await Promise.all(children.map((child) => child.hear('ready')))
    for (const child of children) child.tell('go')
    const moments: (readonly [at: number, change: number])[] = []
    const listen = async (index: number) => {
      const child = children[index] as (typeof children)[number]
      for (let each = 0; each < 30; each += 1) {
        moments.push([(await child.hear('begun'))['at'] as number, 1])
        moments.push([(await child.hear('ended'))['at'] as number, -1])
      }
      await child.hear('done')
      await child.exited
    }
    await Promise.all(children.map((_, index) => listen(index)))
    moments.sort(([one, before], [other, after]) => one - other || before - after)
    let [running, most] = [0, 0]
    for (const [, change] of moments) {
      running += change
      most = Math.max(most, running)
    }
    expect(most).toBeLessThanOrEqual(10)
    expect(most).toBeGreaterThan(5)
  })

  it('sends few requests for a thousand functions that wait in one client', async () => {
    const limiter = clients.mine.getWorkLimiter('thousand', { concurrency: 10 })
    const open = Promise.withResolvers<void>()
    const first = Array.from({ length: 10 }, () => limiter.run(() => open.promise))
    await eventually(async () => {
      expect((await limiter.counts()).running).toBe(10)
    })
    await using monitor = await Monitor.of(single.nodes)
    const controller = new AbortController()
    const waiting = Array.from({ length: 1000 }, () =>
      limiter.run(() => 1, { signal: controller.signal }).catch(() => undefined),
    )
    await eventually(async () => {
      expect(await limiter.counts()).toMatchObject({ queued: 1000, waitingProcesses: 1 })
    })
    const scripts = (await monitor.deeds()).filter(
      ({ by, words }) =>
        by === 'client' && words[0] === 'evalsha' && words.includes('ioredisson_work:{thousand}'),
    )
    expect(scripts.filter(({ words }) => words.length > 10).length).toBeLessThanOrEqual(4)
    controller.abort()
    await Promise.all(waiting)
    open.resolve()
    await Promise.all(first)
  })

  it('sends about two requests for each function', async () => {
    const limiter = clients.mine.getWorkLimiter('busy client', { concurrency: 10 })
    await using monitor = await Monitor.of(single.nodes)
    await Promise.all(Array.from({ length: 500 }, () => limiter.run(() => undefined)))
    const scripts = (await monitor.deeds()).filter(
      ({ by, words }) => by === 'client' && /^evalsha$/.test(words[0] ?? ''),
    )
    expect(scripts.length).toBeLessThan(500 * 2.2)
    await eventually(async () => (await limiter.counts()).waitingProcesses === 0)
  })

  it('keeps all places taken by functions of four clients', { tags: ['timed'] }, async () => {
    const all: RedissonClient[] = await Promise.all([1, 2, 3, 4].map(() => Redisson.create(single.options())))
    let [running, most] = [0, 0]
    const began = performance.now()
    let busyMs = 0
    const functions = all.flatMap((client) => {
      const limiter = client.getWorkLimiter('full', { concurrency: 10 })
      return Array.from({ length: 20 }, () =>
        limiter.run(async () => {
          running += 1
          most = Math.max(most, running)
          const since = performance.now()
          await sleep(300)
          busyMs += performance.now() - since
          running -= 1
        }),
      )
    })
    await Promise.all(functions)
    const elapsedMs = performance.now() - began
    expect(most).toBe(10)
    expect(busyMs / elapsedMs).toBeGreaterThan(9)
    await Promise.all(all.map((client) => client.shutdown()))
  })
})
