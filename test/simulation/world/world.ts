import { Chance, type Seed } from './chance.js'
import { Clock, type ClockOptions as EventOptions } from './clock.js'
import { EventLoop } from './event-loop.js'
import { Host } from './host.js'
import { Network } from './network.js'
import type { NetworkOptions } from './network/faults.js'
import type { Listener } from './network/server.js'
import { ProcessClock, type ClockOptions } from './process-clock.js'
import { activate } from './simulation.js'
import { Trace, type TraceOptions } from './trace.js'

export interface WorldOptions extends EventOptions, TraceOptions {
  readonly network?: NetworkOptions
}

/** What a promise may take, in virtual time. */
const LONGEST_MS = 3_600_000

/**
 * Opens a simulation, which is the one of this process until it is closed. `install()` has been called before.
 *
 * All that happens in it follows from the seed.
 */
export function createWorld(seed: Seed, options: WorldOptions = {}): World {
  return new World(seed, options)
}

/** A simulation: virtual time, seeded chance, a network, and processes. */
export class World implements Disposable {
  readonly clock: Clock
  readonly chance: Chance
  readonly network: Network
  readonly trace: Trace
  readonly #hosts = new Map<string, Host>()
  readonly #close: () => void
  #started = 0

  constructor(seed: Seed, options: WorldOptions = {}) {
    this.chance = new Chance(seed)
    this.trace = new Trace(options)
    this.clock = new Clock(options, this.chance.fork('clock'))
    this.network = new Network(this.clock, this.trace, this.chance.fork('network'), options.network)
    this.#close = activate(this)
  }

  /** Starts a process. A name can be used again once the process of that name has been stopped. */
  host(name: string, options: ClockOptions = {}): Host {
    if (this.#hosts.get(name)?.isRunning === true) throw new Error(`There is a process ${name} already`)
    this.#started += 1
    const host = new Host(this, name, this.chance.fork(`host ${name} ${this.#started}`), options)
    this.#hosts.set(name, host)
    return host
  }

  /** Processes that have not been stopped. */
  get hosts(): readonly Host[] {
    return [...this.#hosts.values()].filter(({ isRunning }) => isRunning)
  }

  /** Has a server listen at an address, `host:port`. Its clock may differ from true time as well. */
  listen(address: string, listener: Listener, options: ClockOptions = {}): EventLoop {
    const time = new ProcessClock(this.clock.now, options)
    const loop = new EventLoop(address, time, this.chance.fork(`server ${address}`))
    this.network.listen(address, listener, loop)
    return loop
  }

  /** Runs until a time, in milliseconds since the simulation began. */
  run(until: number): Promise<void> {
    return this.clock.run({ until })
  }

  /** Runs until nothing is left to do but what keeps no process alive. */
  idle(): Promise<void> {
    return this.clock.run({ isOver: () => this.clock.isIdle })
  }

  /**
   * Runs until a promise settles, and settles with it.
   *
   * @param withinMs - how long that may take, in virtual time
   * @throws Error when it has not settled by then, or never can because no event is left
   */
  async until<T>(promise: PromiseLike<T>, withinMs = LONGEST_MS): Promise<T> {
    const settled = new Set<boolean>()
    const settle = () => void settled.add(true)
    promise.then(settle, settle)
    const until = this.clock.now + withinMs
    await this.clock.run({ until, isOver: () => settled.size > 0 })
    if (settled.size > 0) return await promise
    throw new Error(`The promise has not settled by ${this.clock.now} ms of virtual time`)
  }

  /** Notes something in the trace, for the process that runs. */
  note(text: string): void {
    this.trace.add({ at: this.clock.now, who: this.clock.current.name, kind: 'note', facts: text })
  }

  /** The hash of everything that has happened. It is the same for the same seed. */
  get hash(): string {
    return this.trace.hash
  }

  /** Ends the simulation: nothing of it runs any more. */
  close(): void {
    this.#close()
  }

  [Symbol.dispose](): void {
    this.close()
  }
}
