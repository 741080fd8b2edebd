import { FrameSplitter } from './frames.js'
import type { Valve } from './valve.js'

/** What travels in one direction of a connection, in order. */
type Freight =
  | { readonly kind: 'frame'; readonly bytes: Buffer; readonly arrivedAt: number }
  | { readonly kind: 'end' | 'reset'; readonly arrivedAt: number }

/** What becomes of what has travelled. */
export interface Destination {
  /** Gets one frame; the next waits until this is done. */
  frame(bytes: Buffer): Promise<void> | void
  /** The sender has ended in order. */
  end(): void
  /** The sender has broken the connection. */
  reset(): void
}

/** One direction of one connection. */
export class Lane {
  readonly #valve: Valve
  readonly #destination: Destination
  readonly #splitter = new FrameSplitter()
  #queue: Freight[] = []
  #moving = false
  #silent = false

  constructor(valve: Valve, destination: Destination) {
    this.#valve = valve
    this.#destination = destination
  }

  /** Whether frames vanish here. */
  get silent(): boolean {
    return this.#silent
  }

  /** Whether the frame at hand vanishes. All that follow do so as well: no stream loses bytes from its middle. */
  swallows(): boolean {
    this.#silent ||= this.#valve.swallows
    return this.#silent
  }

  /** Whether something has come and not passed yet. */
  get holds(): boolean {
    return this.#queue.length > 0
  }

  silence(): void {
    this.#silent = true
  }

  bytes(bytes: Buffer): void {
    const arrivedAt = performance.now()
    this.#enqueue(this.#splitter.push(bytes).map((frame) => ({ kind: 'frame', bytes: frame, arrivedAt })))
  }

  /** Puts in a whole frame that the sender has not sent, behind all that it has. */
  insert(frame: Buffer): void {
    this.#enqueue([{ kind: 'frame', bytes: frame, arrivedAt: performance.now() }])
  }

  end(): void {
    this.#enqueue([{ kind: 'end', arrivedAt: performance.now() }])
  }

  reset(): void {
    this.#enqueue([{ kind: 'reset', arrivedAt: performance.now() }])
  }

  /** Lets all bytes vanish that are held here, if any are. The end of the connection still passes: or its other side would stay open. */
  drop(): void {
    if (!this.holds) return
    this.#queue = this.#queue.filter(({ kind }) => kind !== 'frame')
    this.silence()
  }

  #enqueue(freight: Freight[]): void {
    this.#queue.push(...freight)
    if (!this.#moving) void this.#move()
  }

  async #move(): Promise<void> {
    this.#moving = true
    for (let [next] = this.#queue; next; [next] = this.#queue) {
      await this.#valve.passable(next.arrivedAt)
      const freight = this.#queue.shift() // not always `next`: that may have been dropped meanwhile
      if (freight) await this.#deliver(freight)
    }
    this.#moving = false
  }

  #deliver(freight: Freight): Promise<void> | void {
    switch (freight.kind) {
      case 'frame':
        return this.#destination.frame(freight.bytes)
      case 'end':
        this.#destination.end()
        return
      case 'reset':
        this.#destination.reset()
    }
  }
}
