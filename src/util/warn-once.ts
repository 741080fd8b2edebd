import { withoutAsyncContext } from './time/without-async-context.js'

/** How many subjects of one code are warned of. There may be a new one for each request, and a log has to stay readable. */
const MOST_SUBJECTS = 1000

/** What was warned of, by code. */
const warned = new Map<string, Set<string>>()

/**
 * Emits a process warning, once for each code and subject, up to a thousand subjects of a code.
 *
 * @param subject - what the warning is about, such as the name of an object; the message may say more
 */
export function warnOnce(code: `REDISSON_${string}`, subject: string, message: string): void {
  const subjects = warned.get(code) ?? new Set<string>()
  if (subjects.size === MOST_SUBJECTS || subjects.has(subject)) return
  warned.set(code, subjects.add(subject))
  withoutAsyncContext(() => {
    process.emitWarning(message, { code })
  })
}
