import { afterRunning } from './after-running.js'

/** Stands for a reply that did not come in time. */
export class NotInTime extends Error {
  override readonly name = 'TimeoutError'

  constructor(patienceMs: number) {
    super(`No reply within ${String(patienceMs)} ms`)
  }
}

/** What became of a promise; undefined where that did not show in time. */
export type Settled<T> = PromiseSettledResult<T> | undefined

/**
 * What became of several promises, in order, as soon as all have settled.
 *
 * As soon as enough of them are fulfilled, the others have only that number of milliseconds more.
 */
export function settledWithin<T>(
  promises: readonly Promise<T>[],
  enough: number,
  patienceMs: number,
): Promise<Settled<T>[]> {
  const { promise, resolve } = Promise.withResolvers<Settled<T>[]>()
  const results: Settled<T>[] = promises.map(() => undefined)
  let stopTimer: (() => void) | undefined
  let unsettled = promises.length
  let fulfilled = 0
  const end = (): void => {
    stopTimer?.()
    resolve([...results])
  }
  const note = (index: number, result: PromiseSettledResult<T>): void => {
    results[index] = result
    unsettled -= 1
    if (result.status === 'fulfilled') fulfilled += 1
    const isEnough = fulfilled >= enough
    if (unsettled === 0 || (isEnough && patienceMs <= 0)) end()
    else if (isEnough && patienceMs < Infinity) stopTimer ??= afterRunning(patienceMs, end)
  }
  for (const [index, each] of promises.entries())
    each.then(
      (value) => {
        note(index, { status: 'fulfilled', value })
      },
      (reason: unknown) => {
        note(index, { status: 'rejected', reason })
      },
    )
  if (unsettled === 0) end()
  return promise
}
