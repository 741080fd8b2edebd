/** A call about one key that Redis has not replied to. */
export interface Flight {
  readonly hash: string
  readonly isChange: boolean
  /** Whether the key may have changed since the call began, so that its result may not be kept. */
  isStale: boolean
}

/** A call that reads keys which are known only when the reply has come. */
export interface WideFlight {
  /** The keys that may have changed since. */
  readonly stale: Set<string>
  /** Whether all may have. */
  isStale: boolean
}

/** The calls that are under way, so that what is read while it changes is not kept. */
export class Flights {
  readonly #flights = new Map<string, Set<Flight>>()
  readonly #wide = new Set<WideFlight>()

  /** A read begins. */
  read(hash: string): Flight {
    return this.#begin({ hash, isChange: false, isStale: false })
  }

  /** A change begins. Of two changes at a time, it is not known which of them comes last. */
  change(hash: string): Flight {
    let isStale = false
    for (const other of this.#flights.get(hash) ?? []) if (other.isChange) isStale = true
    this.staleAt(hash)
    return this.#begin({ hash, isChange: true, isStale })
  }

  /** A call has ended. What began during a change may have read either value. */
  end(flight: Flight): void {
    const others = this.#flights.get(flight.hash)
    others?.delete(flight)
    if (others?.size === 0) this.#flights.delete(flight.hash)
    if (flight.isChange) this.staleAt(flight.hash)
  }

  readMany(): WideFlight {
    const flight: WideFlight = { stale: new Set(), isStale: false }
    for (const [hash, flights] of this.#flights)
      for (const { isChange } of flights) if (isChange) flight.stale.add(hash)
    this.#wide.add(flight)
    return flight
  }

  endMany(flight: WideFlight): void {
    this.#wide.delete(flight)
  }

  /** A key has changed. */
  staleAt(hash: string): void {
    for (const flight of this.#flights.get(hash) ?? []) flight.isStale = true
    for (const { stale } of this.#wide) stale.add(hash)
  }

  /** All keys may have changed. */
  staleAll(): void {
    for (const flights of this.#flights.values()) for (const flight of flights) flight.isStale = true
    for (const flight of this.#wide) flight.isStale = true
  }

  #begin(flight: Flight): Flight {
    const others = this.#flights.get(flight.hash) ?? new Set()
    this.#flights.set(flight.hash, others.add(flight))
    return flight
  }
}
