import { demandCount } from '../numbers.js'
import type { Bytes } from '../reply.js'

/** Where a range begins and ends, of which an end below zero counts from the back. */
export function boundsOf(length: number, start: Bytes, stop: Bytes): [from: number, to: number] {
  const from = demandCount(start)
  const to = demandCount(stop)
  return [Math.max(0, from < 0 ? length + from : from), Math.max(0, (to < 0 ? length + to : to) + 1)]
}
