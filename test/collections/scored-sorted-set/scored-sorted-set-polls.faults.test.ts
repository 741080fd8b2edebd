import { describe, expect, it, vi } from 'vitest'
import { Redisson } from '../../../src/index.js'
import { askOwner } from '../../support/ask-owner.js'
import { eventually } from '../../support/eventually.js'
import { noLeaks } from '../../support/no-leaks.js'
import { proxied } from '../../support/proxied.js'
import { single } from '../../support/topologies.js'

/** Long enough for a slow machine, and for many copies of a request. */
const PATIENT = { timeout: 2000, retryAttempts: 10, retryDelay: 5, reconnectionDelay: 5 }

/** Longer than a test may take, so that a waiter wakes by a change of the key. */
vi.mock('../../../src/waiting/recheck.js', () => ({ RECHECK_MS: 600_000 }))

describe('the taking of values over a connection that breaks', () => {
  noLeaks(single)

  it.each(['requests', 'replies'] as const)(
    'at any byte of its %s: loses no value, and has none twice',
    async (direction) => {
      const key = `cut-scored-${direction}`
      const door = await proxied(single)
      const proxy = door.proxyOf(single.nodes[0])
      const client = await Redisson.create(door.options(PATIENT))
      const set = client.getScoredSortedSet<string>(key)
      let byte = 0
      for (; !proxy.cuts; byte += 1) {
        proxy.cutAfter(byte, direction)
        const first = set.takeFirst()
        await eventually(async () => {
          const info = String(await single.nodes[0].command('INFO', 'stats'))
          expect(info).toMatch(/tracking_total_keys:[1-9]/)
        })
        await askOwner(single, key, 'ZADD', '1', '"a"', '2', '"b"')
        expect([await first, await set.takeLast()], `cut after ${String(byte)} bytes`).toEqual(['a', 'b'])
        expect(await askOwner(single, key, 'EXISTS')).toBe(0)
      }
      expect(byte).toBeGreaterThan(100) // or nothing was cut
      await client.shutdown()
      await door.stop()
    },
    120_000,
  )
})
