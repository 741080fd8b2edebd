import type { Contender } from './contender.js'

/** What a contender cannot that has plain locks and nothing else: every other kind, for one reason. */
export function nothingButLocks(why: string): Contender['cannot'] {
  return {
    'renewed-lock': why,
    'fair-lock': why,
    'read-lock': why,
    'fenced-lock': why,
    semaphore: why,
    'rate-grant': why,
    'rate-refusal': why,
    'red-lock': why,
    bucket: why,
    counter: why,
    map: why,
    list: why,
    set: why,
    topic: why,
    'blocking-queue': why,
    'reliable-queue': why,
    stream: why,
    cache: why,
    'key-limits': why,
  }
}
