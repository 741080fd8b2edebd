import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { multimapValues } from '../../../src/core/context/names.js'
import { highwayHashName } from '../../../src/util/hash/highway-hash.js'
import { allOf } from '../../support/all-of.js'
import { askOwner } from '../../support/ask-owner.js'
import { twoClients } from '../../support/clients.js'
import { noLeaks } from '../../support/no-leaks.js'
import { topologies } from '../../support/topologies.js'
import { needEndsOfFields } from '../map-cache-native/ends-of-fields.js'
import { endingOf, entriesOf, KEYS, moves, type Model } from '../multimap-cache/moves.js'
import { sorted } from '../multimap/kinds.js'

/** How many sequences of calls are tried on each topology. */
const RUNS = { numRuns: 25 }

describe.each(topologies)('a native multimap cache beside a plain map ($kind)', (topology) => {
  noLeaks(topology)
  needEndsOfFields()
  const clients = twoClients(topology)
  const name = 'mm-native-model'

  const ask = (key: string, command: string, ...args: (string | number)[]) =>
    askOwner(topology, key, command, ...args)

  const valuesAt = (at: string) => multimapValues(name, highwayHashName(Buffer.from(at)))

  const endOf = async (at: string) =>
    ((await ask(name, 'HPEXPIRETIME', 'FIELDS', 1, at)) as (number | null)[])[0] ?? -2

  /** The values of a key stay, as where Redisson has set no end for them. */
  const end = async (keys: readonly string[]) => {
    for (const at of keys) {
      if ((await endOf(at)) < 0) continue
      await ask(valuesAt(at), 'PERSIST')
      await ask(name, 'HPEXPIREAT', 1, 'FIELDS', 1, at)
    }
  }

  it('does the same for all operations', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(moves(end), { maxLength: 25 }), async (sequence) => {
        const cache = clients.mine.getListMultimapCacheNative<string, number>(name)
        const model: Model = new Map()
        await cache.delete()
        for (const { what, call, model: expected } of sequence)
          expect(await call(cache), what).toEqual(expected(model))
        expect(sorted(await allOf(cache))).toEqual(sorted(entriesOf(model)))
        const ending = await Promise.all(
          [...model.keys()].map(async (at) => {
            const ends = await endOf(at)
            expect(await ask(valuesAt(at), 'PEXPIRETIME'), at).toBe(ends)
            return ends > 0 ? [at] : []
          }),
        )
        expect(ending.flat().toSorted()).toEqual(endingOf(model))
        await cache.delete()
        for (const at of KEYS) expect(await cache.getAll(at)).toEqual([])
      }),
      RUNS,
    )
  })
})
