import { AsyncResource } from 'node:async_hooks'
import { Chance } from './chance.js'
import { EventHeap, type Ordered } from './event-heap.js'
import { EventLoop } from './event-loop.js'
import { ProcessClock } from './process-clock.js'
import { real } from './real.js'
import { RealWorkWatch } from './real-work.js'

/** What an event is to the event loop that it belongs to. */
export type EventKind = 'timer' | 'message' | 'immediate' | 'close'

/** An event that is to be scheduled. */
export interface EventPlan {
  readonly kind: EventKind
  /** A description for the message that lists the events that ran last. */
  readonly what: string
  readonly run: () => void
  /** When it is due, in true time. */
  readonly at: number
  /** Whose event loop runs it. */
  readonly loop: EventLoop
  /**
   * What it runs in, so that `AsyncLocalStorage` is kept.
   *
   * @defaultValue one outside of every asynchronous context
   */
  readonly resource?: AsyncResource | undefined
  /**
   * Whether there is something left to do because of it.
   *
   * @defaultValue true
   */
  readonly isRef?: boolean
}

/** An event in the future. */
export class ClockEvent implements Ordered {
  readonly kind: EventKind
  readonly what: string
  readonly run: () => void
  readonly loop: EventLoop
  readonly resource: AsyncResource | undefined
  at: number
  order: number
  readonly phase: number
  place = -1
  isRef: boolean

  constructor(plan: EventPlan, order: number) {
    this.kind = plan.kind
    this.what = plan.what
    this.run = plan.run
    this.loop = plan.loop
    this.resource = plan.resource
    this.at = plan.at
    this.order = order
    this.phase = PHASES[plan.kind]
    this.isRef = plan.isRef ?? true
  }
}

/** Immediates run when all timers and messages of the same moment have, and sockets close after those, as in Node. */
const PHASES: Readonly<Record<EventKind, number>> = { timer: 0, message: 0, immediate: 1, close: 2 }

export interface ClockOptions {
  /**
   * How many events may run in all.
   *
   * @defaultValue 20 000 000
   */
  readonly maxEvents?: number
  /**
   * How many events may run while time stands still.
   *
   * @defaultValue 100 000
   */
  readonly maxEventsAtOnce?: number
  /**
   * What to do when a program waits for the real world.
   *
   * @defaultValue 'refuse'
   */
  readonly realWork?: 'refuse' | 'allow'
}

/** How far to run. */
export interface RunOptions {
  /**
   * Later events remain for the next run.
   *
   * @defaultValue Infinity
   */
  readonly until?: number
  /**
   * Asked before each event.
   *
   * @defaultValue never
   */
  readonly isOver?: () => boolean
}

/** A run that is under way. */
interface Run extends Required<RunOptions> {
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/** Events that ran last are named in an error, as many as these. */
const REMEMBERED_EVENTS = 12

/**
 * Virtual time: runs timers and messages of all processes in their order, and jumps from each to the next.
 *
 * After each event all ticks and microtasks run, as in Node, before the next one.
 */
export class Clock {
  /** Runs what belongs to no process: the network, and the code around the simulation. */
  readonly outside: EventLoop
  readonly #heap = new EventHeap<ClockEvent>()
  readonly #maxEvents: number
  readonly #maxEventsAtOnce: number
  readonly #watch: RealWorkWatch
  readonly #root = new AsyncResource('SIMULATION', { requireManualDestroy: true })
  readonly #last: ClockEvent[] = []
  #now = 0
  #created = 0
  #refs = 0
  #ran = 0
  #ranAtOnce = 0
  #current: EventLoop
  #run: Run | undefined
  #nextStep: NodeJS.Immediate | undefined

  constructor(options: ClockOptions = {}, chance = new Chance(0)) {
    this.#maxEvents = options.maxEvents ?? 20_000_000
    this.#maxEventsAtOnce = options.maxEventsAtOnce ?? 100_000
    this.#watch = new RealWorkWatch(options.realWork ?? 'refuse')
    this.outside = new EventLoop('world', new ProcessClock(0), chance.fork('outside'))
    this.#current = this.outside
  }

  /** True time, in milliseconds since the simulation began. */
  get now(): number {
    return this.#now
  }

  /** Whose event runs, with all that follows from it at once. */
  get current(): EventLoop {
    return this.#current
  }

  /** How many events have run: the number of the one that runs. */
  get turn(): number {
    return this.#ran
  }

  /** Whether nothing is left to do: no event but those that keep no process alive. */
  get isIdle(): boolean {
    return this.#refs === 0
  }

  /** What the monotonic clock of the process shows that runs. */
  get monotonic(): number {
    return this.#current.time.monotonicAt(this.#now)
  }

  /** What the wall clock of the process shows that runs. */
  get wall(): number {
    return this.#current.time.wallAt(this.#now)
  }

