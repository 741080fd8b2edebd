import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { allOf } from '../../support/all-of.js'
import { twoClients } from '../../support/clients.js'
import { noLeaks } from '../../support/no-leaks.js'
import { topologies } from '../../support/topologies.js'
import { queueMoves, type Model, type Value } from './queue-moves.js'

/** How many sequences of calls are tried on each topology. */
const RUNS = { numRuns: 20 }

describe.each(topologies)('a queue beside an array ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)

  it('does the same for all operations', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(queueMoves, { maxLength: 30 }), async (sequence) => {
        const queue = clients.mine.getQueue<Value>('{queue-model}')
        const other = clients.other.getQueue<Value>('{queue-model}:other')
        const model: Model = { mine: [], other: [] }
        await clients.mine.getKeys().delete(queue.name, other.name)
        for (const { what, call, model: expected } of sequence) {
          const outcome = await call(queue, other.name).catch(
            (error: unknown) => (error as { code: string }).code,
          )
          expect(outcome, what).toEqual(expected(model))
        }
        expect(await queue.readAll()).toEqual(model.mine)
        expect(await allOf(queue)).toEqual(model.mine)
        expect(await other.readAll()).toEqual(model.other)
        await clients.mine.getKeys().delete(queue.name, other.name)
      }),
      RUNS,
    )
  })
})
