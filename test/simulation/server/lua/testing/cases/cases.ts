import type { Bytes } from '../../../reply.js'
import { attempting, showing } from '../shown.js'

/** Scripts on one matter, whose replies have to be those of Redis. */
export interface Cases {
  /** Lists of expressions, all of whose values are compared. */
  readonly values?: readonly Bytes[]
  /** Bodies of functions, whose results or errors are compared. */
  readonly bodies?: readonly Bytes[]
  /** Whole scripts, whose replies are compared. */
  readonly scripts?: readonly Bytes[]
}

export function scriptsOf({ values = [], bodies = [], scripts = [] }: Cases): Bytes[] {
  return [...values.map(showing), ...bodies.map(attempting), ...scripts]
}
