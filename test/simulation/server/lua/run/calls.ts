import { operationFailure, typeFailure } from './errors.js'
import { metamethod } from './metatables.js'
import { type Caller, NATIVE, type Site, type Thread } from './thread.js'
import { Func, TailCall, type Value, type Values } from './values.js'

/** How many calls may be within each other that are calls of C in Lua. */
const DEEPEST_IN_C = 200

/** Calls a value. @param name - what the script calls it, for the error */
export function call(callee: Value, args: Values, caller: Caller, site: Site, name?: string): Values {
  const { thread } = caller
  if (callee instanceof Func) {
    thread.caller = caller
    thread.site = site
    return finished(callee.body(args, thread), thread)
  }
  const method = metamethod(callee, '__call')
  if (!(method instanceof Func)) throw typeFailure('call', callee, name, caller, site)
  return call(method, [callee, ...args], caller, site)
}

/** The last call of a function of a script. Its caller carries it out, unless it is one of the library's. */
export function callLast(
  callee: Value,
  args: Values,
  caller: Caller,
  site: Site,
  name?: string,
): Values | TailCall {
  return callee instanceof Func && callee.isOfScript
    ? new TailCall(callee, args, site)
    : call(callee, args, caller, site, name)
}

function finished(outcome: Values | TailCall, thread: Thread): Values {
  let current = outcome
  while (current instanceof TailCall) {
    thread.site = current.site
    current = current.callee.body(current.args, thread)
  }
  return current
}

/** A call that takes place within an operation, or within a function of the library. In Lua it is a call of C. */
export function callWithin(callee: Value, args: Values, caller: Caller, site: Site): Values {
  const { thread } = caller
  thread.depthInC += 1
  if (thread.depthInC >= DEEPEST_IN_C) throw operationFailure('C stack overflow', caller, site)
  const results = call(callee, args, caller, site)
  thread.depthInC -= 1
  return results
}

/** Calls a value from a function of the library, which goes on afterwards. */
export function callFromLibrary(thread: Thread, callee: Value, args: Values): Values {
  const { caller, site } = thread
  const results = callWithin(callee, args, thread.native, NATIVE)
  thread.caller = caller
  thread.site = site
  return results
}
