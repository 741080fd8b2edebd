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
  const { name, code } = isRedissonError(error) ? error : { name: builtInName(error), code: undefined }
  const facts = code === undefined ? {} : { code }
  return Object.assign(new Error(`${what} has failed`), { name, ...facts })
}

function builtInName(error: unknown): string {
  return error instanceof Error && BUILT_IN.has(error.name) ? error.name : 'Error'
}
