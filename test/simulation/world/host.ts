import { AsyncResource } from 'node:async_hooks'
import type { Chance } from './chance.js'
import type { Clock } from './clock.js'
import { EventLoop } from './event-loop.js'
import type { Network } from './network.js'
import { ProcessClock, type ClockOptions } from './process-clock.js'
import type { Trace } from './trace.js'

/** What a process runs in. */
export interface Machine {
  readonly clock: Clock
  readonly network: Network
  readonly trace: Trace
}

/** Processes have been up for so long when a simulation begins, so that no two of their monotonic clocks show the same. */
const LONGEST_UPTIME_MS = 100_000

/** A simulated process: what it runs has clocks, chance and connections of its own, and ends with it. */
export class Host {
  readonly name: string
  readonly loop: EventLoop
  readonly #machine: Machine

  constructor(machine: Machine, name: string, chance: Chance, options: ClockOptions = {}) {
    const uptimeMs = chance.fork('uptime').between(20, LONGEST_UPTIME_MS)
    const time = new ProcessClock(machine.clock.now, { uptimeMs, ...options })
    this.name = name
    this.loop = new EventLoop(name, time, chance.fork('program'))
    this.#machine = machine
    this.#note('start', '')
  }

  /** Whether it has not been stopped. */
  get isRunning(): boolean {
    return !this.loop.hasEnded
  }

  /** What its monotonic clock shows. */
  get monotonicMs(): number {
    return this.loop.time.monotonicAt(this.#machine.clock.now)
  }

  /** What its wall clock shows. */
  get wallMs(): number {
    return this.loop.time.wallAt(this.#machine.clock.now)
  }

  /**
   * Runs a program as this process, next. Settles with it, as an event of the process that has called; never, if this process is
   * stopped before.
   */
  start<T>(program: () => T | PromiseLike<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const { clock } = this.#machine
    const caller = clock.current
    const resource = new AsyncResource('HOSTSTART', { requireManualDestroy: true })
    const what = program.name
    const settle = (run: () => void) =>
      void clock.schedule({ at: clock.now, loop: caller, resource, kind: 'message', what, run })
    const run = () => {
      new Promise<T>((begin) => {
        begin(program())
      }).then(
        (value) => settle(() => resolve(value)),
        (error: unknown) => settle(() => reject(error)),
      )
    }
    clock.schedule({ at: clock.now, loop: this.loop, kind: 'message', what, run })
    return promise
  }

  /** Ends it at once, as SIGKILL does: nothing of it runs any more, and servers see its connections close after a while. */
  stop(): void {
    if (!this.isRunning) return
    this.#note('stop', '')
    this.#machine.clock.end(this.loop)
    this.#machine.network.close(this.loop)
  }

  /** Lets its event loop stand still. Timers that are overdue then run first, and messages that have arrived next. */
  pause(ms: number): void {
    this.#note('pause', `${ms} ms`)
    this.#machine.clock.pause(this.loop, ms)
  }

  /** Sets its wall clock forward, or back where negative. */
  stepClock(ms: number): void {
    this.#note('step', `${ms} ms`)
    this.loop.time.step(ms)
  }

  #note(kind: string, facts: string): void {
    this.#machine.trace.add({ at: this.#machine.clock.now, who: this.name, kind, facts })
  }
}
