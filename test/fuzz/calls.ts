import fc from 'fast-check'
import { inspect } from 'node:util'
import { isRedissonError } from '../../src/index.js'
import { Planted, type Given } from './given.js'
import { ABORTED } from './hostile.js'
import { subjects, type Method } from './subjects.js'

/** A call of one method of one subject. */
export interface Call {
  readonly subject: string
  readonly method: string | symbol
  readonly args: readonly Given[]
}

/** Any method, with any arguments, or without the last of them. */
export const anyCall: fc.Arbitrary<Call> = fc
  .constantFrom(
    ...Object.entries(subjects).flatMap(([subject, { methods }]) =>
      keysOf(methods).map((method) => ({ subject, method })),
    ),
  )
  .chain(({ subject, method }) => {
    const { takes } = methodOf(subject, method)
    const count = fc.oneof({ weight: 4, arbitrary: fc.constant(takes.length) }, fc.nat(takes.length))
    return fc.tuple(fc.tuple(...takes), count).map(([args, length]) => {
      const call = { subject, method, args: args.slice(0, length) }
      return { ...call, [fc.toStringMethod]: () => shownCall(call) }
    })
  })

export function shownCall({ subject, method, args }: Call): string {
  return `${subject}.${String(method)}(${args.map(({ label }) => label).join(', ')})`
}

/** Calls it; resolves with what is wrong about how it ended, or with undefined. */
export async function faultOf(call: Call, object: object): Promise<string | undefined> {
  const { answers, refuses } = methodOf(call.subject, call.method)
  const fn = Reflect.get(object, call.method) as (...args: unknown[]) => unknown
  const args = call.args.map(({ make }) => make())
  let answer: unknown
  try {
    answer = Reflect.apply(fn, object, args)
  } catch (error) {
    return refuses === 'by throwing'
      ? faultOfError(call, error)
      : `threw ${shownError(error)} before it replied a promise`
  }
  try {
    const value = refuses === 'by throwing' ? answer : await answer
    return answers(value) ? undefined : `answered ${inspect(value, { depth: 0 })}`
  } catch (error) {
    return faultOfError(call, error)
  }
}

/** Errors that only say that Redis or the library was surprised. */
const SURPRISES = [
  'COMMAND',
  'SCRIPT',
  'UNEXPECTED_REPLY',
  'CONNECTION_LOST',
  'REPLY_TIMEOUT',
  'SERVER_NOT_READY',
] as const

function faultOfError({ subject, method }: Call, error: unknown): string | undefined {
  if (error instanceof Planted || error === ABORTED || isAbort(error)) return undefined
  // They send any command.
  const ofTheCaller =
    subject === 'script' || subject === 'function' || (subject === 'fencingGuard' && method === 'run')
  if (methodOf(subject, method).mayBeRefusedByRedis && isRedissonError(error) && error.code === 'COMMAND')
    return undefined
  if (isRedissonError(error) && (ofTheCaller || !SURPRISES.some((code) => code === error.code)))
    return undefined
  if ((error instanceof TypeError || error instanceof RangeError) && /^Expected /.test(error.message))
    return undefined
  return `failed with ${shownError(error)}`
}

function isAbort(error: unknown): boolean {
  return error instanceof DOMException && /^(Abort|Timeout)Error$/.test(error.name)
}

function shownError(error: unknown): string {
  return error instanceof Error
    ? `${error.name}: ${error.message.slice(0, 200)}`
    : inspect(error, { depth: 0 })
}

function methodOf(subject: string, method: string | symbol): Method {
  const found = subjects[subject]?.methods[method]
  if (found) return found
  throw new Error(`Expected a method of ${subject}, got ${String(method)}`)
}

function keysOf(methods: object): readonly (string | symbol)[] {
  return Reflect.ownKeys(methods)
}
