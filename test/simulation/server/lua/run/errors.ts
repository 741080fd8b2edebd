import { type Caller, NATIVE, type Site, type Thread } from './thread.js'
import { typeOf, type Value } from './values.js'

/** A script that is no Lua. The message is that of Redis, from `user_script:1:` on. */
export class LuaSyntaxError extends Error {
  override readonly name = 'LuaSyntaxError'
}

/** What a script raises, until it is caught. */
export class LuaError extends Error {
  override readonly name = 'LuaError'
  readonly value: Value
  /** Where it was raised. */
  readonly site: Site

  constructor(value: Value, site: Site) {
    super(typeof value === 'string' ? value : typeOf(value))
    this.value = value
    this.site = site
  }
}

/** What comes before the message of an error that was raised there. */
export function positionOf(site: Site): string {
  return site === NATIVE ? '' : `${site.source.slice(1)}:${site.line}: `
}

/** An error of a function of the library. It names the line that has called it. */
export function failure(thread: Thread, message: string): LuaError {
  return new LuaError(positionOf(thread.site) + message, thread.site)
}

/** The same without the line. */
export function failureWithoutLine(thread: Thread, message: string): LuaError {
  return new LuaError(message, thread.site)
}

/** An error of an operation, such as the addition of nil. In the library it has no line. */
export function operationFailure(message: string, caller: Caller, site: Site): LuaError {
  return new LuaError(positionOf(site) + message, site === NATIVE ? caller.thread.site : site)
}

/**
 * The error of a value that cannot be used so.
 *
 * @param operation - such as `index`
 * @param name - what the script calls the value, such as `local 'x'`
 */
export function typeFailure(
  operation: string,
  value: Value,
  name: string | undefined,
  caller: Caller,
  site: Site,
): LuaError {
  const type = typeOf(value)
  const what = name === undefined ? `a ${type} value` : `${name} (a ${type} value)`
  return operationFailure(`attempt to ${operation} ${what}`, caller, site)
}
