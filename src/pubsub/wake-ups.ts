import { ClientClosedError } from '../errors/client-errors.js'
import { Seat } from './seat.js'
import type { Subscription, Subscriptions } from './subscriptions.js'

/** How many waiters a message wakes. */
export type WakesOf = (message: string) => number

/** The places of those who wait at one channel, in the order in which they came. */
interface Table {
  readonly seats: Set<Seat>
  readonly subscription: Subscription
  confirmed: boolean
}

/** Lets waiters sit down at channels, and wakes them: as many as a message says, all after a gap. */
export class WakeUps {
  readonly #subscriptions: Subscriptions
  readonly #tables = new Map<string, Table>()
  #closed = false

  constructor(subscriptions: Subscriptions) {
    this.#subscriptions = subscriptions
  }

  /** Takes a place at a channel, behind those who sit there already. The channel is subscribed before this returns. */
  sit(channel: string, wakesOf: WakesOf): Seat {
    if (this.#closed) throw new ClientClosedError()
    const table = this.#tables.get(channel) ?? this.#lay(channel, wakesOf)
    const seat = new Seat(channel, table.confirmed ? 'already' : table.subscription.confirmed, (unused) => {
      this.#leave(channel, table, seat, unused)
    })
    table.seats.add(seat)
    return seat
  }

  /** Sends everybody home. */
  close(): void {
    this.#closed = true
    for (const { seats } of this.#tables.values()) {
      for (const seat of seats) seat.dismiss(new ClientClosedError())
    }
  }

  #lay(channel: string, wakesOf: WakesOf): Table {
    const seats = new Set<Seat>()
    const subscription = this.#subscriptions.join(channel, {
      message: (message) => {
        wake(seats, wakesOf(message))
      },
      resumed: () => {
        wake(seats, Infinity)
      },
    })
    const table: Table = { seats, subscription, confirmed: false }
    this.#tables.set(channel, table)
    subscription.confirmed.then(
      () => {
        table.confirmed = true
      },
      () => undefined, // those who sit there are told
    )
    return table
  }

  /** A wake-up that was not used belongs to the next in the row. */
  #leave(channel: string, { seats, subscription }: Table, seat: Seat, unused: boolean): void {
    seats.delete(seat)
    if (unused) wake(seats, 1)
    if (seats.size > 0) return
    this.#tables.delete(channel)
    subscription.leave()
  }
}

/** Wakes those who came first and have not been woken yet. */
function wake(seats: Iterable<Seat>, count: number): void {
  let left = count
  for (const seat of seats) {
    if (left <= 0) return
    if (seat.woken) continue
    seat.wake()
    left -= 1
  }
}
