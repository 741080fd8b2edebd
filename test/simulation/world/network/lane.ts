import type { Clock, ClockEvent } from '../clock.js'
import type { EventLoop } from '../event-loop.js'

/** What the system of a sender takes from a program that is not yet under way, in bytes. What is more waits in the program. */
export const SEND_BUFFER = 1 << 20

/** What the system of a receiver keeps for a program that stands still, in bytes. Then nothing more is sent. */
const RECEIVE_BUFFER = 1 << 20

/** A connection waits while a packet of another one is under way: for as long as this, or the time of the smallest packet. */
const PACKET_MS = 5
const SMALLEST_PACKET = 1_500

/** Something to be sent, and what happens when its last byte has left. */
interface Load {
  left: number
  readonly sent: () => void
}

/** What one connection sends over a lane, in its order. */
export class Flow {
  readonly #lane: Lane
  readonly receiver: EventLoop
  readonly loads: Load[] = []
  /** Bytes that have come to a receiver that stands still. */
  unread = 0
  #onRoom: (() => void) | undefined

  constructor(lane: Lane, receiver: EventLoop) {
    this.#lane = lane
    this.receiver = receiver
  }

  /** Whether nothing waits. */
  get isEmpty(): boolean {
    return this.loads.length === 0
  }

  /** How many bytes wait in the program, because the system takes no more. */
  get backlog(): number {
    const waiting = this.loads.reduce((sum, { left }) => sum + left, 0)
    return Math.max(0, waiting - SEND_BUFFER)
  }

  /** Sends so many bytes. Where the lane has no limit they leave at once. */
  send(bytes: number, sent: () => void): void {
    this.loads.push({ left: bytes, sent })
    this.#lane.work()
  }

  /** Calls back once, when the system has taken what waits in the program. */
  whenTaken(taken: () => void): void {
    this.#onRoom = taken
  }

  /** Some of what waited has left. */
  noteRoom(): void {
    if (this.#onRoom === undefined || this.backlog > 0) return
    const taken = this.#onRoom
    this.#onRoom = undefined
    taken()
  }

  /** Drops what waits in the program. What the system has taken is still sent. */
  dropBacklog(): void {
    let room = SEND_BUFFER
    const taken = this.loads.findIndex(({ left }) => (room -= left) < 0)
    if (taken >= 0) this.loads.length = taken
  }

  /** Drops all that waits. */
  drop(): void {
    this.loads.length = 0
  }

  /** When its receiver reads again, if that takes no more; undefined while it takes more. */
  get stoppedUntil(): number | undefined {
    const { pausedUntil } = this.receiver
    if (pausedUntil === undefined) this.unread = 0
    return this.unread >= RECEIVE_BUFFER ? pausedUntil : undefined
  }
}

/** One direction of a link: its connections share the bandwidth, a packet of each in turn. */
export class Lane {
  readonly #clock: Clock
  readonly #bytesPerSecond: () => number
  readonly #what: string
  readonly #flows = new Set<Flow>()
  /** The packet that leaves, or the time at which a receiver reads again. */
  #next: ClockEvent | undefined
  #isHeld = false

  constructor(clock: Clock, what: string, bytesPerSecond: () => number) {
    this.#clock = clock
    this.#what = what
    this.#bytesPerSecond = bytesPerSecond
  }

  /** Adds a connection. */
  open(receiver: EventLoop): Flow {
    const flow = new Flow(this, receiver)
    this.#flows.add(flow)
    return flow
  }

  /** Forgets a connection that has ended. */
  close(flow: Flow): void {
    flow.drop()
    this.#flows.delete(flow)
  }

  /** Cuts bytes into packets, where it takes time to send them. */
  piecesOf(bytes: string): readonly string[] {
    const rate = this.#bytesPerSecond()
    if (rate === Infinity) return [bytes]
    const size = packetOf(rate)
    return Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
      bytes.slice(n * size, (n + 1) * size),
    )
  }

  /** Has nothing leave until {@link release}: what is sent is confirmed by nobody. */
  hold(): void {
    this.#isHeld = true
  }

  release(): void {
    this.#isHeld = false
    this.work()
  }

  /** The bandwidth is another one. */
  changed(): void {
    if (this.#next !== undefined) this.#clock.cancel(this.#next)
    this.#next = undefined
    this.work()
  }

  /** Has the next packet leave, unless one does. */
  work(): void {
    const rate = this.#bytesPerSecond()
    if (rate === Infinity) this.#sendAll()
    else if (this.#next === undefined && !this.#isHeld) this.#sendPacket(rate)
  }

  #sendAll(): void {
    for (const flow of this.#flows) {
      for (let load = flow.loads.shift(); load !== undefined; load = flow.loads.shift()) load.sent()
      flow.noteRoom()
    }
  }

  #sendPacket(rate: number): void {
    const waiting = [...this.#flows].filter(({ isEmpty }) => !isEmpty)
    const flow = waiting.find(({ stoppedUntil }) => stoppedUntil === undefined)
    if (flow === undefined) {
      const times = waiting.flatMap(({ stoppedUntil }) => stoppedUntil ?? [])
      if (times.length > 0) this.#at(Math.min(...times), () => undefined)
      return
    }
    const [load] = flow.loads as [Load]
    const bytes = Math.min(packetOf(rate), load.left)
    this.#at(this.#clock.now + (bytes / rate) * 1_000, () => this.#packetSent(flow, load, bytes))
  }

  /** The other connections come before its next packet. */
  #packetSent(flow: Flow, load: Load, bytes: number): void {
    if (flow.loads[0] !== load) return // it was dropped meanwhile
    this.#flows.delete(flow)
    this.#flows.add(flow)
    flow.unread += bytes
    load.left -= bytes
    if (load.left <= 0) {
      flow.loads.shift()
      load.sent()
    }
    flow.noteRoom()
  }

  #at(at: number, run: () => void): void {
    const { outside } = this.#clock
    this.#next = this.#clock.schedule({
      at,
      loop: outside,
      kind: 'message',
      what: this.#what,
      run: () => {
        this.#next = undefined
        run()
        this.work()
      },
    })
  }
}

/** The bytes of a packet, at a number of bytes a second. */
function packetOf(rate: number): number {
  return Math.max(SMALLEST_PACKET, Math.floor((rate * PACKET_MS) / 1_000))
}
