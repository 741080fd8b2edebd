import { ALONE, surplusError } from './demand-no-more.js'
import { areCallsRefused, guardedCall } from './refused-calls.js'

/** Stands for the advice about a method each argument of which counts. */
export const ANY_NUMBER = Symbol('any number of arguments')

/** What a program may have meant by a further argument, by method. */
export type Advice = Readonly<Record<string, string | typeof ANY_NUMBER>>

export type Method = (this: never, ...args: readonly unknown[]) => unknown

/** What is no method to a program: `JSON.stringify()` calls `toJSON()` with a key, and `ask()` is for objects themselves. */
const NO_METHODS = ['constructor', 'toJSON', 'ask']

const AsyncFunction = (async () => await Promise.resolve()).constructor

/**
 * Makes the methods of a class refuse arguments that they would ignore, such as a unit of time after a
 * number.
 *
 * A method takes as many arguments as it declares parameters. None of them may have a default value: JavaScript does not count those.
 *
 * While the function of a batch runs, they also refuse to go past the batch. Without their object they say so.
 */
export function refuseSurplus({ prototype }: { readonly prototype: object }, advice: Advice = {}): void {
  for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
    const hint = Object.hasOwn(advice, name) ? advice[name] : undefined
    if (NO_METHODS.includes(name) || typeof value !== 'function') continue
    const how = hint === ANY_NUMBER ? { most: Infinity } : { hint }
    const method = guarded(name, value as Method, how)
    Object.defineProperty(prototype, name, { value: method, writable: true, configurable: true })
  }
}

/**
 * The same method, which refuses what it would ignore, and a call without its object: by a rejection where it returns a promise.
 *
 * @param most - how many arguments it takes
 */
export function guarded(
  name: string,
  method: Method,
  {
    most = method.length,
    hint = most === 0 ? ALONE : undefined,
  }: { readonly most?: number; readonly hint?: string | undefined },
): Method {
  const isAsync = method instanceof AsyncFunction
  const methods = {
    [name](this: object | undefined, ...args: readonly unknown[]): unknown {
      const surplus = args.length > most ? args.slice(most).find((each) => each !== undefined) : undefined
      if (surplus === undefined && this !== undefined)
        return areCallsRefused()
          ? guardedCall(name, this, isAsync, () => Reflect.apply(method, this, args))
          : Reflect.apply(method, this, args)
      const refusal = this === undefined ? unboundError(name) : surplusError(surplus, hint)
      if (isAsync) return Promise.reject(refusal)
      throw refusal
    },
  }
  return methods[name] as Method
}

/** Destructuring leaves a method without its object. */
function unboundError(name: string): TypeError {
  return new TypeError(
    `Expected ${name}() to be called on its object, got a call without one: pass the object, and not its method`,
  )
}
