import type { HostAndPort } from '../../api/redisson-options.js'
import { afterRunning } from '../../util/time/after-running.js'

/** What a sentinel has replied. */
export interface SentinelReply {
  /** The server that is looked for. */
  readonly place: HostAndPort
  /** How new that is: each failover has a higher epoch than those before. 0 where the sentinel does not say it. */
  readonly epoch: number
}

/** How long what was said is believed that no sentinel says any more, in milliseconds: all of them may have been set up anew. */
const BELIEVED_MS = 60_000

/**
 * What all connections of a client know of its master.
 *
 * A sentinel that was away names a master that was replaced, and that may run still. Epochs show which reply is the newest.
 */
export class MasterKnowledge {
  readonly #followers = new Set<() => void>()
  #newest: Pick<SentinelReply, 'epoch' | 'place'> | undefined
  #saidAt = 0

  /** Calls a function each time that there is word of a later failover. Returns the function that ends this. */
  follow(follower: () => void): () => void {
    this.#followers.add(follower)
    return () => this.#followers.delete(follower)
  }

  /** Takes note of a reply if none before it was newer. */
  learn(reply: SentinelReply): void {
    const before = this.#newest
    if (before !== undefined && before.epoch > reply.epoch && !this.#isOutdated) return
    this.#newest = reply
    this.#saidAt = performance.now()
    if (before !== undefined && reply.epoch > before.epoch) for (const each of this.#followers) each()
  }

  /** The newest of some replies, or of those before; undefined if there is none. */
  newestOf(replies: readonly SentinelReply[]): Pick<SentinelReply, 'epoch' | 'place'> | undefined {
    const [newest] = replies.toSorted((one, other) => other.epoch - one.epoch)
    if (newest !== undefined) this.learn(newest)
    return this.#newest
  }

  /** Whether there is word of a later failover than that of an epoch, by which the master is at another place. */
  isReplaced({ epoch, place }: Pick<SentinelReply, 'epoch' | 'place'>): boolean {
    const newest = this.#newest
    return newest !== undefined && newest.epoch > epoch && !isSamePlace(newest.place, place)
  }

  /** A replica of the present master; undefined where none of these sentinels knows of the last failover. */
  replicaOf(replies: readonly SentinelReply[]): HostAndPort | undefined {
    const least = this.#isOutdated ? 0 : (this.#newest?.epoch ?? 0)
    const [newest] = replies.toSorted((one, other) => other.epoch - one.epoch)
    return newest !== undefined && newest.epoch >= least ? newest.place : undefined
  }

  get #isOutdated(): boolean {
    return performance.now() - this.#saidAt > BELIEVED_MS
  }
}

/** Resolves with the values that there are when all have settled, or that long after the first value. Rejects where there is none. */
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

/** Whether two addresses are the same. */
export function isSamePlace(one: HostAndPort | undefined, other: HostAndPort | undefined): boolean {
  return one?.host === other?.host && one?.port === other?.port
}
