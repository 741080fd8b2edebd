import { CounterOverflowError } from './counter.errors.js'
import { isRedissonError } from '../../errors/redisson-error.js'
import { WrongTypeError } from '../../errors/reply-errors.js'

/** What Redis says of a sum that it cannot write. */
const OVERFLOW = /would overflow|would produce NaN or Infinity/

/** What Redis says of a text that is no number. */
const NO_NUMBER = /value is not an integer|value is not a valid float/

/** The error of an addition, as its caller shall have it. Redis has changed nothing where it refuses to add. */
export function additionFailure(error: unknown, name: string): unknown {
  if (!isRedissonError(error) || !(error.cause instanceof Error)) return error
  return isRefusal(error.cause) ? additionRefused(error.cause, name) : error
}

/** What it means that Redis has refused to add. */
export function additionRefused(cause: Error, name: string): CounterOverflowError | WrongTypeError {
  return OVERFLOW.test(cause.message)
    ? new CounterOverflowError(name, { cause })
    : new WrongTypeError(name, { cause })
}

function isRefusal({ message }: Error): boolean {
  return OVERFLOW.test(message) || NO_NUMBER.test(message)
}
