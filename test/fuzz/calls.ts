import fc from 'fast-check'
import { inspect } from 'node:util'
import { isRedissonError } from '../../src/index.js'
import type { Sample } from '../contracts/subject.js'
import { subjects } from '../contracts/subjects.js'
import { waitMs, type Argument } from '../contracts/takes.js'
import { given, Planted, type Given } from './given.js'
import { ABORTED } from './hostile.js'

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
      Reflect.ownKeys(methods).map((method) => ({ subject, method })),
    ),
  )
  .chain(({ subject, method }) =>
    anyArgs(sampleOf(subject, method)).map((args) => {
      const call = { subject, method, args }
      return { ...call, [fc.toStringMethod]: () => shownCall(call) }
    }),
  )

/** The arguments of one of the overloads, without the last of them, or one too many where all others would do harm. */
function anyArgs({ forms, harmsOthers = false }: Sample): fc.Arbitrary<readonly Given[]> {
  if (harmsOthers) return anyOf(forms[0] ?? []).map((args) => [...args, given('surplus')])
  return fc.constantFrom(...forms).chain((form) => {
    const args = anyOf(form)
    return fc.oneof(
      { weight: 4, arbitrary: args },
      fc.tuple(args, fc.nat(form.length)).map(([all, length]) => all.slice(0, length)),
    )
  })
}

function anyOf(form: readonly Argument[]): fc.Arbitrary<readonly Given[]> {
  return fc.tuple(...form.flatMap(({ any, isRest = false }) => (isRest ? [any, any] : [any])))
}

export function shownCall({ subject, method, args }: Call): string {
  return `${subject}.${String(method)}(${args.map(({ label }) => label).join(', ')})`
}

/** Calls it; resolves with what is wrong about how it ended, or with undefined. */
export async function faultOf(call: Call, object: object): Promise<string | undefined> {
  const { isSound, refuses } = sampleOf(call.subject, call.method)
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
    return isSound(value) ? undefined : `returned ${inspect(value, { depth: 0 })}`
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
  const sample = sampleOf(subject, method)
  if (isRedissonError(error)) {
    const isExpected =
      !SURPRISES.some((code) => code === error.code) ||
      sample.sendsAnything === true ||
      (error.code === 'COMMAND' && sample.mayBeRefusedByRedis === true) ||
      (error.code === 'REPLY_TIMEOUT' && takesWait(sample))
    if (isExpected) return undefined
  }
  if ((error instanceof TypeError || error instanceof RangeError) && /^Expected /.test(error.message))
    return undefined
  return `failed with ${shownError(error)}`
}

/** Whether it takes a time to wait, which bounds the time to reach Redis as well. */
function takesWait({ forms }: Sample): boolean {
  return forms
    .flat()
    .some((taken) => taken === waitMs || (typeof taken.sound === 'object' && 'waitMs' in (taken.sound ?? {})))
}

function isAbort(error: unknown): boolean {
  return error instanceof DOMException && /^(Abort|Timeout)Error$/.test(error.name)
}

function shownError(error: unknown): string {
  return error instanceof Error
    ? `${error.name}: ${error.message.slice(0, 200)}`
    : inspect(error, { depth: 0 })
}

function sampleOf(subject: string, method: string | symbol): Sample {
  const found = subjects[subject]?.methods[method]
  if (found) return found
  throw new Error(`Expected a method of ${subject}, got ${String(method)}`)
}
