import { vi } from 'vitest'

/** A loader that waits until it is let go. */
export function held<V>(value: V) {
  const begun = Promise.withResolvers<void>()
  const { promise, resolve, reject } = Promise.withResolvers<V>()
  const loader = vi.fn((_load: object) => {
    begun.resolve()
    return promise
  })
  const letGo = () => {
    resolve(value)
  }
  return { loader, begun: begun.promise, letGo, fail: reject }
}
