import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { EventHeap, type Ordered } from './event-heap.js'

const event = fc.record({ at: fc.nat(30), phase: fc.nat(2), isRemoved: fc.boolean() })
const events = fc.array(event, { maxLength: 100, size: 'max' })

it('returns what was not removed by time, phase and order', () => {
  fc.assert(
    fc.property(events, (plans) => {
      const heap = new EventHeap<Ordered>()
      const all = plans.map(({ at, phase }, order) => ({ at, phase, order, place: -1 }))
      for (const event of all) heap.add(event)
      for (const [index, event] of all.entries()) if (plans[index]?.isRemoved === true) heap.remove(event)
      const left = all.filter((_, index) => plans[index]?.isRemoved !== true)
      const sorted = left.sort(
        (one, other) => one.at - other.at || one.phase - other.phase || one.order - other.order,
      )
      expect(takeAll(heap)).toEqual(sorted.map((event) => ({ ...event, place: -1 })))
    }),
  )
})

it('removes those that a condition is true of, and ignores what is not in it', () => {
  const heap = new EventHeap<Ordered>()
  const [first, second, third] = [1, 2, 3].map((order) => ({ at: 0, phase: 0, order, place: -1 }))
  for (const event of [first, second, third]) if (event !== undefined) heap.add(event)
  expect(heap.removeWhere(({ order }) => order < 3)).toEqual([first, second])
  if (first !== undefined) heap.remove(first)
  expect(takeAll(heap)).toEqual([third])
})

function takeAll(heap: EventHeap<Ordered>): Ordered[] {
  const taken: Ordered[] = []
  for (let { first } = heap; first !== undefined; { first } = heap) {
    heap.remove(first)
    taken.push(first)
  }
  return taken
}
