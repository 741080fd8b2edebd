import type { HostAndPort } from '../api/redisson-options.js'
import { afterRunning } from '../util/after-running.js'

/** What a sentinel has replied. */
export interface SentinelReply {
  /** The server that is looked for. */
  readonly place: HostAndPort
  /** How new that is: each failover has a higher epoch than those before. 0 where the sentinel does not say it. */
  readonly epoch: number
  /** How many sentinels there are, as far as this one knows, whether or not they can be reached. */
  readonly sentinels: number
  /** Which sentinel it was. It may be known by two names. */
  readonly from: string
}

/**
 * What all connections of a client know of its master.
 *
 * A sentinel that was away names a master that was replaced, and that may run still. Epochs show which reply is the newest.
 */
export class MasterKnowledge {
  #epoch = 0
  #master: HostAndPort | undefined

  /** Takes note of a reply if it is newer than all before. Returns whether it is. */
  learn({ epoch, place }: SentinelReply): boolean {
    if (epoch <= this.#epoch) return false
    this.#epoch = epoch
    this.#master = place
    return true
  }

  /** The master by the newest of some replies, or by an earlier one that is newer than these. */
  masterOf(replies: readonly SentinelReply[]): HostAndPort | undefined {
    const newest = this.#newestOf(replies)
    if (newest === undefined) return this.#master
    this.#epoch = newest.epoch
    return (this.#master = newest.place)
  }

  /** A replica of the present master; undefined where none of the sentinels has heard of the last failover. */
  replicaOf(replies: readonly SentinelReply[]): HostAndPort | undefined {
    return this.#newestOf(replies)?.place
  }

  /** Undefined where what is known is newer. If all sentinels have replied, and none knows of that, they were set up anew. */
  #newestOf(replies: readonly SentinelReply[]): SentinelReply | undefined {
    const [newest] = replies.toSorted((one, other) => other.epoch - one.epoch)
    if (newest === undefined || newest.epoch >= this.#epoch) return newest
    const replied = new Set(replies.map(({ from }) => from)).size
    return replied >= Math.max(...replies.map(({ sentinels }) => sentinels)) ? newest : undefined
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
