import { numberFrom } from '../numbers/from-text.js'
import { callWithin } from './calls.js'
import { typeFailure } from './errors.js'
import { metamethod } from './metatables.js'
import type { Caller, Site } from './thread.js'
import type { Value } from './values.js'

/** An operation on two numbers. */
export interface Arithmetic {
  readonly event: string
  readonly apply: (left: number, right: number) => number
}

/** The operations, by their signs. */
export const arithmetic = {
  '+': { event: '__add', apply: (left, right) => left + right },
  '-': { event: '__sub', apply: (left, right) => left - right },
  '*': { event: '__mul', apply: (left, right) => left * right },
  '/': { event: '__div', apply: (left, right) => left / right },
  '%': { event: '__mod', apply: (left, right) => left - Math.floor(left / right) * right },
  '^': { event: '__pow', apply: power },
} as const satisfies Record<string, Arithmetic>

export const negation: Arithmetic = { event: '__unm', apply: (number) => -number }

/** What the script calls the operands, for the error. */
export interface Names {
  readonly left: string | undefined
  readonly right: string | undefined
}

/** A number, or a text that is one. */
export function asNumber(value: Value): number | undefined {
  if (typeof value === 'number') return value
  return typeof value === 'string' ? numberFrom(value) : undefined
}

/** The result for operands that are not both numbers. */
export function calculate(
  operation: Arithmetic,
  left: Value,
  right: Value,
  caller: Caller,
  site: Site,
  names?: Names,
): Value {
  const first = asNumber(left)
  const second = asNumber(right)
  if (first !== undefined && second !== undefined) return operation.apply(first, second)
  const method = metamethod(left, operation.event) ?? metamethod(right, operation.event)
  if (method !== undefined) return callWithin(method, [left, right], caller, site)[0]
  throw first === undefined
    ? typeFailure('perform arithmetic on', left, names?.left, caller, site)
    : typeFailure('perform arithmetic on', right, names?.right, caller, site)
}

/** As C has it: 1 to any power is 1, and so is -1 to an infinite one. */
export function power(base: number, exponent: number): number {
  const isOne = base === 1 || (base === -1 && Math.abs(exponent) === Infinity)
  return isOne ? 1 : base ** exponent
}
