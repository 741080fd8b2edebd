import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LinkedList } from '../../../src/util/collections/linked-list.js'

describe('a linked list', () => {
  it('equals an array after any additions and removals', () => {
    const moves = fc.array(fc.record({ adds: fc.boolean(), value: fc.nat(8) }), { maxLength: 100 })
    fc.assert(
      fc.property(moves, (all) => {
        const list = new LinkedList<number>()
        let model: number[] = []
        for (const { adds, value } of all) {
          const had = model.includes(value)
          if (adds) {
            list.add(value)
            if (!had) model.push(value)
          } else {
            expect(list.delete(value)).toBe(had)
            model = model.filter((each) => each !== value)
          }
          expect([...list]).toEqual(model)
          expect([list.first, list.size, list.has(value)]).toEqual([model[0], model.length, adds])
        }
      }),
    )
  })
})
