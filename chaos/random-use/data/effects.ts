/** What one call does to the parts of an object, or says of them, as far as its result tells. */
export type Effect =
  Addition | Count | Write | Load | Read | Put | Take | Contained | Absent | Look | Id | Tally | Sum | Wrong

/** Adds to a number. */
export interface Addition {
  readonly is: 'addition'
  readonly cell: string
  readonly by: number
  /** The number afterwards, where that is known. */
  readonly after?: number
}

/** A number was read. */
export interface Count {
  readonly is: 'count'
  readonly cell: string
  readonly value: number
}

/** Sets a value, or removes it. */
export interface Write {
  readonly is: 'write'
  readonly cell: string
  /** Unique over the run; undefined where it is removed. */
  readonly value: string | undefined
  /** The value before, where that is known. */
  readonly before?: Value
}

/** Makes a value that may be found until another one is written. It replaces none itself. */
export interface Load {
  readonly is: 'load'
  readonly cell: string
  readonly value: string
  /** When it began, where that is known: what was written before it had ended is not made again. */
  readonly begunAt?: number
}

/** A value was read. */
export interface Read {
  readonly is: 'read'
  readonly cell: string
  readonly value: string | undefined
  /** For how many milliseconds a value may be found that another process has replaced; `unheard` for as long as a message of it may take. */
  readonly late?: number | 'unheard'
}

/** Undefined is the value of what is not there. */
export interface Value {
  readonly value: string | undefined
}

/** Adds elements, each of which is unique over the run. */
export interface Put {
  readonly is: 'put'
  readonly cell?: string
  readonly elements: readonly string[]
  /** Whether they come last, in their order. */
  readonly atEnd: boolean
}

/** Removes elements. */
export interface Take {
  readonly is: 'take'
  readonly cell?: string
  /** Which, where that is known. */
  readonly elements?: readonly string[]
  /** How many at most. */
  readonly most: number
  /** `shared` where several callers may take the same; `later` where the call returns before it takes anything, if it ever does. */
  readonly how?: 'shared' | 'later'
}

/** An element was there. */
export interface Contained {
  readonly is: 'contained'
  readonly cell?: string
  readonly element: string
  /** Whether all that stands before it has been taken by then, or may have been. */
  readonly isFirst?: true
}

/** An element was not there. */
export interface Absent {
  readonly is: 'absent'
  readonly element: string
}

/** All elements were read, in their order. */
export interface Look {
  readonly is: 'look'
  readonly cell?: string
  readonly elements: readonly string[]
}

/** An id was handed out. */
export interface Id {
  readonly is: 'id'
  readonly value: number
}

/** Adds to the part of a number that a process keeps. */
export interface Tally {
  readonly is: 'tally'
  readonly by: number
}

/** The sum of the parts of all processes was read. */
export interface Sum {
  readonly is: 'sum'
  readonly value: number
}

/** A result that no state of the object explains. */
export interface Wrong {
  readonly is: 'wrong'
  readonly what: string
}
