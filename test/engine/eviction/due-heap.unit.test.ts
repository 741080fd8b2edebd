import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DueHeap, type Due } from '../../../src/eviction/due-heap.js'

const dueAt = (moment: number): Due => ({ dueAt: moment, position: undefined })

describe('a heap of what is due', () => {
  it('is empty at first', () => {
    const heap = new DueHeap()
    expect(heap.size).toBe(0)
    expect(heap.first).toBe(undefined)
  })

  it('does nothing for an item that is not in it', () => {
    const heap = new DueHeap()
    const [one, other] = [dueAt(1), dueAt(2)]
    heap.add(one)
    heap.remove(other)
    heap.remove(one)
    heap.remove(one)
    expect(heap.size).toBe(0)
  })

  it('keeps its order when the last item takes the place of one that was due later, in another branch', () => {
    const heap = new DueHeap()
    const items = [1, 100, 2, 200, 300, 5, 6, 201, 202, 301, 302, 7].map(dueAt) // as they lie in the heap
    for (const item of items) heap.add(item)
    const [, , , replaced] = items
    if (replaced) heap.remove(replaced)
    expect(drained(heap)).toEqual([1, 2, 5, 6, 7, 100, 201, 202, 300, 301, 302])
  })

  it('always has the item first that is due first, after any additions and removals', () => {
    const step = fc.oneof(
      { weight: 3, arbitrary: fc.record({ add: fc.integer({ min: 0, max: 50 }) }) },
      { weight: 1, arbitrary: fc.record({ remove: fc.nat() }) },
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const heap = new DueHeap()
        const model: Due[] = []
        for (const each of steps) {
          if ('add' in each) {
            const item = dueAt(each.add)
            heap.add(item)
            model.push(item)
          } else {
            const [item] = model.splice(each.remove % Math.max(1, model.length), 1)
            if (item) heap.remove(item)
          }
          expect(heap.size).toBe(model.length)
          expect(heap.first?.dueAt).toBe(
            model.length === 0 ? undefined : Math.min(...model.map((one) => one.dueAt)),
          )
        }
        expect(drained(heap)).toEqual(model.map((one) => one.dueAt).toSorted((a, b) => a - b))
      }),
    )
  })
})

/** The moments of all items, in the order in which they come out. */
function drained(heap: DueHeap<Due>): number[] {
  const moments: number[] = []
  for (let { first } = heap; first !== undefined; first = heap.first) {
    moments.push(first.dueAt)
    heap.remove(first)
  }
  return moments
}
