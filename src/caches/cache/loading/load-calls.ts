import { isTransient } from '../../../errors/transient.js'
import { raceAbort } from '../../../util/abort/race-abort.js'
import { outcomeWithin } from '../../../util/time/outcome-within.js'
import { CacheTimeoutError } from '../cache.errors.js'
import type { CacheMessages, LoadWaiter } from '../cache-messages.js'
import type { CacheParts, LoadRequest } from '../cache-parts.js'
import type { Entry } from '../entry-reader.js'
import type { Load } from './load.js'
import type { Loads, Lookup } from './loads.js'

/** A call that waits for another process looks again after this number of milliseconds, with or without a message. */
const RECHECK_MS = 1000

/** The calls that find a value or have it loaded: what each of them waits for, and how long. */
export class LoadCalls<V> {
  readonly #parts: CacheParts<V>
  readonly #loads: Loads<V>
  readonly #messages: CacheMessages

  constructor(parts: CacheParts<V>, loads: Loads<V>, messages: CacheMessages) {
    this.#parts = parts
    this.#loads = loads
    this.#messages = messages
  }

  /** @throws {@link CacheTimeoutError}, or the reason of the signal, when the caller waits no more; the load goes on */
  load(request: LoadRequest<V>): Promise<V | undefined> {
    const { signal, hardTimeoutMs } = request.policy
    return signal === undefined && hardTimeoutMs === Infinity ? this.#find(request) : this.#patiently(request)
  }

  async #patiently(request: LoadRequest<V>): Promise<V | undefined> {
    const { signal, hardTimeoutMs } = request.policy
    try {
      return await raceAbort(this.#within(hardTimeoutMs, this.#find(request)), signal)
    } finally {
      request.isOver = true
      request.giveUp?.()
    }
  }

  async #within(timeoutMs: number, answer: Promise<V | undefined>): Promise<V | undefined> {
    const outcome = await outcomeWithin(answer, timeoutMs)
    if (outcome === undefined) throw new CacheTimeoutError(this.#parts.name, timeoutMs)
    if (outcome.status === 'rejected') throw outcome.reason
    return outcome.value
  }

  async #find(request: LoadRequest<V>): Promise<V | undefined> {
    const softUntil = request.startedAt + request.policy.softTimeoutMs
    const seen = await this.#loads.look(request)
    const entry = seen?.entry
    const isHit = entry !== undefined && entry.freshMs > 0
    this.#parts.counts[isHit ? 'remoteHits' : 'misses'] += 1
    return isHit ? entry.value : await this.#follow(request, seen, softUntil)
  }

  /** Waits for a load, in this process or in another one, and looks again when it may be over. */
  async #follow(
    request: LoadRequest<V>,
    first: Lookup<V> | undefined,
    softUntil: number,
  ): Promise<V | undefined> {
    const { key } = request
    let waiter: LoadWaiter | undefined
    let entry: Entry<V> | undefined
    let seen = first
    try {
      for (; ; seen = await this.#loads.look(request)) {
        if (seen !== undefined) entry = seen.entry
        if (seen !== undefined && entry !== undefined && entry.freshMs > 0) return entry.value
        const load = seen === undefined ? this.#loads.alone(request, entry?.value) : seen.load
        if (load !== undefined && this.#loads.serves(load, request))
          return await this.#ofLoad(load, request, entry, softUntil)
        if (entry !== undefined && performance.now() >= softUntil) return this.#stale(entry)
        if (seen === undefined || load !== undefined) {
          await load?.outcome(request, entry === undefined ? Infinity : softUntil - performance.now())
          if (request.isOver) return undefined
          continue // the next load is of use to all that have waited for this one
        }
        if (waiter === undefined) {
          waiter = this.#messages.wait(key)
          if (this.#messages.isStanding) continue // it may have missed the message
        }
        waiter.token = seen.leader
        if (!request.isOver) {
          request.giveUp = waiter.set.bind(waiter)
          await this.#wait(waiter, seen, softUntil)
        }
        if (request.isOver) return undefined
        if (waiter.absence !== undefined) {
          const isOutdated = await this.#loads.isOutdated(request, waiter.absence).catch(unlessDown)
          if (isOutdated === false) return undefined
          waiter.absence = undefined // it began before a tag was deleted, and this call perhaps after
        }
      }
    } finally {
      if (waiter !== undefined) this.#messages.leave(key, waiter)
    }
  }

  /** Waits for the end of a load in another process. */
  async #wait(waiter: LoadWaiter, { entry, leaseMs }: Lookup<V>, softUntil: number): Promise<void> {
    const patienceMs = leaseMs < 0 ? RECHECK_MS : Math.min(RECHECK_MS, leaseMs + 1)
    const softMs = entry === undefined ? Infinity : Math.max(0, softUntil - performance.now())
    await waiter.wait(Math.min(patienceMs, softMs), this.#parts.closing)
  }

  /** Waits for a load of this process. A stale value is returned where that fails, or takes too long. */
  async #ofLoad(
    load: Load<V>,
    request: LoadRequest<V>,
    stale?: Entry<V>,
    softUntil = Infinity,
  ): Promise<V | undefined> {
    if (load.request !== request) this.#parts.counts.coalesced += 1
    const softMs = stale === undefined ? Infinity : softUntil - performance.now()
    const outcome = softMs > 0 ? await load.outcome(request, softMs) : undefined
    if (outcome?.status === 'fulfilled') return outcome.value
    if (stale !== undefined) return this.#stale(stale)
    if (outcome?.status === 'rejected') throw outcome.reason
    return undefined // no caller waits any more
  }

  #stale({ value }: Entry<V>): V | undefined {
    this.#parts.counts.staleHits += 1
    return value
  }
}

/** Redis is down: nothing is known of the entry. */
function unlessDown(error: unknown): undefined {
  if (!isTransient(error)) throw error
}
