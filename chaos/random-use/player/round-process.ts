import { setTimeout as sleep } from 'node:timers/promises'
import { Random } from '../../random.js'
import { readKeptData } from '../data/read-all.js'
import type { Program, Restart } from '../program.js'
import { Performer } from './performer.js'
import { Seat, type SeatFacts } from './seat.js'

/** A client that could not connect is tried again after this time. */
const REOPEN_AFTER_MS = 50

/** One process of a round: its clients, and what its flows do with them. */
export class RoundProcess {
  readonly #facts: SeatFacts
  readonly #random: Random
  readonly #seats: Seat[]
  /** How often each client was shut down, and the next one opened. */
  readonly #restarts = new Map<number, number>()

  private constructor(facts: SeatFacts, seats: Seat[]) {
    this.#facts = facts
    this.#random = new Random(facts.settings.seed)
    this.#seats = seats
  }

  static async open(facts: SeatFacts): Promise<RoundProcess> {
    const { process, clients } = facts.settings
    const names = Array.from({ length: clients }, (_, index) => nameOf(process, index))
    return new RoundProcess(facts, await Promise.all(names.map((name) => openSeat(facts, name))))
  }

  /** Has all flows do their programs again and again, for a time, and looks at what is kept at its end. */
  async play(ms: number): Promise<void> {
    const until = performance.now() + ms
    await Promise.all(
      this.#facts.settings.flows.map(({ client, program }) => this.#perform(client, program, until)),
    )
    await Promise.all(this.#seats.map((seat) => readKeptData(this.#dataFacts(seat))))
  }

  /** Writes down that something went wrong that no call has reported. */
  trouble(what: string): void {
    this.#seats[0]?.recorder.trouble(what)
  }

  async close(): Promise<void> {
    await Promise.all(this.#seats.map((seat) => seat.close()))
  }

  async #perform(index: number, program: Program, until: number): Promise<void> {
    let seat: Seat | undefined
    let performer: Performer | undefined
    while (performance.now() < until) {
      if (performer === undefined || seat !== this.#seats[index]) {
        seat = this.#seatOf(index)
        performer = this.#performerAt(seat, index)
      }
      await performer.perform(program)
      await sleep(0) // a program that is refused at once must not keep the process from everything else
    }
  }

  #performerAt(seat: Seat, index: number): Performer {
    const { raw, claims, settings } = this.#facts
    const { objects, shareOfLooks, watchdogMs } = settings
    const { client, others, recorder, losses, named, newOwner, keptUntil } = seat
    return new Performer({
      ...{ client, others, recorder, losses, named, newOwner, keptUntil },
      ...{ objects, shareOfLooks, watchdogMs, raw, claims },
      random: new Random(this.#random.seed()),
      restart: (how) => this.#restart(index, how),
    })
  }

  #dataFacts({ client, recorder, newOwner }: Seat) {
    const { objects } = this.#facts.settings
    return { client, recorder, newOwner, objects, random: new Random(this.#random.seed()) }
  }

  async #restart(index: number, how: Restart): Promise<void> {
    const count = (this.#restarts.get(index) ?? 0) + 1
    this.#restarts.set(index, count)
    await this.#seatOf(index).closeBy(how)
    const name = nameOf(this.#facts.settings.process, index)
    this.#seats[index] = await openSeat(this.#facts, `${name}-${String(count)}`)
  }

  #seatOf(index: number): Seat {
    const seat = this.#seats[index]
    if (seat === undefined) throw new RangeError(`Expected one of the clients, got ${String(index)}`)
    return seat
  }
}

/** Opens a client as soon as the network lets it. */
async function openSeat(facts: SeatFacts, name: string): Promise<Seat> {
  for (;;) {
    try {
      return await Seat.open(facts, name)
    } catch (error) {
      if (!facts.settings.faulty) throw error
      await sleep(REOPEN_AFTER_MS)
    }
  }
}

function nameOf(process: string, index: number): string {
  return `${process}.${String(index)}`
}
