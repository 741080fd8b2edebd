import { timerDelay } from './timers.js'

/** Stands for an answer that did not come in time. */
export class NotInTime extends Error {
  override readonly name = 'TimeoutError'

  constructor(patienceMs: number) {
    super(`No answer within ${String(patienceMs)} ms`)
  }
}

/**
 * What became of several promises, in order, as soon as all have settled.
 *
 * As soon as enough of them are fulfilled, the others have only so many milliseconds more; those that take longer count as
 * rejected.
 */
export async function settledWithin<T>(
  promises: readonly Promise<T>[],
  enough: number,
  patienceMs: number,
): Promise<PromiseSettledResult<T>[]> {
  const results: (PromiseSettledResult<T> | undefined)[] = promises.map(() => undefined)
  const over = Promise.withResolvers<void>()
  let timer: NodeJS.Timeout | undefined
  let fulfilled = 0
  const noted = promises.map(async (promise, index) => {
    const [result] = await Promise.allSettled([promise])
    results[index] = result
    if (result.status === 'fulfilled') fulfilled += 1
    if (fulfilled >= enough && patienceMs < Infinity)
      timer ??= setTimeout(over.resolve, timerDelay(patienceMs))
  })
  await Promise.race([Promise.all(noted), over.promise])
  clearTimeout(timer)
  return results.map((result) => result ?? { status: 'rejected', reason: new NotInTime(patienceMs) })
}
