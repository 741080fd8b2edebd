import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { multimapEnds } from '../../../src/core/context/names.js'
import { allOf } from '../../support/all-of.js'
import { askOwner } from '../../support/ask-owner.js'
import { twoClients } from '../../support/clients.js'
import { noLeaks } from '../../support/no-leaks.js'
import { topologies } from '../../support/topologies.js'
import { sorted } from '../multimap/kinds.js'
import { endingOf, entriesOf, moves, type Model } from './moves.js'

/** How many sequences of calls are tried on each topology. */
const RUNS = { numRuns: 25 }

describe.each(topologies)('a multimap cache beside a plain map ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)
  const name = 'mm-cache-model'
  const ends = multimapEnds(name, 'list')

  const end = async (keys: readonly string[]) => {
    if (keys.length > 0) await askOwner(topology, ends, 'ZADD', 'XX', ...keys.flatMap((at) => [1, at]))
  }

  it('does the same for all operations', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(moves(end), { maxLength: 25 }), async (sequence) => {
        const cache = clients.mine.getListMultimapCache<string, number>(name)
        const model: Model = new Map()
        await cache.delete()
        for (const { what, call, model: expected } of sequence)
          expect(await call(cache), what).toEqual(expected(model))
        expect(sorted(await allOf(cache))).toEqual(sorted(entriesOf(model)))
        const ending = (await askOwner(topology, ends, 'ZRANGE', 0, -1)) as string[]
        expect(ending.toSorted()).toEqual(endingOf(model))
        await cache.delete()
      }),
      RUNS,
    )
  })
})
