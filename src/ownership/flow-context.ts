import { AsyncLocalStorage, AsyncResource, executionAsyncResource } from 'node:async_hooks'

/** What a flow may carry. */
export interface FlowValue {
  /** Whether it is of no more use to any flow that carries it. */
  readonly isOver: boolean
}

/** What a flow carries for one context, and what it carries for others. */
interface Carried {
  readonly context: FlowContext<FlowValue>
  readonly value: FlowValue
  readonly others: Carried | undefined
}

/**
 * One for the process, and not one for each client: before Node 24, each that was ever used takes time of each promise of the process, for
 * as long as the process lives.
 */
const storage = new AsyncLocalStorage<Carried>()

/** What flows carry with them, through everything that they await and start. */
export class FlowContext<T extends FlowValue> {
  /** What the running flow carries. */
  get value(): T | undefined {
    for (let carried = storage.getStore(); carried !== undefined; carried = carried.others)
      if (carried.context === this) return carried.value as T
    return undefined
  }

  /** Runs a function with a value. What its synchronous part enters elsewhere reaches the caller, as without this. */
  run<R>(value: T, fn: () => R): R {
    const outer = this.value
    const inner = this.#beside(value)
    let left: Carried | undefined = inner
    try {
      return storage.run(inner, () => {
        try {
          return fn()
        } finally {
          left = storage.getStore()
        }
      })
    } finally {
      const others = withoutOver(left, this)
      if (others !== undefined && others !== inner.others)
        enter(outer === undefined ? others : { context: this, value: outer, others })
    }
  }

  /** Gives the running flow a value from here on, and its caller up to where that one awaits. */
  enter(value: T): void {
    enter(this.#beside(value))
  }

  #beside(value: T): Carried {
    return { context: this, value, others: withoutOver(storage.getStore(), this) }
  }
}

/** Leaves out what a context has, and what is of no more use: a flow may meet ever new clients. */
function withoutOver(carried: Carried | undefined, context: FlowContext<FlowValue>): Carried | undefined {
  if (carried === undefined) return undefined
  const others = withoutOver(carried.others, context)
  if (carried.context === context || carried.value.isOver) return others
  return others === carried.others ? carried : { ...carried, others }
}

/** What the flows that entered something in the callback that is running carried before. */
const before = new Map<Carried, Carried | undefined>()

/** Where Node keeps what a flow carries, if it keeps it in the resource whose callback is running; undefined while that is not known. */
let keptIn: { readonly property: symbol | undefined } | undefined

/**
 * Attaches something to the running flow.
 *
 * Before Node 24, `enterWith()` writes into the resource whose callback is running. A promise runs once, but a timer or a
 * socket keeps what was written for its later callbacks, which are other flows. So it is taken out again when this
 * callback has ended; by then all that it has started has a copy.
 */
function enter(carried: Carried): void {
  const outer = storage.getStore()
  storage.enterWith(carried)
  keptIn ??= { property: propertyOfResources(carried) }
  const { property } = keptIn
  if (property === undefined) return
  before.set(carried, outer)
  const resource = runningResource()
  queueMicrotask(() => {
    resource[property] = withoutEntered(resource[property] as Carried | undefined)
    before.delete(carried)
  })
}

/** Something else may have been entered in the same callback, on top of what is to be taken out. */
function withoutEntered(carried: Carried | undefined): Carried | undefined {
  let outer = carried
  while (outer !== undefined && before.has(outer)) outer = before.get(outer)
  return outer
}

function propertyOfResources(carried: Carried): symbol | undefined {
  return new AsyncResource('IOREDISSON_PROBE').runInAsyncScope(() => {
    const resource = runningResource()
    return Object.getOwnPropertySymbols(resource).find((property) => resource[property] === carried)
  })
}

function runningResource(): Record<symbol, unknown> {
  return executionAsyncResource() as Record<symbol, unknown>
}