  schedule(plan: EventPlan): ClockEvent {
    const event = new ClockEvent(plan, (this.#created += 1))
    if (event.at < this.#now) event.at = this.#now
    if (!event.loop.hasEnded) this.#add(event)
    return event
  }

  /** Has an event not run. Does nothing when it has run already. */
  cancel(event: ClockEvent): void {
    if (event.place >= 0) this.#remove(event)
    else drop(event, event.loop.overdue)
  }

  setRef(event: ClockEvent, isRef: boolean): void {
    if (event.isRef === isRef) return
    event.isRef = isRef
    if (event.place >= 0) this.#refs += isRef ? 1 : -1
  }

  /** Lets an event loop stand still: what becomes due waits, and then runs in the order of Node. */
  pause(loop: EventLoop, ms: number): void {
    const until = this.#now + ms
    if (loop.pausedUntil !== undefined && loop.pausedUntil >= until) return
    loop.pausedUntil = until
    const run = () => {
      if (loop.pausedUntil === this.#now) this.#resume(loop)
    }
    this.schedule({ at: until, loop: this.outside, kind: 'timer', what: `resume ${loop.name}`, run })
  }

  /** Ends an event loop: nothing of it runs any more. */
  end(loop: EventLoop): void {
    loop.hasEnded = true
    loop.overdue.length = 0
    for (const { isRef } of this.#heap.removeWhere((event) => event.loop === loop)) if (isRef) this.#refs -= 1
  }

  /**
   * Runs events until a time, until a condition is true, or until there are none.
   *
   * @throws whatever an event throws; Error when too many events run, or when one of them does real work
   */
  run({ until = Infinity, isOver = () => false }: RunOptions = {}): Promise<void> {
    if (this.#run !== undefined) throw new Error('The simulation runs already')
    return new Promise((resolve, reject) => {
      this.#run = { until, isOver, resolve, reject }
      this.#watch.start()
      this.#nextStep = real.setImmediate(this.#step)
    })
  }

  /**
   * Runs the next event. It is called by a real immediate, and returns to Node, which runs ticks and microtasks in their order
   * before the next immediate.
   */
  readonly #step = (): void => {
    const run = this.#run
    if (run === undefined) return
    this.#current = this.outside
    try {
      this.#watch.endTurn()
      const event = run.isOver() ? undefined : this.#next(run.until)
      if (event === undefined) {
        this.#finish(run)
        return
      }
      this.#nextStep = real.setImmediate(this.#step)
      this.#perform(event)
    } catch (error) {
      this.#stop()
      run.reject(error)
    }
  }

  #next(until: number): ClockEvent | undefined {
    for (;;) {
      const event = this.#heap.first
      if (event === undefined || event.at > until) return undefined
      this.#remove(event)
      if (event.loop.pausedUntil === undefined) return event
      event.loop.overdue.push(event)
    }
  }

  #perform(event: ClockEvent): void {
    this.#count(event)
    this.#now = event.at
    this.#current = event.loop
    this.#watch.beginTurn()
    const resource = event.resource ?? this.#root
    resource.runInAsyncScope(event.run)
  }

  #count(event: ClockEvent): void {
    this.#ran += 1
    this.#ranAtOnce = event.at > this.#now ? 1 : this.#ranAtOnce + 1
    this.#last[this.#ran % REMEMBERED_EVENTS] = event
    if (this.#ran > this.#maxEvents) throw new Error(`${this.#ran} events have run. ${this.#lastEvents()}`)
    if (this.#ranAtOnce > this.#maxEventsAtOnce)
      throw new Error(`${this.#ranAtOnce} events have run while time stood still. ${this.#lastEvents()}`)
  }

  #lastEvents(): string {
    const oldest = (this.#ran + 1) % REMEMBERED_EVENTS
    const events = [...this.#last.slice(oldest), ...this.#last.slice(0, oldest)]
    const lines = events.map(({ at, loop, kind, what }) => `${at.toFixed(3)} ${loop.name}: ${kind} ${what}`)
    return `The last ones were\n${lines.join('\n')}`
  }

  #resume(loop: EventLoop): void {
    loop.pausedUntil = undefined
    const overdue = loop.overdue.splice(0).sort(byNodesOrder)
    for (const event of overdue) {
      event.at = this.#now
      event.order = this.#created += 1
      this.#add(event)
    }
  }

  #add(event: ClockEvent): void {
    this.#heap.add(event)
    if (event.isRef) this.#refs += 1
  }

  #remove(event: ClockEvent): void {
    this.#heap.remove(event)
    if (event.isRef) this.#refs -= 1
  }

  #finish(run: Run): void {
    if (run.until !== Infinity && !run.isOver()) this.#now = Math.max(this.#now, run.until)
    this.#stop()
    run.resolve()
  }

  #stop(): void {
    real.clearImmediate(this.#nextStep)
    this.#run = undefined
    this.#current = this.outside
    this.#watch.stop()
  }
}

/** Overdue timers run before messages that have arrived. */
function byNodesOrder(one: ClockEvent, other: ClockEvent): number {
  const rank = Number(one.kind !== 'timer') - Number(other.kind !== 'timer')
  return rank || one.at - other.at || one.order - other.order
}

function drop<T>(item: T, list: T[]): void {
  const index = list.indexOf(item)
  if (index >= 0) list.splice(index, 1)
}
