import { wholeNumber } from '../../core/arguments/arguments.js'

/** The largest integer of Java. */
export const LARGEST_CAPACITY = 2 ** 31 - 1

/** @throws RangeError for a number of elements that Java could not have, and for 0 */
export function checkedCapacity(capacity: number): number {
  if (wholeNumber('capacity', capacity, 1) <= LARGEST_CAPACITY) return capacity
  throw new RangeError(
    `Expected \`capacity\` to be ${String(LARGEST_CAPACITY)} or less, got ${String(capacity)}`,
  )
}
