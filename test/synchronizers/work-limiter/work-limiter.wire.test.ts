import { describe, expect, it } from 'vitest'
import type { RedissonClient } from '../../../src/index.js'
import { twoClients } from '../../support/clients.js'
import { eventually } from '../../support/eventually.js'
import { Look } from '../../support/look.js'
import { Monitor } from '../../support/monitor.js'
import { noLeaks } from '../../support/no-leaks.js'
import { single, topologies } from '../../support/topologies.js'
import { Gate } from './gate.js'

const HOUR_MS = 3_600_000
const RATE = { limit: 10, perMs: HOUR_MS }
const ID = '[0-9a-f]{32}'

describe.each(topologies)('on the wire ($kind)', (topology) => {
  const clients = twoClients(topology)
  const look = new Look(topology)
  noLeaks(topology)

  it.each([
    ['wire-work', '{wire-work}'],
    ['{tag}:wire-work', '{tag}:wire-work'],
    ['größe', '{größe}'],
  ])(
    'the limiter %s has places, levels, queues that wait, and when they count as gone',
    async (name, suffix) => {
      const gate = new Gate()
      const of = (client: RedissonClient) => client.getWorkLimiter(name, { concurrency: 2, rate: RATE })
      const running = of(clients.mine).run(gate.task('a'), { weight: 2 })
      await eventually(() => gate.running === 1)
      const waiting = of(clients.mine).run(gate.task('b'))
      const urgent = of(clients.other).run(gate.task('c'), { priority: 2 })
      await eventually(async () => {
        expect((await of(clients.mine).counts()).waitingProcesses).toBe(2)
      })

      const places = String(await look.ask(`ioredisson_work:${suffix}`, 'ZRANGE', 0, -1)).split(',')
      const [id = ''] = places[0]?.split(' ') ?? []
      expect(id).toMatch(new RegExp(`^${ID}$`))
      expect(places).toEqual([`${id} 1`, `${id} 2`])
      expect(Number(await look.ask(`ioredisson_work:${suffix}`, 'PTTL'))).toBeGreaterThan(20_000)
      expect(String(await look.ask(`ioredisson_work_rate:${suffix}`, 'GET'))).toMatch(
        /^1\d{15} 3600000:7200000000$/,
      )
      const queues = String(
        await look.ask(`ioredisson_work_waiting:${suffix}`, 'ZRANGE', 0, -1, 'WITHSCORES'),
      )
      expect(queues).toMatch(new RegExp(`^${ID},${String(-2 * 2 ** 42 + 1)},${ID},0$`))
      expect(String(await look.ask(`ioredisson_work_ends:${suffix}`, 'ZRANGE', 0, -1))).toMatch(
        new RegExp(`^${ID},${ID}$`),
      )
      for (const kind of ['waiting', 'ends'])
        expect(Number(await look.ask(`ioredisson_work_${kind}:${suffix}`, 'PTTL'))).toBeGreaterThan(60_000)

      for (const task of ['a', 'c', 'b']) {
        await eventually(() => gate.begun.includes(task))
        gate.let(task)
      }
      await Promise.all([running, waiting, urgent])
      await of(clients.mine).reset()
    },
  )
})

describe('what a call sends', () => {
  const clients = twoClients(single)
  noLeaks(single)

  it.each([
    [
      'without a rate',
      undefined,
      'get time zremrangebyscore exists zcard zadd pttl pexpire',
      'time zrem zrange',
    ],
    [
      'with a rate',
      RATE,
      'get time zremrangebyscore get exists zcard set zadd pttl pexpire',
      'time zrem zrange',
    ],
  ] as const)('is one script to begin and one to end, %s', async (_, rate, toBegin, toEnd) => {
    const limiter = clients.mine.getWorkLimiter('sent', { concurrency: 3, ...(rate && { rate }) })
    await limiter.run(() => 1)
    await using monitor = await Monitor.of(single.nodes)
    await limiter.run(() => 1)
    const deeds = await monitor.deeds()
    expect(deeds.filter(({ by }) => by === 'client').map(({ words }) => words[0])).toEqual([
      'evalsha',
      'evalsha',
    ])
    const commands = deeds.flatMap(({ by, words }) => (by === 'script' ? (words[0] ?? []) : [])).join(' ')
    expect(commands).toBe(`${toBegin} ${toEnd}`)
    await limiter.reset()
  })
})
