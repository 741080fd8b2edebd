import type { HostAndPort } from '../../api/redisson-options.js'
import { afterRunning } from '../../util/time/after-running.js'

/** A reply of a sentinel. */
export interface SentinelReply {
  /** The server that was asked for. */
  readonly place: HostAndPort
  /** The epoch of the last failover that the sentinel knows. Each failover has a higher one. 0 if the sentinel does not report it. */
  readonly epoch: number
}

/** How long a reply is believed that no sentinel repeats, in milliseconds. All sentinels may have been set up anew. */
const BELIEVED_MS = 60_000

/**
 * The knowledge of the master that all connections of a client share.
 *
 * A sentinel that was unreachable may name a master that was replaced and may still run. Epochs show which reply is the newest.
 */
export class MasterKnowledge {
  readonly #followers = new Set<() => void>()
  #newest: Pick<SentinelReply, 'epoch' | 'place'> | undefined
  #saidAt = 0

  /** Calls a function on each report of a later failover. Returns a function that ends this. */
  follow(follower: () => void): () => void {
    this.#followers.add(follower)
    return () => this.#followers.delete(follower)
  }

  /** Stores a reply, unless an earlier one was newer. */
  learn(reply: SentinelReply): void {
    const before = this.#newest
    if (before !== undefined && before.epoch > reply.epoch && !this.#isOutdated) return
    this.#newest = reply
    this.#saidAt = performance.now()
    if (before !== undefined && reply.epoch > before.epoch) for (const each of this.#followers) each()
  }

  /** Returns the newest of these replies and those before; undefined if there is none. */
  newestOf(replies: readonly SentinelReply[]): Pick<SentinelReply, 'epoch' | 'place'> | undefined {
    const [newest] = replies.toSorted((one, other) => other.epoch - one.epoch)
    if (newest !== undefined) this.learn(newest)
    return this.#newest
  }

  /** Returns whether a later failover than that of this epoch has moved the master to another address. */
  isReplaced({ epoch, place }: Pick<SentinelReply, 'epoch' | 'place'>): boolean {
    const newest = this.#newest
    return newest !== undefined && newest.epoch > epoch && !isSamePlace(newest.place, place)
  }

  /** Returns a replica of the present master; undefined if none of these sentinels knows of the last failover. */
  replicaOf(replies: readonly SentinelReply[]): HostAndPort | undefined {
    const least = this.#isOutdated ? 0 : (this.#newest?.epoch ?? 0)
    const [newest] = replies.toSorted((one, other) => other.epoch - one.epoch)
    return newest !== undefined && newest.epoch >= least ? newest.place : undefined
  }

  get #isOutdated(): boolean {
    return performance.now() - this.#saidAt > BELIEVED_MS
  }
}

/** Resolves with the values that exist when all promises have settled, or this long after the first value. Rejects if there is none. */
export async function valuesSoon<T>(promises: readonly Promise<T>[], afterFirstMs: number): Promise<T[]> {
  const values: T[] = []
  const noted = promises.map(async (promise) => values.push(await promise))
  await Promise.any(noted)
  const { promise: over, resolve } = Promise.withResolvers<void>()
  const stopTimer = afterRunning(afterFirstMs, resolve)
  await Promise.race([over, Promise.allSettled(noted)])
  stopTimer()
  return values
}

/** Returns whether two addresses are the same. */
export function isSamePlace(one: HostAndPort | undefined, other: HostAndPort | undefined): boolean {
  return one?.host === other?.host && one?.port === other?.port
}
