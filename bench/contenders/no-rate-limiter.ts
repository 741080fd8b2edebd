import type { Contender } from './contender.js'

const NONE = 'there is none'

/** What a library cannot that has no rate limiter. */
export const noRateLimiter: Contender['cannot'] = { 'rate-grant': NONE, 'rate-refusal': NONE }
