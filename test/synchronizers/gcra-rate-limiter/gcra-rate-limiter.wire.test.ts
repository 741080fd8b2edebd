import { describe, expect, it } from 'vitest'
import type { RGcraRateLimiter } from '../../../src/index.js'
import { twoClients } from '../../support/clients.js'
import { Look } from '../../support/look.js'
import { Monitor } from '../../support/monitor.js'
import { noLeaks } from '../../support/no-leaks.js'
import { single, topologies } from '../../support/topologies.js'
import { Clocked } from './clocked.js'

const HOUR_MS = 3_600_000

describe.each(topologies)('on the wire ($kind)', (topology) => {
  const clients = twoClients(topology)
  const look = new Look(topology)
  noLeaks(topology)

  it.each([
    ['wire-gcra', 'user-7', 'wire-gcra:gcra/user-7'],
    ['{tag}:wire-gcra', '::1', '{tag}:wire-gcra:gcra/::1'],
  ])('the limiter %s has a text for the key %s', async (name, key, stored) => {
    const limiter = clients.mine.getRateLimiter(name, {
      algorithm: 'gcra',
      limits: [
        { limit: 100, perMs: 24 * HOUR_MS },
        { limit: 10, perMs: HOUR_MS },
      ],
    })
    await limiter.consume(key, { cost: 2 })
    const text = String(await look.ask(stored, 'GET'))
    expect(text).toMatch(/^1\d{15} 86400000:172800000 3600000:7200000000$/)
    expect(Number(await look.ask(stored, 'PTTL'))).toBeGreaterThan(1_728_000 - 60_000)
    await limiter.reset(key)
  })
})

describe('what a call sends', () => {
  const clients = twoClients(single)
  noLeaks(single)

  const commandsOf = async (call: () => Promise<unknown>): Promise<string> => {
    await using monitor = await Monitor.of(single.nodes)
    await call()
    const deeds = await monitor.deeds()
    return deeds.flatMap(({ by, words }) => (by === 'script' ? (words[0] ?? []) : [])).join(' ')
  }

  it.each([
    ['passes', 3, 'time get set'],
    ['is refused', 1, 'time get'],
  ])('is one script for a request with one limit that %s', async (_, burst, commands) => {
    const limiter = clients.mine.getRateLimiter('sent', {
      algorithm: 'gcra',
      limit: 1,
      perMs: HOUR_MS,
      burst,
    })
    await limiter.consume('a')
    expect(await commandsOf(() => limiter.consume('a'))).toBe(commands)
    await limiter.reset('a')
  })

  it.each<readonly [string, (limiter: RGcraRateLimiter) => Promise<unknown>, string]>([
    ['a request that passes', (limiter) => limiter.consume('a'), 'time get set'],
    ['one that is refused', (limiter) => limiter.consume('full'), 'time get'],
    ['a look', (limiter) => limiter.peek('a'), 'time get'],
  ])('is one script for %s', async (_, call, commands) => {
    const limiter = clients.mine.getRateLimiter('sent', {
      algorithm: 'gcra',
      limits: [
        { limit: 1, perMs: HOUR_MS, burst: 3 },
        { limit: 2, perMs: 1000 * HOUR_MS },
      ],
    })
    await limiter.consume('full', { cost: 2 })
    await limiter.consume('a')
    await limiter.peek('a')
    expect(await commandsOf(() => call(limiter))).toBe(commands)
    await Promise.all([limiter.reset('a'), limiter.reset('full')])
  })
})

describe('turns that were given back', () => {
  noLeaks(single)

  it('stand behind the levels', async () => {
    const clocked = new Clocked(single.nodes[0], 'turns', [{ limit: 1, perMs: 1000 }])
    const second = 1_000_000
    clocked.now = 1_764_000_000 * second
    await clocked.acquire(1)
    const { turn } = await clocked.acquire(1)
    await clocked.acquire(1)
    await clocked.giveBack(turn, 1)
    expect(String(await clocked.state())).toBe('1764000000000000 1000:3000000|1764000001000000=1')
    await clocked.forget()
  })
})
