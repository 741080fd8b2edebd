/**
 * What a run of the chaos suite leaves behind: one record per line of JSON.
 *
 * Every process appends to a file of its own, synchronously, so that a process that is killed leaves all it has done.
 * `at` is in milliseconds since the run began, on the machine's monotonic clock, which all processes share.
 */
export type Entry =
  | RunEntry
  | FaultEntry
  | ProcessEntry
  | BeginEntry
  | EndEntry
  | StepEntry
  | ResourceEntry
  | LookEntry
  | ClosingEntry
  | CallEntry
  | AnswerEntry
  | RejectedEntry
  | TroubleEntry

export const LOCKS = ['rlock', 'non-reentrant', 'fair', 'rw', 'fenced', 'redlock', 'semaphore'] as const
export const TOPOLOGIES = ['single', 'sentinel', 'cluster', 'redlock5'] as const

export type LockName = (typeof LOCKS)[number]
export type TopologyName = (typeof TOPOLOGIES)[number]

/** The first line: what was run. */
export interface RunEntry {
  readonly type: 'run'
  readonly seed: number
  readonly lock: LockName
  readonly topology: TopologyName
  /** How many replicas have to confirm that a lock was acquired, before the call resolves; 0 for none. */
  readonly syncedReplicas: number
  /** The lock of the watchdog, or the leases that were asked for. */
  readonly leaseMs: number
  /** How many may be inside at once: more than one for a semaphore. */
  readonly permits: number
}

/** Something was done to a server, a connection or a process, or undone. */
export interface FaultEntry {
  readonly type: 'fault'
  readonly at: number
  readonly phase: 'begin' | 'end'
  /** Which fault of the schedule, counted from 1; begin and end have the same. */
  readonly fault: number
  readonly kind: string
  readonly target: string
}

/** A client process came or went. Its open operations never end if it was killed. */
export interface ProcessEntry {
  readonly type: 'process'
  readonly at: number
  readonly process: string
  readonly phase: 'started' | 'killed' | 'ended'
}

/** Which side of a read-write lock; every other lock has only 'write'. */
export type Side = 'read' | 'write'

/** A request. */
export interface BeginEntry {
  readonly type: 'begin'
  readonly at: number
  /** Unique over all processes of the run; the end has the same. */
  readonly id: string
  readonly process: string
  /** Which of the flows of the process. With the process it is the owner, as far as re-entry goes. */
  readonly flow: number
  readonly op: 'acquire' | 'release'
  readonly side: Side
  /** The lock (the resource that it guards) by name: a run may use several. */
  readonly name: string
  /** Unique over the run: which hold is asked for, or given back. */
  readonly hold: string
  /** The hold within which this one is asked for by the same owner. */
  readonly within?: string
}

/** The result of a request. */
export interface EndEntry {
  readonly type: 'end'
  readonly at: number
  readonly id: string
  /** `refused`: an attempt that was over in time and got nothing. `failed`: rejected, with the code of the error. */
  readonly outcome: 'ok' | 'refused' | 'failed'
  readonly error?: string
  /** The fencing token of the hold, where the lock mints one. */
  readonly token?: number
}

/**
 * A holder does something to the resource, having asked its hold whether it still is the holder.
 *
 * `at` is taken before the hold is asked. So a flow that has made a step was, by its own knowledge, the holder from the end
 * of its acquisition until `at` of its last step: two such spans of two owners that overlap are two holders at once.
 */
export interface StepEntry {
  readonly type: 'step'
  readonly at: number
  readonly hold: string
  /**
   * `holds`: it still was. `lost`: it was not, and the holder stopped. `added`: the element `element` was written to
   * the resource's set by reading and writing it whole, and the resource confirmed it. `fenced-off`: the resource refused the
   * write, as it has seen a newer token.
   */
  readonly what: 'holds' | 'lost' | 'added' | 'fenced-off'
  readonly element?: string
}

/** What the resource's set holds when the run has ended: the element of every `added` should be among them. */
export interface ResourceEntry {
  readonly type: 'resource'
  readonly at: number
  readonly name: string
  readonly elements: readonly string[]
}

/**
 * Another connection has looked whether Redis has what a hold claims. The hold was valid before and after the look.
 */
export interface LookEntry {
  readonly type: 'look'
  readonly at: number
  readonly hold: string
  /** How many holds Redis has to know of this owner, at least. */
  readonly claimed: number
  /** How many it knows. */
  readonly found: number
}

/** A client is shut down. */
export interface ClosingEntry {
  readonly type: 'closing'
  readonly at: number
  readonly process: string
  readonly phase: 'begin' | 'end'
  /** For how long what is held may come to its end, in milliseconds. */
  readonly drainMs: number
  /** Whether what is held then is given back. */
  readonly release: boolean
}

/** A method of a data object is called. */
export interface CallEntry {
  readonly type: 'call'
  readonly at: number
  /** Unique over all processes of the run; the answer has the same. */
  readonly id: string
  readonly process: string
  /** Which of the flows of the process. */
  readonly flow: number
  /** The object, by its kind and its name. */
  readonly kind: string
  readonly name: string
  readonly method: string
  /** What it is called with. */
  readonly args: CallArguments
  readonly exactlyOnce: boolean
  /** The batch that it is part of, and its place in it. */
  readonly batch?: { readonly id: string; readonly place: number }
}

export interface CallArguments {
  readonly key?: string
  readonly values?: readonly string[]
  /** What is added. */
  readonly by?: number
  /** The value that the key must have. */
  readonly expected?: string | number
}

/** What came of a call of a data object. */
export interface AnswerEntry {
  readonly type: 'answer'
  readonly at: number
  readonly id: string
  readonly outcome: 'ok' | 'failed'
  /** What it returned; left out for `undefined`. */
  readonly result?: unknown
  readonly error?: string
  /** Whether it may have taken effect although it failed. */
  readonly mayHaveRun?: boolean
}

/** Something that happened to a process or a server and should not. */
export interface TroubleEntry {
  readonly type: 'trouble'
  readonly at: number
  readonly where: string
  readonly what: string
}

/** A call that is neither an acquisition nor a release was rejected. */
export interface RejectedEntry {
  readonly type: 'rejected'
  readonly at: number
  readonly process: string
  readonly what: string
  readonly error: string
}
