import { inspectShort } from './inspect-short.js'

/**
 * Refuses an argument that the call would ignore.
 *
 * @param hint - what a program may have meant by it
 */
export function demandNoMore(surplus: unknown, hint = 'every duration is in milliseconds'): void {
  if (surplus === undefined) return
  throw new TypeError(`Expected no further argument, got ${inspectShort(surplus)}: ${hint}`)
}
