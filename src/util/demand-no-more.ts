import { inspectShort } from './inspect-short.js'

/** What a program may have meant by an argument of a call that takes none. */
export const ALONE = 'the call is about this object alone'

/** What it may have meant by a unit of time. */
export const IN_MILLISECONDS = 'every duration is in milliseconds'

/**
 * Refuses an argument that the call would ignore.
 *
 * @param hint - what a program may have meant by it
 */
export function demandNoMore(surplus: unknown, hint?: string): void {
  if (surplus !== undefined) throw surplusError(surplus, hint)
}

export function surplusError(surplus: unknown, hint = IN_MILLISECONDS): TypeError {
  return new TypeError(`Expected no further argument, got ${inspectShort(surplus)}: ${hint}`)
}
