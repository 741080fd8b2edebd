import { isRedissonError } from './redisson-error.js'

/** For a request on whose reply nothing depends: `false` for its failure, unless the client was shut down, which every call says. */
export function falseUnlessClosed(error: unknown): false {
  if (isRedissonError(error, 'CLOSED')) throw error
  return false
}
