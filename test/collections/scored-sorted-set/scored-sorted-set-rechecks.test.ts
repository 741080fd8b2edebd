import { expect, it, vi } from 'vitest'
import { Redisson, type RScoredSortedSet } from '../../../src/index.js'
import { eventually } from '../../support/eventually.js'
import { Monitor } from '../../support/monitor.js'
import { single } from '../../support/topologies.js'

/** So that a waiter looks again and again without a change of the key. */
vi.mock('../../../src/waiting/recheck.js', () => ({ RECHECK_MS: 20 }))

const patience = { waitMs: 60_000 }

it.each<[what: string, poll: (set: RScoredSortedSet<string>) => Promise<unknown>]>([
  ['one set', (set) => set.pollFirst(patience)],
  ['any of several sets', (set) => set.pollFirstFromAny(['rechecked-too'], patience)],
])('writes nothing while it waits for a value of %s', async (_, poll) => {
  await using client = await Redisson.create(single.options())
  await using monitor = await Monitor.of([single.nodes[0]])
  const set = client.getScoredSortedSet<string>('rechecked')
  const polled = poll(set)
  const looks = async () => (await monitor.deedsOn('rechecked')).map(({ words }) => words[0])
  await eventually(async () => {
    expect((await looks()).filter((word) => word === 'zcard').length).toBeGreaterThan(5)
  })
  const seen = await looks()
  expect(new Set(seen.slice(seen.indexOf('zcard')))).toEqual(new Set(['zcard']))
  await set.add(1, 'a')
  expect(await polled).toBe('a')
})
