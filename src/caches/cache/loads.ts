import type { RunOptions } from '../../command/operation/command-executor.js'
import type { CacheParts, LoadRequest } from './cache-parts.js'
import { EntryReader, type Entry } from './entry-reader.js'
import { Load } from './load.js'
import { NEVER, type Stamp } from './record.js'

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
    const lookup = this.#look(request)
    this.#lookups.set(key, lookup)
    process.nextTick(() => this.#lookups.delete(key))
    return lookup
  }

  /** Loads without Redis, once for all calls of this process. */
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

  async #look(request: LoadRequest<V>): Promise<Lookup<V>> {
    const { store, outage, tokens } = this.#parts
    const { key, policy } = request
    const token = tokens.next()
    const how = outage.within(policy.redisTimeoutMs)
    try {
      let lookup: Lookup<V> | undefined
      await this.#reader.filling(key, async () => {
        lookup = await this.#lead(request, token, how)
        outage.over()
        return lookup.entry
      })
      return lookup as unknown as Lookup<V>
    } catch (error) {
      void store.abandon(key, token).catch(() => undefined) // a copy may have marked the load
      throw error
    }
  }

  async #lead(request: LoadRequest<V>, token: string, how: RunOptions): Promise<Lookup<V>> {
    const { store, times } = this.#parts
    const { key, policy } = request
    const tags = ['', ...policy.tags]
    const [first, stamp] = await Promise.all([store.lead(key, token, 0, how), times.of(tags, how)])
    const entry = await this.#reader.judge(key, first, stamp, how, 'none')
    const isEarly = entry !== undefined && this.#isEarly(entry, policy.earlyRefresh)
    if (entry !== undefined && entry.freshMs > 0 && !isEarly)
      return { entry, load: undefined, leader: '', leaseMs: 0 }
    if (first.leader !== '') return this.#led(request, token, first, entry, stamp)
    // Redis takes the entry for fresh. Another process may have stored a new one since.
    const second = await store.lead(key, token, 1, how)
    const later = await this.#reader.judge(key, second, stamp, how, 'none')
    if (later === undefined || later.freshMs <= 0 || isEarly)
      return this.#led(request, token, second, later, stamp)
    if (second.leader === token) await store.abandon(key, token, how)
    return { entry: later, load: undefined, leader: '', leaseMs: 0 }
  }

  /** Begins the load, if this request has the mark. */
  #led(
    request: LoadRequest<V>,
    token: string,
    { leader, leaseMs }: Pick<Lookup<V>, 'leader' | 'leaseMs'>,
    entry: Entry<V> | undefined,
    stamp: Stamp,
  ): Lookup<V> {
    const { key, policy } = request
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
