import type { Bytes } from '../../reply.js'
import { newIdentity } from './identities.js'
import type { Table } from './table.js'
import type { Thread } from './thread.js'

/** A value of Lua. `nil` is `undefined`, and a string has one character for each byte. */
export type Value = undefined | boolean | number | Bytes | Table | Func | LightUserdata

/** Arguments or results: a list of any length. */
export type Values = readonly Value[]

export const NO_VALUES: Values = []

/** What a function does. It is not told how many results its caller wants. */
export type Body = (args: Values, thread: Thread) => Values

/** A function, of a script or of the library. */
export class Func {
  readonly identity = newIdentity()
  readonly body: Body

  constructor(body: Body) {
    this.body = body
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
