import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RDeque } from '../../../src/index.js'
import { allOf } from '../../support/all-of.js'
import { twoClients } from '../../support/clients.js'
import { noLeaks } from '../../support/no-leaks.js'
import { topologies } from '../../support/topologies.js'
import { queueMoves, value, type Model, type Move, type Value } from '../queue/queue-moves.js'

/** How many sequences of calls are tried on each topology. */
const RUNS = { numRuns: 20 }

const NONE = 'NO_SUCH_ELEMENT'

const values = fc.array(value, { minLength: 1, maxLength: 3 })

const orNone = (element: Value | undefined) => (element === undefined ? NONE : element)

/** Adds values in front, one after the other. */
function addFirst(model: Value[], added: readonly Value[]): number {
  return model.unshift(...added.toReversed())
}

function removeAt(model: Value[], place: number): boolean {
  return place >= 0 && model.splice(place, 1).length > 0
}

const moves: fc.Arbitrary<Move<RDeque<Value>>> = fc.oneof(
  { weight: 1, arbitrary: queueMoves },
  {
    weight: 3,
    arbitrary: fc.oneof(
      values.map((vs) => ({
        what: `addFirst ${vs.join()}`,
        call: (deque: RDeque<Value>) => deque.addFirst(...vs),
        model: ({ mine }: Model) => addFirst(mine, vs),
      })),
      values.map((vs) => ({
        what: `addLast ${vs.join()}`,
        call: (deque: RDeque<Value>) => deque.addLast(...vs),
        model: ({ mine }: Model) => mine.push(...vs),
      })),
      values.map((vs) => ({
        what: `addFirstIfExists ${vs.join()}`,
        call: (deque: RDeque<Value>) => deque.addFirstIfExists(...vs),
        model: ({ mine }: Model) => (mine.length === 0 ? 0 : addFirst(mine, vs)),
      })),
      values.map((vs) => ({
        what: `addLastIfExists ${vs.join()}`,
        call: (deque: RDeque<Value>) => deque.addLastIfExists(...vs),
        model: ({ mine }: Model) => (mine.length === 0 ? 0 : mine.push(...vs)),
      })),
      fc.nat({ max: 4 }).map((count) => ({
        what: `pollLast ${String(count)}`,
        call: (deque: RDeque<Value>) => deque.pollLast(count),
        model: ({ mine }: Model) => mine.splice(Math.max(mine.length - count, 0), count).toReversed(),
      })),
      fc.constant({
        what: 'pollLast',
        call: (deque: RDeque<Value>) => deque.pollLast(),
        model: ({ mine }: Model) => mine.pop(),
      }),
      fc.constant({
        what: 'removeLast',
        call: (deque: RDeque<Value>) => deque.removeLast(),
        model: ({ mine }: Model) => orNone(mine.pop()),
      }),
      fc.constant({
        what: 'pop',
        call: (deque: RDeque<Value>) => deque.pop(),
        model: ({ mine }: Model) => orNone(mine.shift()),
      }),
      fc.constant({
        what: 'getLast',
        call: (deque: RDeque<Value>) => deque.getLast(),
        model: ({ mine }: Model) => orNone(mine.at(-1)),
      }),
      value.map((v) => ({
        what: `removeFirstOccurrence ${String(v)}`,
        call: (deque: RDeque<Value>) => deque.removeFirstOccurrence(v),
        model: ({ mine }: Model) => removeAt(mine, mine.indexOf(v)),
      })),
      value.map((v) => ({
        what: `removeLastOccurrence ${String(v)}`,
        call: (deque: RDeque<Value>) => deque.removeLastOccurrence(v),
        model: ({ mine }: Model) => removeAt(mine, mine.lastIndexOf(v)),
      })),
      fc
        .tuple(fc.constantFrom('first', 'last'), fc.boolean(), fc.boolean())
        .map(([poll, isFirst, isItself]) => ({
          what: `move the ${poll} to ${isFirst ? 'front' : 'end'} of ${isItself ? 'itself' : 'another'}`,
          call: (deque: RDeque<Value>, other: string) => {
            const name = isItself ? deque.name : other
            return deque.move(isFirst ? { poll, addFirstTo: name } : { poll, addLastTo: name })
          },
          model: ({ mine, other }: Model) => {
            const moved = poll === 'first' ? mine.shift() : mine.pop()
            const target = isItself ? mine : other
            if (moved !== undefined) target.splice(isFirst ? 0 : target.length, 0, moved)
            return moved
          },
        })),
    ),
  },
)

describe.each(topologies)('a deque beside an array ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)

  it('does the same for all operations', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(moves, { maxLength: 30 }), async (sequence) => {
        const deque = clients.mine.getDeque<Value>('{deque-model}')
        const other = clients.other.getDeque<Value>('{deque-model}:other')
        const model: Model = { mine: [], other: [] }
        await clients.mine.getKeys().delete(deque.name, other.name)
        for (const { what, call, model: expected } of sequence) {
          const outcome = await call(deque, other.name).catch(
            (error: unknown) => (error as { code: string }).code,
          )
          expect(outcome, what).toEqual(expected(model))
        }
        expect(await deque.readAll()).toEqual(model.mine)
        expect(await other.readAll()).toEqual(model.other)
        expect(await allOf(deque.descendingIterator())).toEqual(model.mine.toReversed())
        await clients.mine.getKeys().delete(deque.name, other.name)
      }),
      RUNS,
    )
  })
})
