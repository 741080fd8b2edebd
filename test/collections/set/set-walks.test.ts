import { describe, expect, it } from 'vitest'
import { allOf } from '../../support/all-of.js'
import { twoClients } from '../../support/clients.js'
import { noLeaks } from '../../support/no-leaks.js'
import { topologies } from '../../support/topologies.js'

const STAYING = 8_000

/** Values that come and go while others walk, so that Redis changes the size of its table again and again. */
const COMING = 20_000

describe.each(topologies)('a walk through a set that changes ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)
  const staying = Array.from({ length: STAYING }, (_, n) => `stays-${String(n)}`)
  const coming = Array.from({ length: COMING }, (_, n) => `comes-${String(n)}`)

  /** Runs something while values come and go. */
  const whileChanging = async (name: string, walk: () => Promise<void>) => {
    const set = clients.other.getSet<string>(name)
    await set.addAll(staying)
    const enough = new AbortController()
    const changes = (async () => {
      while (!enough.signal.aborted) {
        await set.addAll(coming)
        await set.removeAll(coming)
      }
    })()
    try {
      await walk()
    } finally {
      enough.abort()
      await changes
      await set.delete()
    }
  }

  it('comes to all that stays', async () => {
    const name = `set-walk-${topology.kind}`
    await whileChanging(name, async () => {
      const seen = new Set(await allOf(clients.mine.getSet<string>(name).values({ count: 500 })))
      expect(staying.filter((value) => !seen.has(value))).toEqual([])
    })
  })

  it('reads all that stays, each value once', async () => {
    const name = `set-read-${topology.kind}`
    await whileChanging(name, async () => {
      const values = await clients.mine.getSet<string>(name).readAll()
      expect(new Set(values).size).toBe(values.length)
      expect(values.filter((value) => value.startsWith('stays-'))).toHaveLength(STAYING)
    })
  })

  it('retains all that is to stay', async () => {
    const name = `set-retain-${topology.kind}`
    await whileChanging(name, async () => {
      const set = clients.mine.getSet<string>(name)
      await set.addAll(Array.from({ length: STAYING }, (_, n) => `goes-${String(n)}`))
      expect(await set.retainAll([...staying, ...coming])).toBe(true)
      const left = await set.readAll()
      expect(left.filter((value) => value.startsWith('goes-'))).toEqual([])
      expect(left.filter((value) => value.startsWith('stays-'))).toHaveLength(STAYING)
    })
  })
})
