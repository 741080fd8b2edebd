import { encodeAt } from '../../../codec/encoding.js'
import type { RunOptions } from '../../../command/operation/command-executor.js'
import { isTransient } from '../../../errors/transient.js'
import { followAborts } from '../../../util/abort/follow-aborts.js'
import { raceAbort } from '../../../util/abort/race-abort.js'
import { afterRunning } from '../../../util/time/after-running.js'
import { Deadline } from '../../../util/time/deadline.js'
import { withoutAsyncContext } from '../../../util/time/without-async-context.js'
import type { CacheParts, LoadRequest } from '../cache-parts.js'
import { LEASE_MS } from '../cache-store.js'
import type { Ticket } from '../local-level.js'
import { lifeOf, livesOf, negativeLifeOf, recordOf, type Header, type Stamp } from '../record.js'
import type { DownNode } from './outage.js'

/** What became of a load. */
export type Outcome<V> = PromiseSettledResult<V | undefined>

/** By which a load is known, and what is known when it begins. */
export interface LoadBeginning<V> {
  /** The token of its mark in Redis; empty where Redis is down, and so nothing is stored. */
  readonly token: string
  /** The times of the tags that its entry will have. */
  readonly stamp: Stamp
  /** When they were asked for, on the monotonic clock. */
  readonly knownAt: number
  readonly previous: V | undefined
  /** The outage during which it began. */
  readonly outage?: DownNode | undefined
}

/** What a loader has returned, and how long it took. */
interface Loaded<V> {
  readonly value: V | undefined
  readonly loadMs: number
}

/** One call of a loader, for which any number of calls wait. */
export class Load<V> {
  readonly request: LoadRequest<V>
  readonly token: string
  /** The times of the tags that its entry will have. */
  readonly stamp: Stamp
  /** The outage during which it began. */
  readonly outage: DownNode | undefined
  /** When it began, on the monotonic clock. */
  readonly beganAt = performance.now()
  /** What the loader returns, once it is stored. */
  readonly ended: Promise<V | undefined>
  readonly #parts: CacheParts<V>
  readonly #begun: LoadBeginning<V>
  /** Calls that wait. They are no reactions of the promise: a call that gives up would leave one behind for as long as the loader runs. */
  readonly #waiting = new Set<(outcome: Outcome<V>) => void>()
  #outcome: Outcome<V> | undefined
  #isDetached = false

  constructor(parts: CacheParts<V>, request: LoadRequest<V>, begun: LoadBeginning<V>) {
    this.request = request
    this.token = begun.token
    this.stamp = begun.stamp
    this.#parts = parts
    this.#begun = begun
    this.outage = begun.outage
    this.ended = this.#run()
    this.ended.then(
      (value) => {
        this.#end({ status: 'fulfilled', value })
      },
      (reason: unknown) => {
        this.#end({ status: 'rejected', reason }) // no caller may be waiting; the event `loadFailed` reports it
      },
    )
  }

  /** What becomes of the load; undefined if that takes longer than this number of milliseconds, or the caller gives up. */
  outcome(request: LoadRequest<V>, ms = Infinity): Promise<Outcome<V> | undefined> {
    if (this.#outcome !== undefined || request.isOver) return Promise.resolve(this.#outcome)
    const { promise, resolve } = Promise.withResolvers<Outcome<V> | undefined>()
    const end = (outcome?: Outcome<V>) => {
      stopTimer?.()
      this.#waiting.delete(end)
      resolve(outcome)
    }
    const stopTimer = ms === Infinity ? undefined : afterRunning(ms, end)
    this.#waiting.add(end)
    request.giveUp = end
    return promise
  }

  /** Stores nothing from now on: what it loads may be old. */
  detach(): void {
    this.#isDetached = true
  }

  #end(outcome: Outcome<V>): void {
    this.#outcome = outcome
    for (const end of this.#waiting) end(outcome)
  }

  async #run(): Promise<V | undefined> {
    const { local, events, counts } = this.#parts
    const { key } = this.request
    const ticket = local?.open(key)
    try {
      const loaded = await this.#load()
      events.emit('loaded', { key, elapsedMs: loaded.loadMs })
      await this.#keep(loaded, ticket)
      return loaded.value
    } catch (error) {
      counts.loadErrors += 1
      events.emit('loadFailed', { key, error })
      await this.#abandon()
      throw error
    } finally {
      if (ticket !== undefined) local?.close(ticket)
    }
  }

