import { isTransient } from '../../../errors/transient.js'
import type { CacheParts, LoadRequest } from '../cache-parts.js'
import type { Led } from '../cache-store.js'
import { oldestOf, type Entry, type EntryReader, type KnownStamp } from '../entry-reader.js'
import { isOutdated, NEVER, type Stamp, type Times } from '../record.js'
import { Attempt } from './attempt.js'
import { Load } from './load.js'
import type { DownNode } from './outage.js'
import { TimeLimits } from './time-limits.js'

/** What is known while Redis is down. */
const UNKNOWN = Promise.resolve(undefined)

/** Stands for all entries among tags. */
const ALL: readonly string[] = ['']

/** The place of the token in the reply to `lead`. */
const LEADER = 2

/** What a call finds. */
export interface Lookup<V> {
  /** Fresh or stale; undefined if there is none. */
  readonly entry: Entry<V> | undefined
  /** The load of this process that is under way. */
  readonly load: Load<V> | undefined
  /** The token of the load that is under way, in whichever process. */
  readonly leader: string
  /** For how many milliseconds its mark lasts. */
  readonly leaseMs: number
}

/** The lookups that calls share, by key. */
type SharedLookups<V> = Map<string, Promise<Lookup<V> | undefined>>

/** The lookups and loads of a cache in this process. */
export class Loads<V> {
  readonly #parts: CacheParts<V>
  readonly #reader: EntryReader<V>
  readonly #limits = new TimeLimits()
  /** Those of this turn of the event loop, by how long they wait for Redis. */
  #lookups = new Map<number, SharedLookups<V>>()
  readonly #running = new Map<string, Load<V>>()
  readonly #alone = new Map<string, Load<V>>()

  constructor(parts: CacheParts<V>, reader: EntryReader<V>) {
    this.#parts = parts
    this.#reader = reader
  }

  /**
   * Looks for an entry, and begins a load if it is not fresh and no process loads it. Undefined while Redis is down: nothing is known of the entry.
   *
   * Calls of one turn of the event loop share one request, if they wait for it as long. A later call asks anew: it may know of a change that the
   * earlier reply does not have.
   */
  look(request: LoadRequest<V>): Promise<Lookup<V> | undefined> {
    if (this.isDown(request)) return UNKNOWN
    const { key, policy } = request
    const shared = this.#sharedWithin(policy.redisTimeoutMs)
    const underWay = shared.get(key)
    if (underWay !== undefined) return underWay
    const lookup = this.#look(new Attempt(this.#parts, request))
    shared.set(key, lookup)
    return lookup
  }

  /**
   * Loads without a mark, once for all calls of this process, and stores nothing in Redis: it is down, or does not take the mark.
   *
   * No call joins a load that began with a mark, or before the outage: whether that is still wanted is not known. Of one that is under way while
   * Redis can be read, {@link serves} says whether the call may join it, or only wait for it.
   */
  alone(request: LoadRequest<V>, previous?: V): Load<V> {
    const { key } = request
    const outage = this.#outageOf(request)
    const underWay = this.#alone.get(key)
    if (underWay !== undefined && underWay.outage === outage) return underWay
    const begun = { token: '', stamp: new Map(), knownAt: performance.now(), previous, outage }
    return this.#enter(this.#alone, new Load(this.#parts, request, begun))
  }

  /**
   * Whether a load returns what a call may get. A change by another process ends a load with a mark. One without a mark goes on, and so it is of use to
   * calls that came before it; and to all that come during the same outage, of which nothing is known.
   */
  serves(load: Load<V>, request: LoadRequest<V>): boolean {
    if (load.token !== '' || load.beganAt >= request.startedAt) return true
    return load.outage !== undefined && load.outage === this.#outageOf(request)
  }

