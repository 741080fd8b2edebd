/** The iterator of what is iterated over, which ends without a value. */
export function iteratorOf<V>(iterable: AsyncIterable<V>): AsyncIterator<V, undefined> {
  return iterable[Symbol.asyncIterator]() as AsyncIterator<V, undefined>
}
