import type { Caller, Site, Thread } from '../run/thread.js'
import type { TailCall, Value, Values } from '../run/values.js'

/** A variable that may outlive the call in which it was declared. */
export class Cell {
  value: Value

  constructor(value: Value) {
    this.value = value
  }
}

/** One call of a function of a script. */
export class Frame implements Caller {
  readonly thread: Thread
  readonly calledAt: Site
  /** The variables that are used only in this function. */
  readonly slots: Value[]
  /** The others, at the same places. */
  readonly cells: Cell[] = []
  /** Those of functions around this one. */
  readonly upvalues: readonly Cell[]
  /** The arguments that have no names. */
  readonly varargs: Values

  constructor(thread: Thread, slots: number, upvalues: readonly Cell[], varargs: Values) {
    this.thread = thread
    this.calledAt = thread.site
    this.slots = new Array<Value>(slots)
    this.upvalues = upvalues
    this.varargs = varargs
  }
}

/** A compiled expression. */
export type Evaluate = (frame: Frame) => Value

/** A compiled expression, or list of them, with all its values. */
export type EvaluateAll = (frame: Frame) => Values

/** What ends a block: `break`, the values of `return`, a call that is returned, or nothing but its last statement. */
export type Completion = typeof BREAK | Values | TailCall | undefined

export const BREAK = Symbol('break')

/** A compiled statement. */
export type Execute = (frame: Frame) => Completion
