import type { Contender } from './contender.js'

/** What a contender cannot that has no locks: every kind of them, for one reason. */
export function nothingButValues(why: string): Contender['cannot'] {
  return {
    lock: why,
    'renewed-lock': why,
    'fair-lock': why,
    'read-lock': why,
    'fenced-lock': why,
    semaphore: why,
    'rate-grant': why,
    'rate-refusal': why,
    'red-lock': why,
  }
}
