import { nameOf, type SharedObject } from './objects.js'

/** What one flow does, repeatedly. It is plain data, so that it can be sent to processes and read by people. */
export type Program = readonly Step[]

export type Step =
  | Pause
  | Enter
  | AsThread
  | Fork
  | Force
  | Ask
  | Latch
  | Once
  | Lead
  | Extend
  | Restart
  | Use
  | Deliver
  | Receive
  | Work

export interface Pause {
  readonly do: 'pause'
  readonly ms: number
}

/** The forms of entering: a function, a hold, a hold that is disposed of, or step by step. */
export const FORMS = ['withLock', 'acquire', 'using', 'lock'] as const
export type Form = (typeof FORMS)[number]

/** Enters what an object guards, does the steps inside, and leaves. */
export interface Enter {
  readonly do: 'enter'
  /** The number of the object. */
  readonly object: number
  readonly form: Form
  readonly permits?: number
  readonly leaseMs?: number
  readonly waitMs?: number
  /** Gives up by a signal after this number of milliseconds. */
  readonly abortMs?: number
  /** The thread that is named, for those who enter step by step. */
  readonly threadId?: number
  /** How often the same owner asks, if it is refused. */
  readonly tries?: number
  /** Extends the hold as soon as it is there: to a lease, or with 0 without an end. */
  readonly extendMs?: number
  readonly steps: readonly Step[]
}

/** Does the steps as one thread. */
export interface AsThread {
  readonly do: 'thread'
  readonly threadId?: number
  readonly steps: readonly Step[]
}

/** Does several lists of steps side by side. */
export interface Fork {
  readonly do: 'fork'
  readonly branches: readonly (readonly Step[])[]
}

export interface Force {
  readonly do: 'force'
  readonly object: number
}

/** Asks a rate limiter. */
export interface Ask {
  readonly do: 'ask'
  readonly object: number
  readonly permits: number
  readonly waitMs: number
}

/** Sets a latch if it is at zero, counts it down, or waits for it. */
export interface Latch {
  readonly do: 'latch'
  readonly object: number
  readonly act: 'set' | 'count-down' | 'await'
  readonly waitMs: number
}

/** Does steps, unless another one has done theirs for the same fire. */
export interface Once {
  readonly do: 'once'
  readonly object: number
  readonly fire: number
  readonly retry?: 'onError' | 'onCrash' | 'both'
  /** Whether the steps end with an error. */
  readonly fails?: boolean
  readonly steps: readonly Step[]
}

/** Is a candidate for this time, and does the steps whenever it leads. */
export interface Lead {
  readonly do: 'lead'
  readonly object: number
  readonly forMs: number
  /** Whether to compete again after a leadership. */
  readonly requeue: boolean
  /** Whether the steps end with an error. */
  readonly fails?: boolean
  readonly steps: readonly Step[]
}

/** Extends the innermost hold around it: to a lease, or with 0 without an end, by the watchdog. */
export interface Extend {
  readonly do: 'extend'
  readonly leaseMs: number
}

/** Shuts the client down while others use it, and goes on with a new one. */
export interface Restart {
  readonly do: 'restart'
  readonly drainMs: number
  readonly release: boolean
}

/** Calls methods of data objects. */
export interface Use {
  readonly do: 'use'
  /** One after the other, at the same time, or in a batch. */
  readonly how: 'one by one' | 'together' | 'pipeline' | 'atomic'
  readonly exactlyOnce: boolean
  readonly calls: readonly DataCall[]
}

/** Takes messages of a queue, does steps with each of them, and settles it. */
export interface Deliver {
  readonly do: 'deliver'
  readonly object: number
  /** All at once, or one after the other. */
  readonly form: 'poll' | 'consume'
  /** How many at most. */
  readonly count: number
  /** How long it waits for the first one, or for each. */
  readonly waitMs: number
  /** How long a delivery lasts; otherwise the watchdog renews it. */
  readonly visibilityMs?: number
  /** Gives up by a signal after this number of milliseconds. */
  readonly abortMs?: number
  /** How each delivery ends. One that is left ends with its time. */
  readonly settle: 'ack' | 'nack' | 'reject' | 'release' | 'leave'
  /** After a `nack`, when the message comes again. */
  readonly delayMs: number
  readonly steps: readonly Step[]
}

/** Takes messages of a stream or a reliable topic, does steps with each of them, and settles it. */
export interface Receive {
  readonly do: 'receive'
  readonly object: number
  /** The group, or the name of the subscriber. */
  readonly group: string
  /** How many at most. */
  readonly count: number
  /** How long a consumer waits for each, or a listener for all. */
  readonly waitMs: number
  /** Gives up by a signal after this number of milliseconds. */
  readonly abortMs?: number
  /** How each ends: acknowledged, given back by `nack()` or by an error of the listener, or left to its time. */
  readonly settle: 'ack' | 'nack' | 'leave'
  readonly steps: readonly Step[]
}

