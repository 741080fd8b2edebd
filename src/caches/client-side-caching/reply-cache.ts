import { randomUUID } from 'node:crypto'
import {
  BoundedEntries,
  type Bounded,
  type LocalLimits,
} from '../../collections/local-cached-map/cache/bounded-entries.js'
import type { Reply } from '../../connection/connection.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import { isForOneKey } from '../../errors/missing-right.js'
import { raceAbort } from '../../util/abort/race-abort.js'
import { outcomeWithin } from '../../util/time/outcome-within.js'
import type { KeptRead } from './kept-reads.js'
import { TrackedKey } from './tracked-key.js'

/** How long a read waits at most until Redis tracks its key, in milliseconds. Then it is sent, and its reply is not kept. */
const LONGEST_WAIT_MS = 1_000

/** For how long no key of a node is tracked after that failed, in milliseconds, so that reads wait for nothing. */
const REST_MS = 1_000

/** A reply that is kept. */
interface KeptReply extends Bounded {
  readonly reply: Reply
  readonly tracked: TrackedKey
}

/** How a read asks Redis. */
export interface Asking {
  readonly reply: () => Promise<Reply>
  /** For how many milliseconds the key lives; less than 0 without an end. */
  readonly leftMs: () => Promise<number>
}

type Services = Pick<ObjectContext, 'keyChanges' | 'topology' | 'eviction' | 'closing'>

/**
 * The replies that this process keeps, of keys that Redis tracks.
 *
 * A key is tracked before it is read, and a reply is kept only if the key was tracked all the time until then. The first change ends that, and
 * all that is kept of the key: there is nothing to track any more. So do interruptions, and calls of this process that change the key.
 */
export class ReplyCache {
  readonly #services: Services
  readonly #limits: LocalLimits
  readonly #entries: BoundedEntries<KeptReply>
  readonly #tracked = new Map<string, TrackedKey>()
  /** How many calls of this process are changing each key. */
  readonly #changing = new Map<string, number>()
  /** Until when no key of a node is tracked, on the monotonic clock. */
  readonly #resting = new Map<string, number>()
  #endCleaning: (() => void) | undefined
  #isDestroyed = false

