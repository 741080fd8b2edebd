import { callFromLibrary } from '../run/calls.js'
import { isLess } from '../run/comparing.js'
import { failure } from '../run/errors.js'
import type { Table } from '../run/table.js'
import { NATIVE, type Thread } from '../run/thread.js'
import { isTrue, NO_VALUES, type Value, type Values } from '../run/values.js'
import type { Arguments } from './arguments.js'
import { put } from './table.js'

/** What is sorted, and how. */
interface Sorting {
  readonly list: Table
  readonly thread: Thread
  readonly isBefore: (one: Value, another: Value) => boolean
}

/**
 * `table.sort`. It does not keep the order of equal elements. It exchanges the same ones as Lua 5.1 does, so that they end up in the same
 * places.
 */
export function sort(args: Arguments, thread: Thread): Values {
  const list = args.table(1)
  const order = args.at(2) === undefined ? undefined : args.function(2)
  const isBefore = (one: Value, another: Value) =>
    order
      ? isTrue(callFromLibrary(thread, order, [one, another])[0])
      : isLess(one, another, thread.native, NATIVE)
  sortRange({ list, thread, isBefore }, 1, list.length())
  return NO_VALUES
}

/** Quicksort: the smaller part by recursion, the larger one in the loop. */
function sortRange(sorting: Sorting, first: number, last: number): void {
  let low = first
  let high = last
  while (low < high) {
    orderPair(sorting, low, high)
    if (high - low === 1) return
    const middle = (low + high) >> 1
    if (!orderPair(sorting, low, middle)) orderPair(sorting, middle, high)
    if (high - low === 2) return
    const place = partition(sorting, low, high, middle)
    if (place - low < high - place) {
      sortRange(sorting, low, place - 1)
      low = place + 1
    } else {
      sortRange(sorting, place + 1, high)
      high = place - 1
    }
  }
}

/** Moves what comes before the middle element to its left, and the rest to its right. Returns where it ends up. */
function partition(sorting: Sorting, low: number, high: number, middle: number): number {
  const { list, isBefore } = sorting
  const pivot = list.getNumber(middle)
  exchange(sorting, middle, high - 1)
  let left = low
  let right = high - 1
  for (;;) {
    do left = checked(sorting, left + 1, left > high)
    while (isBefore(list.getNumber(left), pivot))
    do right = checked(sorting, right - 1, right < low)
    while (isBefore(pivot, list.getNumber(right)))
    if (right < left) break
    exchange(sorting, left, right)
  }
  exchange(sorting, high - 1, left)
  return left
}

/** The next place to look at. One beyond the ends means that the order contradicts itself. */
function checked({ thread }: Sorting, place: number, isBeyond: boolean): number {
  if (isBeyond) throw failure(thread, 'invalid order function for sorting')
  return place
}

/** Puts two elements in order, and says whether they were not. */
function orderPair(sorting: Sorting, one: number, another: number): boolean {
  const { list, isBefore } = sorting
  const isWrong = isBefore(list.getNumber(another), list.getNumber(one))
  if (isWrong) exchange(sorting, one, another)
  return isWrong
}

function exchange({ list, thread }: Sorting, one: number, another: number): void {
  const first = list.getNumber(one)
  put(list, one, list.getNumber(another), thread)
  put(list, another, first, thread)
}
