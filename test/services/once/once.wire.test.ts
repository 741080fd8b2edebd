import { describe, expect, it } from 'vitest'
import { twoClients } from '../../support/clients.js'
import { noLeaks } from '../../support/no-leaks.js'
import { topologies } from '../../support/topologies.js'
import { Look } from '../../support/look.js'

const TTL_MS = 60_000
const WATCHDOG_MS = 30_000

/** What a name and a fire come to. */
const marks = [
  ['wire-once', new Date(1_800_000_000_000), 'redisson_once:{wire-once}:1800000000000'],
  ['wire-once', 1_800_000_000_001, 'redisson_once:{wire-once}:1800000000001'],
  ['wire-once', '2027-01-15T08:00Z', 'redisson_once:{wire-once}:2027-01-15T08%3A00Z'],
  ['wire-once', undefined, 'redisson_once:{wire-once}:'],
  ['{tag}:wire-once', '{a}', 'redisson_once:{tag}:wire-once:%7Ba%7D'],
] as const

describe.each(topologies)('on the wire ($kind)', (topology) => {
  const clients = twoClients(topology)
  const look = new Look(topology)
  noLeaks(topology)

  it.each(marks)('a run of %s for %s is a text that expires', async (name, fire, key) => {
    const once = clients.mine.getOnce(name, { ttlMs: TTL_MS })
    const left = async () => Number(await look.ask(key, 'PTTL'))
    const of = fire === undefined ? {} : { fire }
    await once.run(async () => {
      expect(await look.ask(key, 'GET')).toMatch(/^[0-9a-f]{32}$/)
      expect(await left()).toBeGreaterThan(WATCHDOG_MS)
    }, of)
    expect(await left()).toBeLessThanOrEqual(TTL_MS)
    await look.ask(key, 'DEL')
    await once.run(async () => expect(await left()).toBeLessThanOrEqual(WATCHDOG_MS), {
      ...of,
      retry: 'onCrash',
    })
    expect(await left()).toBeGreaterThan(WATCHDOG_MS)
    expect(await look.ask(key, 'GET')).toMatch(/^[0-9a-f]{32}:settled$/)
    await look.ask(key, 'DEL')
  })
})