  async #load(): Promise<Loaded<V>> {
    const { closing, counts } = this.#parts
    const { key, loader } = this.request
    const controller = new AbortController()
    const stopListening = followAborts(controller, [closing])
    const stopRenewing = this.#renewing()
    const startedAt = performance.now()
    counts.loads += 1
    try {
      const { previous } = this.#begun
      const answer = Promise.resolve(loader({ key, signal: controller.signal, previous }))
      const value = await raceAbort(answer, closing)
      return { value, loadMs: performance.now() - startedAt }
    } finally {
      stopListening()
      stopRenewing()
    }
  }

  async #keep({ value, loadMs }: Loaded<V>, ticket: Ticket | undefined): Promise<void> {
    const { local, store } = this.#parts
    const { key, policy } = this.request
    if (this.#isDetached) {
      await this.#abandon()
      return
    }
    const header = this.#headerOf(value, loadMs)
    const record = this.#recordOf(header, value)
    const storedAt = performance.now()
    let isStored = this.token === ''
    if (!isStored)
      try {
        const stored = { record, lifeMs: lifeOf(header), stamp: this.stamp }
        isStored = await store.store(key, this.token, stored, this.#inTime)
      } catch (error) {
        if (!isTransient(error)) throw error
        void store.abandon(key, this.token).catch(() => undefined) // no caller waits for that
      }
    if (!isStored || ticket === undefined || header.ttlMs === 0) return
    local?.fill(ticket, storedAt, {
      value,
      tags: policy.tags,
      freshMs: header.ttlMs,
      knownAt: this.#begun.knownAt,
    })
  }

  #headerOf(value: V | undefined, loadMs: number): Header {
    const { policy } = this.request
    const { stamp } = this
    if (value === undefined)
      return { ttlMs: negativeLifeOf(policy), staleMs: 0, loadMs, isAbsent: true, stamp }
    return { ...livesOf(policy), loadMs, isAbsent: false, stamp }
  }

  #recordOf(header: Header, value: V | undefined): string | Buffer {
    const { codec, name } = this.#parts
    const { key } = this.request
    return recordOf(header, value === undefined ? '' : encodeAt(codec, value, { object: name, key }))
  }

  /** Removes the mark, so that another load may begin. The mark would end by itself, and so an error is none of the callers'. */
  async #abandon(): Promise<void> {
    const { store } = this.#parts
    const { key } = this.request
    if (this.token === '') return
    await store.abandon(key, this.token, this.#inTime).catch(() => undefined)
  }

  /** How a request is made for which calls wait. */
  get #inTime(): RunOptions {
    const { keys, reads } = this.#parts
    const { key, policy } = this.request
    const replyBy = policy.redisTimeoutMs === Infinity ? undefined : Deadline.after(policy.redisTimeoutMs)
    return reads.of([keys.of(key).entry]) === undefined ? { replyBy } : { replyBy, failFast: true }
  }

  /** Keeps the mark while the loader runs. Returns the function that ends this. */
  #renewing(): () => void {
    const { store } = this.#parts
    const { key } = this.request
    if (this.token === '') return () => undefined
    const renew = () => {
      void store.renew(key, this.token, { failFast: true }).catch(() => undefined)
    }
    const timer = withoutAsyncContext(() => setInterval(renew, LEASE_MS / 3).unref())
    return () => {
      clearInterval(timer)
    }
  }
}
