import { warnOnce } from '../../util/warn-once.js'

/** Warns of a semaphore that is waited for and is not there: a wrong name looks the same as permits that are set later. */
export function warnOfNone(semaphore: string): void {
  warnOnce(
    'REDISSON_SEMAPHORE_NOT_SET',
    semaphore,
    `Semaphore ${semaphore} is waited for, and was never set, or its key has gone. Call trySetPermits(), or bring ` +
      '{ permits } when you get it.',
  )
}

/** Warns of a semaphore that has not the permits that this program brings for it. */
export function warnOfOthers(semaphore: string, brought: number, there: string): void {
  warnOnce(
    'REDISSON_PERMITS_DIFFER',
    semaphore,
    `Semaphore ${semaphore} has ${there}, which stays; this program brings ${String(brought)}.`,
  )
}