  constructor({ keyChanges, topology, eviction, closing }: Services, limits: LocalLimits) {
    this.#services = { keyChanges, topology, eviction, closing } // and not the executor, which may be garbage-collected
    this.#limits = limits
    this.#entries = new BoundedEntries(limits, ({ tracked }, id) => {
      tracked.kept.delete(id)
      this.#endIfUnused(tracked)
    })
  }

  /** The reply that is kept of a request. */
  find({ key, id }: KeptRead): { readonly reply: Reply } | undefined {
    this.#services.closing.throwIfAborted()
    const tracked = this.#tracked.get(key)
    return tracked !== undefined && this.#stands(tracked) ? this.#entries.get(id) : undefined
  }

  /** Asks Redis, and keeps the reply if it can. */
  async read({ key, id }: KeptRead, asking: Asking): Promise<Reply> {
    const tracked = this.#track(key)
    if (tracked === undefined) return await asking.reply()
    tracked.reads += 1
    try {
      if (!(await this.#isTracked(tracked))) return await asking.reply()
      tracked.endsAt ??= endOf(asking.leftMs) // before it is read
      const [endsAt, reply] = await Promise.all([tracked.endsAt, asking.reply()])
      if (endsAt !== undefined) this.#keep(tracked, id, { reply: copyOf(reply), endsAt })
      return reply
    } finally {
      tracked.reads -= 1
      this.#endIfUnused(tracked)
    }
  }

  /** Runs what changes keys. Nothing is kept of what is read meanwhile, or was read before. */
  async change<T>(keys: readonly string[], run: () => Promise<T>): Promise<T> {
    const changing = this.#changing
    for (const key of keys) {
      changing.set(key, (changing.get(key) ?? 0) + 1)
      this.#tracked.get(key)?.end()
    }
    try {
      return await run()
    } finally {
      for (const key of keys) {
        const others = (changing.get(key) ?? 1) - 1
        if (others > 0) changing.set(key, others)
        else changing.delete(key)
      }
    }
  }

  /** Drops all replies, and keeps no more. */
  destroy(): void {
    this.#isDestroyed = true
    this.#endCleaning?.()
    for (const tracked of [...this.#tracked.values()]) tracked.end()
  }

  /** Begins to track a key, if Redis does not yet. Returns undefined if nothing may be kept of it. */
  #track(key: string): TrackedKey | undefined {
    if (this.#isDestroyed || this.#changing.has(key) || !this.#entries.hasRoom()) return undefined
    const owner = this.#services.topology.ownerOf(key)
    if (this.#isResting(owner)) return undefined
    const known = this.#tracked.get(key)
    if (known !== undefined) return known
    const { keyChanges } = this.#services
    const ended = (over: TrackedKey, refusal: Error | undefined) => {
      this.#drop(over, refusal)
    }
    const tracked = new TrackedKey({ keyChanges, key, owner, ended })
    this.#tracked.set(key, tracked)
    return tracked
  }

  /** Whether Redis tracks a key, for which it waits a moment. */
  async #isTracked(tracked: TrackedKey): Promise<boolean> {
    if (this.#stands(tracked)) return true
    const { refusal } = tracked
    const isDecided = refusal === undefined && (await this.#isDecidedSoon(tracked))
    if (!isDecided) {
      tracked.end()
      this.#rest(tracked.owner, refusal)
    }
    return this.#stands(tracked)
  }

  async #isDecidedSoon({ decided }: TrackedKey): Promise<boolean> {
    const outcome = outcomeWithin(decided, LONGEST_WAIT_MS)
    return (await raceAbort(outcome, this.#services.closing)) !== undefined
  }

  /** Whether Redis reports the next change of a key, at the node that owns it: a request may have shown that its slot has moved. */
  #stands(tracked: TrackedKey): boolean {
    return tracked.stands && tracked.owner === this.#services.topology.ownerOf(tracked.key)
  }

  #keep(tracked: TrackedKey, id: string, kept: Pick<KeptReply, 'reply' | 'endsAt'>): void {
    if (!this.#stands(tracked)) return
    if (!this.#entries.set(id, { ...kept, tracked, storedAt: performance.now() })) return
    tracked.kept.add(id)
    const { ttlMs, maxIdleMs } = this.#limits
    if (ttlMs !== undefined || maxIdleMs !== undefined || kept.endsAt < Infinity) this.#clean()
  }

  #drop(tracked: TrackedKey, refusal: Error | undefined): void {
    this.#tracked.delete(tracked.key)
    if (refusal !== undefined) this.#rest(tracked.owner, refusal)
    for (const id of [...tracked.kept]) this.#entries.delete(id)
  }

  #endIfUnused(tracked: TrackedKey): void {
    if (tracked.reads === 0 && tracked.kept.size === 0) tracked.end()
  }

  /** Tracks no key of a node for a while, unless Redis has refused one key only. */
  #rest(owner: string, refusal?: Error): void {
    if (refusal !== undefined && isForOneKey(refusal)) return
    this.#resting.set(owner, performance.now() + REST_MS)
  }

  #isResting(owner: string): boolean {
    const until = this.#resting.get(owner)
    if (until === undefined) return false
    if (performance.now() < until) return true
    this.#resting.delete(owner)
    return false
  }

  /** Removes expired replies from time to time. */
  #clean(): void {
    const entries = this.#entries
    this.#endCleaning ??= this.#services.eviction.hold(randomUUID(), () => Promise.resolve(entries.purge()))
  }
}

/** When a key expires at the latest, on the monotonic clock. */
async function endOf(leftMs: () => Promise<number>): Promise<number | undefined> {
  const askedAt = performance.now()
  try {
    const left = await leftMs()
    return left < 0 ? Infinity : askedAt + left
  } catch {
    return undefined // the read has its own error
  }
}

/** A copy in memory of its own: in that which Node shares out, one that is kept for long would keep 8 kB. */
function bytesOf(reply: Buffer): Buffer {
  const own = Buffer.allocUnsafeSlow(reply.length)
  reply.copy(own)
  return own
}

/** The same reply, with bytes of its own: those that have arrived share their memory with others, and a program may write into them. */
export function copyOf(reply: Reply): Reply {
  if (Buffer.isBuffer(reply)) return bytesOf(reply)
  return Array.isArray(reply) ? (reply as readonly Reply[]).map(copyOf) : reply
}
