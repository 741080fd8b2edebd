/**
 * Settles as a promise does, if it does so in time.
 *
 * @throws Error that says TIMEOUT, if not
 */
export async function orTimeout<T>(promise: Promise<T>, withinMs: number): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    reject(new Error(`TIMEOUT after ${String(withinMs / 1000)} s`))
  }, withinMs)
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