/** Does steps within a work limiter. */
export interface Work {
  readonly do: 'work'
  readonly object: number
  readonly weight: number
  readonly priority: number
  /** How long it waits for its turn; without it, as long as it takes. */
  readonly waitMs?: number
  /** Gives up by a signal after this number of milliseconds. */
  readonly abortMs?: number
  readonly steps: readonly Step[]
}

/** The key that is wanted at the time of a call. */
export const CLAIM = 'now'

/** One call. Its values are made when it is called, so that each is unique. */
export interface DataCall {
  readonly object: number
  readonly method: string
  /** May be {@link CLAIM}. */
  readonly key?: string
  readonly by?: number
}

/** All steps of a program, those within others as well. */
export function* allSteps(steps: readonly Step[]): Generator<Step> {
  for (const step of steps) {
    yield step
    if (step.do === 'fork') yield* allSteps(step.branches.flat())
    else if ('steps' in step) yield* allSteps(step.steps)
  }
}

/** A program in one line. */
export function inShort(steps: readonly Step[], objects: readonly SharedObject[]): string {
  return steps.map((step) => stepInShort(step, objects)).join('; ')
}

function stepInShort(step: Step, objects: readonly SharedObject[]): string {
  const block = (steps: readonly Step[]) => `{ ${inShort(steps, objects)} }`
  switch (step.do) {
    case 'pause':
      return `${String(step.ms)} ms`
    case 'enter':
      return [step.form, objectInShort(step.object, objects), ...optionsOf(step), block(step.steps)].join(' ')
    case 'thread':
      return `thread ${step.threadId === undefined ? '' : `${String(step.threadId)} `}${block(step.steps)}`
    case 'fork':
      return `fork ${step.branches.map(block).join(' ')}`
    case 'force':
      return `force ${objectInShort(step.object, objects)}`
    case 'ask':
      return `ask ${objectInShort(step.object, objects)} for ${String(step.permits)}, wait ${String(step.waitMs)}`
    case 'once':
      return `once ${objectInShort(step.object, objects)} for ${String(step.fire)} ${block(step.steps)}`
    case 'lead':
      return `lead ${objectInShort(step.object, objects)} for ${String(step.forMs)} ms ${block(step.steps)}`
    case 'extend':
      return `extend to ${String(step.leaseMs)}`
    case 'restart':
      return `restart with a drain of ${String(step.drainMs)} ms${step.release ? ' and a release' : ''}`
    case 'use': {
      const calls = step.calls.map((call) => callInShort(call, objects)).join(', ')
      return `${step.how}${step.exactlyOnce ? ' exactly once' : ''} ( ${calls} )`
    }
    case 'deliver':
      return `${step.form} ${objectInShort(step.object, objects)} ${deliverInShort(step)} ${block(step.steps)}`
    case 'receive':
      return `receive ${objectInShort(step.object, objects)} ${receiveInShort(step)} ${block(step.steps)}`
    case 'work':
      return `work ${objectInShort(step.object, objects)} ${workInShort(step)} ${block(step.steps)}`
    case 'latch':
      return `${step.act} ${objectInShort(step.object, objects)}`
  }
}

function deliverInShort({ count, waitMs, visibilityMs, abortMs, settle, delayMs }: Deliver): string {
  const options = [
    `${String(count)} in ${String(waitMs)} ms`,
    ...(visibilityMs === undefined ? [] : [`visible in ${String(visibilityMs)}`]),
    ...(abortMs === undefined ? [] : [`abort ${String(abortMs)}`]),
    settle === 'nack' ? `nack ${String(delayMs)}` : settle,
  ]
  return options.join(', ')
}

function receiveInShort({ group, count, waitMs, abortMs, settle }: Receive): string {
  const options = [
    `for ${group}`,
    `${String(count)} in ${String(waitMs)} ms`,
    ...(abortMs === undefined ? [] : [`abort ${String(abortMs)}`]),
    settle,
  ]
  return options.join(', ')
}

function workInShort({ weight, priority, waitMs, abortMs }: Work): string {
  const options = [
    `weight ${String(weight)}`,
    `priority ${String(priority)}`,
    ...(waitMs === undefined ? [] : [`wait ${String(waitMs)}`]),
    ...(abortMs === undefined ? [] : [`abort ${String(abortMs)}`]),
  ]
  return options.join(', ')
}

function callInShort({ object, method, key, by }: DataCall, objects: readonly SharedObject[]): string {
  const args = [key, by].filter((arg) => arg !== undefined).join(' ')
  return `${objectInShort(object, objects)}.${method}(${args})`
}

function optionsOf({ permits, leaseMs, waitMs, abortMs, threadId, tries, extendMs }: Enter): string[] {
  const options = {
    permits,
    lease: leaseMs,
    wait: waitMs,
    abort: abortMs,
    thread: threadId,
    tries,
    extend: extendMs,
  }
  return Object.entries(options).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name} ${String(value)}`],
  )
}

function objectInShort(index: number, objects: readonly SharedObject[]): string {
  const object = objects[index]
  return object === undefined ? `object ${String(index)}` : nameOf(object)
}
