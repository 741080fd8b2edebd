import type { OpenClaim } from '../../../chaos/random-use/player/claims.js'
import { RoundProcess } from '../../../chaos/random-use/player/round-process.js'
import type { SeatFacts } from '../../../chaos/random-use/player/seat.js'
import type { Host } from '../world/host.js'

/** A process of a round, and the programs that it does. */
export class SimulatedProcess {
  readonly host: Host
  readonly #facts: SeatFacts
  #program: RoundProcess | undefined
  #hasPlayed = false
  #hasClosed = false

  constructor(host: Host, facts: SeatFacts) {
    this.host = host
    this.#facts = facts
  }

  get isRunning(): boolean {
    return this.host.isRunning
  }

  /** What its flows believe to hold. */
  get claims(): ReadonlySet<OpenClaim> {
    return this.#facts.claims
  }

  /** Whether nothing of its programs is left to do. */
  get isDone(): boolean {
    return this.#hasPlayed || !this.isRunning
  }

  /** Whether nothing of it is left. */
  get isClosed(): boolean {
    return this.#hasClosed || !this.isRunning
  }

  /** Connects its clients. */
  async open(): Promise<void> {
    this.#note('started')
    this.#program = await this.host.start(() => RoundProcess.open(this.#facts))
  }

  /** Does its programs for a time. */
  async play(ms: number): Promise<void> {
    await this.host.start(() => this.#program?.play(ms))
    this.#hasPlayed = true
  }

  /** Shuts its clients down. */
  async close(): Promise<void> {
    await this.host.start(() => this.#program?.close())
    this.#hasClosed = true
  }

  /** Ends it when it has closed. */
  end(): void {
    if (!this.isRunning) return
    this.#note('ended')
    this.host.stop()
  }

  /** Ends it without a word. */
  kill(): void {
    if (!this.isRunning) return
    this.#note('killed')
    this.host.stop()
  }

  #note(phase: 'started' | 'ended' | 'killed'): void {
    const { journal, clock, settings } = this.#facts
    for (let client = 0; client < settings.clients; client += 1) {
      const process = `${settings.process}.${String(client)}`
      journal.write({ type: 'process', at: clock.now(), process, phase })
    }
  }
}