  /** Whether what a call asks for cannot be read now. */
  isDown(request: LoadRequest<V>): boolean {
    const { reads, times } = this.#parts
    return (
      reads.isAny &&
      reads.of(this.#keysOf(request, times.known([...ALL, ...request.policy.tags]))) !== undefined
    )
  }

  /** An entry was changed: calls from now on do not wait for what was begun before. */
  detach(key: string): void {
    for (const loads of [this.#running, this.#alone]) this.#detach(loads, key)
  }

  /** The same for all entries of a tag; of all entries for none. */
  detachAll(tag?: string): void {
    for (const loads of [this.#running, this.#alone])
      for (const [key, { request }] of loads)
        if (tag === undefined || request.policy.tags.includes(tag)) this.#detach(loads, key)
  }

  readonly #endTurn = (): void => {
    this.#lookups = new Map() // a table that was cleared keeps what it had, and may be kept itself: see OverdueWaiter
  }

  #sharedWithin(limitMs: number): SharedLookups<V> {
    const known = this.#lookups.get(limitMs)
    if (known !== undefined) return known
    if (this.#lookups.size === 0) process.nextTick(this.#endTurn)
    const shared: SharedLookups<V> = new Map()
    this.#lookups.set(limitMs, shared)
    return shared
  }

  async #look(attempt: Attempt<V>): Promise<Lookup<V> | undefined> {
    const { keys, marks } = this.#parts
    const { key, policy } = attempt.request
    this.#limits.begin(attempt)
    try {
      const tags = policy.tags.length === 0 ? ALL : [...ALL, ...policy.tags]
      const running = this.#running.get(key)
      if (running !== undefined && marks.of([keys.of(key).entry]) === undefined)
        return await this.#lead(attempt, await this.#replace(running, tags, attempt), false)
      const [entry, stamp] = await this.#reader.read(key, { tags, from: attempt, purpose: 'load' })
      attempt.seen = { entry }
      const isEarly = entry !== undefined && this.#isEarly(entry, policy.earlyRefresh)
      if (entry !== undefined && entry.freshMs > 0 && !isEarly) return found(entry)
      return await this.#lead(attempt, stamp, isEarly)
    } catch (error) {
      return this.#despite(error, attempt)
    } finally {
      this.#limits.end(attempt)
    }
  }

  /** What was read counts, where the load could not be marked. */
  #despite(error: unknown, { seen, request }: Attempt<V>): Lookup<V> | undefined {
    if (!isTransient(error)) throw error
    if (seen === undefined) return undefined
    const { entry } = seen
    if (entry !== undefined && entry.freshMs > 0) return found(entry)
    return { ...found(entry), load: this.alone(request, entry?.value) }
  }

  /** Ends the waiting for a load whose entry would be old, for calls from now on. Returns the times of its tags and of these. */
  async #replace(load: Load<V>, tags: readonly string[], attempt: Attempt<V>): Promise<KnownStamp> {
    const { keys, store, times } = this.#parts
    const stamp = await times.of([...new Set([...tags, ...load.stamp.keys()])], attempt)
    if (!isOutdated(load.stamp, stamp)) return stamp
    const { key } = load.request
    load.detach()
    if (this.#running.get(key) === load) this.#running.delete(key)
    await attempt.mark(keys.of(key).entry, (how) => store.abandon(key, load.token, how))
    return stamp
  }

  /** Whether a tag of a load, or the cache, was invalidated since the load began. */
  async isOutdated(request: LoadRequest<V>, stamp: Stamp): Promise<boolean> {
    const attempt = new Attempt(this.#parts, request)
    this.#limits.begin(attempt)
    try {
      return isOutdated(stamp, await this.#parts.times.of([...stamp.keys()], attempt))
    } finally {
      this.#limits.end(attempt)
    }
  }

  /** Looks once more, and marks that this process loads, if no one does. */
  async #lead(attempt: Attempt<V>, stamp: KnownStamp, isEarly: boolean): Promise<Lookup<V>> {
    const { keys, store, tokens, marks } = this.#parts
    const { request } = attempt
    const { key } = request
    const place = keys.of(key).entry
    const down = marks.of([place])
    if (down !== undefined) throw down.error
    const token = tokens.next()
    const lead = (always: 0 | 1) => attempt.mark(place, (how) => store.lead(key, token, always, how))
    try {
      let led = await lead(isEarly ? 1 : 0)
      const judging = { stamp, from: attempt, purpose: 'load' } as const
      let entry = await this.#reader.judge(key, led, judging)
      if (led[LEADER] === '' && (entry === undefined || entry.freshMs <= 0)) {
        led = await lead(1) // Redis takes the entry for fresh, and it is not
        entry = await this.#reader.judge(key, led, judging)
      }
      if (entry === undefined || entry.freshMs <= 0 || isEarly)
        return this.#led(request, token, led, entry, stamp)
      if (led[LEADER] === token) await attempt.mark(place, (how) => store.abandon(key, token, how))
      return found(entry)
    } catch (error) {
      void store.abandon(key, token).catch(() => undefined) // a copy may have marked the load
      throw error
    }
  }

  /** Begins the load, if this request has the mark, or Redis has no room for one. */
  #led(
    request: LoadRequest<V>,
    token: string,
    [, , leader, leaseMs]: Led,
    entry: Entry<V> | undefined,
    stamp: KnownStamp,
  ): Lookup<V> {
    const { key, policy } = request
    if (leader === token && leaseMs === 0)
      return { entry, load: this.alone(request, entry?.value), leader, leaseMs }
    if (leader === token) {
      const tags = ['', ...policy.tags]
      const own = new Map(tags.map((tag) => [tag, timesOf(stamp, tag)]))
      const begun = { token, stamp: own, knownAt: oldestOf(stamp, tags), previous: entry?.value }
      return {
        entry,
        load: this.#enter(this.#running, new Load(this.#parts, request, begun)),
        leader,
        leaseMs,
      }
    }
    const running = this.#running.get(key)
    return { entry, load: running?.token === leader ? running : undefined, leader, leaseMs }
  }

  #outageOf(request: LoadRequest<V>): DownNode | undefined {
    return this.#parts.reads.of(this.#keysOf(request))
  }

  /** What a call asks for: the entry, and the times of all entries and of its tags, unless they are known. */
  #keysOf({ key, policy }: LoadRequest<V>, known?: Stamp): readonly string[] {
    const { keys } = this.#parts
    const asked = [...ALL, ...policy.tags].filter((tag) => known?.has(tag) !== true)
    return [keys.of(key).entry, ...asked.map((tag) => keys.timesOf(tag))]
  }

  /** XFetch: the sooner the entry ends, and the longer its load took, the likelier. */
  #isEarly({ freshMs, header }: Entry<V>, beta: number): boolean {
    return beta > 0 && freshMs > 0 && freshMs <= -Math.log(1 - Math.random()) * beta * header.loadMs
  }

  #enter(loads: Map<string, Load<V>>, load: Load<V>): Load<V> {
    const { key } = load.request
    loads.set(key, load)
    const leave = () => {
      if (loads.get(key) === load) loads.delete(key)
    }
    load.ended.then(leave, leave)
    return load
  }

  #detach(loads: Map<string, Load<V>>, key: string): void {
    loads.get(key)?.detach()
    loads.delete(key)
  }
}

function timesOf(stamp: Stamp, tag: string): Times {
  const { deleted, expired } = stamp.get(tag) ?? NEVER
  return { deleted, expired }
}

function found<V>(entry: Entry<V> | undefined): Lookup<V> {
  return { entry, load: undefined, leader: '', leaseMs: 0 }
}
