import { factOf, isError, textOf } from '../util/thrown/thrown.js'
import { isRedissonError } from './redisson-error.js'

/** The names of errors that JavaScript and its platform make. Any other name may be one that a program has made of its data. */
const BUILT_IN: ReadonlySet<string> = new Set([
  'AbortError',
  'AggregateError',
  'DataCloneError',
  'EvalError',
  'InvalidStateError',
  'NotSupportedError',
  'OperationError',
  'RangeError',
  'ReferenceError',
  'SyntaxError',
  'TimeoutError',
  'TypeError',
  'URIError',
])

/** What kind of error it is, for a trace: the words of the error itself may name owners and keys. */
export function withoutWords(error: unknown, what: string): Error {
  const isOurs = isRedissonError(error)
  const name = isOurs ? textOf(() => error.name) : builtInName(error)
  const facts = isOurs ? { code: factOf(error, 'code') } : {}
  return Object.assign(new Error(`${what} has failed`), { name, ...facts })
}

function builtInName(error: unknown): string {
  const name = isError(error) ? factOf(error, 'name') : undefined
  return typeof name === 'string' && BUILT_IN.has(name) ? name : 'Error'
}
