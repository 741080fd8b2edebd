import type { Bytes } from '../../reply.js'
import { newIdentity } from './identities.js'
import type { Table } from './table.js'
import type { Site, Thread } from './thread.js'

/** A value of Lua. `nil` is `undefined`, and a string has one character for each byte. */
export type Value = undefined | boolean | number | Bytes | Table | Func | LightUserdata

/** Arguments or results: a list of any length. */
export type Values = readonly Value[]

export const NO_VALUES: Values = []

/** What a function does. It is not told how many results its caller wants, and may leave the last call to its caller. */
export type Body = (args: Values, thread: Thread) => Values | TailCall

/** A function, of the library or of a script. */
export class Func {
  readonly identity = newIdentity()
  readonly body: Body
  readonly isOfScript: boolean

  constructor(body: Body, { isOfScript = false } = {}) {
    this.body = body
    this.isOfScript = isOfScript
  }
}

/** A call that takes the place of the function that has made it, so that calls of this kind are never within each other. */
export class TailCall {
  readonly callee: Func
  readonly args: Values
  readonly site: Site

  constructor(callee: Func, args: Values, site: Site) {
    this.callee = callee
    this.args = args
    this.site = site
  }
}

/** A pointer of C. Scripts see only the one that stands for the null of JSON. */
export class LightUserdata {
  readonly identity = newIdentity()
}

export const NULL_POINTER = new LightUserdata()

export function isTrue(value: Value): boolean {
  return value !== undefined && value !== false
}

export function typeOf(value: Value): string {
  switch (typeof value) {
    case 'undefined':
      return 'nil'
    case 'object':
      return value instanceof Func ? 'function' : value instanceof LightUserdata ? 'userdata' : 'table'
    default:
      return typeof value
  }
}
