import type { RunOptions } from '../../command/operation/command-executor.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import type { CacheKeys } from './cache-keys.js'
import * as scripts from './cache.scripts.js'
import { NEVER, type Stamp, type Times } from './record.js'

/** How many times are known at most: all are forgotten when there would be more. */
const MOST = 10_000

/** The times of a tag, as Redis had them. */
export interface KnownTimes extends Times {
  /** When Redis was asked for them, on the monotonic clock. */
  readonly askedAt: number
}

/** Makes requests that read. */
export interface Asking {
  /** Makes a request about a key. */
  read<T>(key: string, request: (how: RunOptions) => Promise<T>): Promise<T>
}

/** Makes requests for as long as they take. */
export const ANYHOW: Asking = { read: (_, request) => request({}) }

/** When the entries of tags were deleted and expired: as Redis has it, or for a while as it had it. */
export class TagTimes {
  readonly #context: Pick<ObjectContext, 'executor' | 'topology'>
  readonly #keys: CacheKeys
  readonly #keepMs: number
  readonly #known = new Map<string, KnownTimes>()
  /** Changes when a time may have changed: replies that were asked for before are not kept. */
  #turn = 0

  /** @param keepMs - for how long the times are believed; 0 if Redis is asked each time */
  constructor(context: Pick<ObjectContext, 'executor' | 'topology'>, keys: CacheKeys, keepMs: number) {
    this.#context = context
    this.#keys = keys
    this.#keepMs = keepMs
  }

  forget(tag: string): void {
    this.#turn += 1
    this.#known.delete(tag)
  }

  forgetAll(): void {
    this.#turn += 1
    this.#known.clear()
  }

  /** The times of these tags that are known. */
  known(tags: Iterable<string>): Map<string, KnownTimes> {
    const stamp = new Map<string, KnownTimes>()
    if (this.#known.size === 0) return stamp
    const since = performance.now() - this.#keepMs
    for (const tag of tags) {
      const known = this.#known.get(tag)
      if (known !== undefined && since < known.askedAt) stamp.set(tag, known)
    }
    return stamp
  }

  /** The times of these tags. Those that are not known are asked for, by slot and at the same time. */
  async of(tags: readonly string[], from: Asking): Promise<ReadonlyMap<string, KnownTimes>> {
    const stamp = this.known(tags)
    const missing = stamp.size === tags.length ? [] : tags.filter((tag) => !stamp.has(tag))
    if (missing.length > 0) await this.ask(missing, stamp, from)
    return stamp
  }

  /** Begins a request for the times of tags. Returns what reads its reply: the times are known then, unless one may have changed meanwhile. */
  asking(
    tags: readonly string[],
  ): (replies: readonly (Buffer | undefined)[], stamp: Map<string, KnownTimes>) => void {
    const turn = this.#turn
    const askedAt = performance.now()
    return (replies, stamp) => {
      const isKept = this.#keepMs > 0 && turn === this.#turn
      if (isKept && this.#known.size + tags.length > MOST) this.#known.clear()
      tags.forEach((tag, index) => {
        const { deleted, expired } = timesIn(replies[index])
        const times = { deleted, expired, askedAt }
        stamp.set(tag, times)
        if (isKept) this.#known.set(tag, times)
      })
    }
  }

  /** The same, as Redis has them now: what is written with them must not be old at once. */
  async now(tags: Iterable<string>): Promise<Stamp> {
    const stamp = new Map<string, KnownTimes>()
    await this.ask([...tags], stamp, ANYHOW)
    return stamp
  }

  /** Asks for the times of tags, and adds them. */
  async ask(tags: readonly string[], stamp: Map<string, KnownTimes>, from: Asking): Promise<void> {
    const { executor, topology } = this.#context
    const slots = Map.groupBy(tags, (tag) => topology.slotOf(this.#keys.timesOf(tag)))
    const askPart = async (part: readonly string[]) => {
      const learn = this.asking(part)
      const times = part.map((tag) => this.#keys.timesOf(tag))
      const call = { keys: { times }, args: {} }
      const [key = ''] = times
      learn(await from.read(key, (how) => executor.run(scripts.times, call, how)), stamp)
    }
    await Promise.all(Array.from(slots.values(), askPart))
  }
}

function timesIn(reply: Buffer | undefined): Times {
  const [deleted = 0, expired = 0] = (reply?.toString('latin1') ?? '').split(' ').map(Number)
  return deleted >= 0 && expired >= 0 ? { deleted, expired } : NEVER
}
