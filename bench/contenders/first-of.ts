/**
 * The first of those that there have to be.
 *
 * @throws RangeError if there is none
 */
export function firstOf<T>(all: readonly T[]): T {
  const [first] = all
  if (first === undefined) throw new RangeError('Expected at least one server, got none')
  return first
}
