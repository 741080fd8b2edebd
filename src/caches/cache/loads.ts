import type { RunOptions } from '../../command/operation/command-executor.js'
import type { CacheParts, LoadRequest } from './cache-parts.js'
import type { Led } from './cache-store.js'
import type { Entry, EntryReader } from './entry-reader.js'
import { Load } from './load.js'
import { isOutdated, NEVER, type Stamp } from './record.js'
import { TimeLimits } from './time-limits.js'

/** One lookup of calls that share it. */
interface Attempt<V> {
  readonly request: LoadRequest<V>
  /** Whether no call waits for it any more, so that it begins no load. */
  isLate: boolean
}

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

/** The lookups and loads of a cache in this process. */
export class Loads<V> {
  readonly #parts: CacheParts<V>
  readonly #reader: EntryReader<V>
  readonly #limits = new TimeLimits()
  readonly #lookups = new Map<string, Promise<Lookup<V>>>()
  readonly #running = new Map<string, Load<V>>()
  readonly #alone = new Map<string, Load<V>>()

  constructor(parts: CacheParts<V>, reader: EntryReader<V>) {
    this.#parts = parts
    this.#reader = reader
  }

  /**
   * Looks for an entry, and begins a load if it is not fresh and no process loads it.
   *
   * Calls of one turn of the event loop share one request. A later call asks anew: it may know of a change that the earlier reply does not have.
   */
  look(request: LoadRequest<V>): Promise<Lookup<V>> {
    const { key } = request
    const underWay = this.#lookups.get(key)
    if (underWay !== undefined) return underWay
    const attempt: Attempt<V> = { request, isLate: false }
    const late = () => {
      attempt.isLate = true
    }
    const lookup = this.#limits.within(request.policy.redisTimeoutMs, this.#look(attempt), late)
    this.#lookups.set(key, lookup)
    process.nextTick(() => this.#lookups.delete(key))
    return lookup
  }

  /** Loads without a mark, once for all calls of this process, and stores nothing: Redis is down, or has no room. */
  alone(request: LoadRequest<V>): Load<V> {
    const { key } = request
    const underWay = this.#running.get(key) ?? this.#alone.get(key)
    if (underWay !== undefined) return underWay
    return this.#enter(
      this.#alone,
      new Load(this.#parts, request, { token: '', stamp: new Map(), previous: undefined }),
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

  async #look(attempt: Attempt<V>): Promise<Lookup<V>> {
    const { outage } = this.#parts
    const { key, policy } = attempt.request
    const { how } = outage
    const tags = policy.tags.length === 0 ? ALL : [...ALL, ...policy.tags]
    const running = this.#running.get(key)
    if (running !== undefined)
      return await this.#lead(attempt, await this.#replace(running, tags, how), false)
    const [entry, stamp] = await this.#reader.read(key, { tags, how, unreadable: 'none' })
    outage.over()
    if (attempt.isLate) return found(entry)
    const isEarly = entry !== undefined && this.#isEarly(entry, policy.earlyRefresh)
    if (entry !== undefined && entry.freshMs > 0 && !isEarly) return found(entry)
    return await this.#lead(attempt, stamp, isEarly)
  }

  /** Ends the waiting for a load whose entry would be old, for calls from now on. Returns the times of its tags and of these. */
  async #replace(load: Load<V>, tags: readonly string[], how: RunOptions): Promise<Stamp> {
    const stamp = await this.#parts.times.of([...new Set([...tags, ...load.stamp.keys()])], how)
    if (!isOutdated(load.stamp, stamp)) return stamp
    const { key } = load.request
    load.detach()
    if (this.#running.get(key) === load) this.#running.delete(key)
    await this.#parts.store.abandon(key, load.token, how)
    return stamp
  }

  /** Whether a tag of a load, or the cache, was invalidated since the load began. */
  async isOutdated(stamp: Stamp): Promise<boolean> {
    const { times, outage } = this.#parts
    return isOutdated(stamp, await times.of([...stamp.keys()], outage.how))
  }

  /** Looks once more, and marks that this process loads, if no one does. */
  async #lead(attempt: Attempt<V>, stamp: Stamp, isEarly: boolean): Promise<Lookup<V>> {
    const { store, tokens, outage } = this.#parts
    const { request } = attempt
    const { key } = request
    const { how } = outage
    const token = tokens.next()
    try {
      let led = await store.lead(key, token, isEarly ? 1 : 0, how)
      outage.over()
      const judging = { stamp, how, unreadable: 'none' } as const
      let entry = await this.#reader.judge(key, led, judging)
      if (led[LEADER] === '' && (entry === undefined || entry.freshMs <= 0)) {
        led = await store.lead(key, token, 1, how) // Redis takes the entry for fresh, and it is not
        entry = await this.#reader.judge(key, led, judging)
      }
      if (!attempt.isLate && (entry === undefined || entry.freshMs <= 0 || isEarly))
        return this.#led(request, token, led, entry, stamp)
      if (led[LEADER] === token) await store.abandon(key, token, how)
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
    stamp: Stamp,
  ): Lookup<V> {
    const { key, policy } = request
    if (leader === token && leaseMs === 0) return { entry, load: this.alone(request), leader, leaseMs }
    if (leader === token) {
      const own = new Map(['', ...policy.tags].map((tag) => [tag, stamp.get(tag) ?? NEVER]))
      const begun = { token, stamp: own, previous: entry?.value }
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

function found<V>(entry: Entry<V> | undefined): Lookup<V> {
  return { entry, load: undefined, leader: '', leaseMs: 0 }
}
