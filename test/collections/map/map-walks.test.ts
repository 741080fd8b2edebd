import { describe, expect, it } from 'vitest'
import { allOf } from '../../support/all-of.js'
import { twoClients } from '../../support/clients.js'
import { noLeaks } from '../../support/no-leaks.js'
import { topologies } from '../../support/topologies.js'

const STAYING = 8_000

/** Entries that come and go while others walk, so that Redis changes the size of its table again and again. */
const COMING = 20_000

describe.each(topologies)('a walk through a map that changes ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)
  const staying = Array.from({ length: STAYING }, (_, n) => [`stays-${String(n)}`, n] as const)
  const coming = Array.from({ length: COMING }, (_, n) => [`comes-${String(n)}`, n] as const)

  /** Runs something while entries come and go. */
  const whileChanging = async (name: string, walk: () => Promise<void>) => {
    const map = clients.other.getMap<string, number>(name)
    await map.putAll(staying)
    const enough = new AbortController()
    const changes = (async () => {
      while (!enough.signal.aborted) {
        await map.putAll(coming)
        await map.fastRemove(...coming.map(([key]) => key))
      }
    })()
    try {
      await walk()
    } finally {
      enough.abort()
      await changes
      await map.delete()
    }
  }

  it('comes to all that stays', async () => {
    const name = `walk-${topology.kind}`
    await whileChanging(name, async () => {
      const map = clients.mine.getMap<string, number>(name)
      const seen = new Set<string>()
      for await (const key of map.keys({ count: 500 })) seen.add(key)
      for (const [key] of staying) expect(seen.has(key), key).toBe(true)
      const entries = new Map(await allOf(map.entries({ count: 500 })))
      for (const [key, value] of staying) expect(entries.get(key), key).toBe(value)
      expect(await map.containsValue(STAYING - 1)).toBe(true)
    })
  })

  it('reads all that stays, each key once', async () => {
    const name = `read-${topology.kind}`
    await whileChanging(name, async () => {
      const map = clients.mine.getMap<string, number>(name)
      const keys = await map.readAllKeySet()
      expect(new Set(keys).size).toBe(keys.length)
      expect(keys.filter((key) => key.startsWith('stays-'))).toHaveLength(STAYING)
      const entries = await map.readAllEntrySet()
      expect(new Set(entries.map(([key]) => key)).size).toBe(entries.length)
      expect(entries.filter(([key]) => key.startsWith('stays-'))).toHaveLength(STAYING)
      const values = await map.readAllValues()
      expect(values.length).toBeGreaterThanOrEqual(STAYING)
    })
  })
})
