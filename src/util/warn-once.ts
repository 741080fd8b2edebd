import { withoutAsyncContext } from './without-async-context.js'

/** Warnings that are remembered. Beyond that the oldest is forgotten, and would be repeated. */
const MOST_REMEMBERED = 1000

const warned = new Set<string>()

/**
 * Emits a process warning, once for each code and subject.
 *
 * @param subject - what the warning is about, such as the name of an object; the message may say more
 */
export function warnOnce(code: `REDISSON_${string}`, subject: string, message: string): void {
  const key = `${code} ${subject}`
  if (warned.has(key)) return
  for (const oldest of warned) {
    if (warned.size < MOST_REMEMBERED) break
    warned.delete(oldest)
  }
  warned.add(key)
  withoutAsyncContext(() => {
    process.emitWarning(message, { code })
  })
}
