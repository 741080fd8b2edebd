import type { Codec } from '../../api/codec.js'
import type { IdempotencyIds } from '../../command/once/idempotency-ids.js'
import type { Emitter } from '../../util/emitter.js'
import type { Mutable } from '../../util/mutable.js'
import type { CacheEvents, CacheLoader, CacheStats } from './cache.api.js'
import type { CacheKeys } from './cache-keys.js'
import type { Policy } from './cache-settings.js'
import type { CacheStore } from './cache-store.js'
import type { LocalLevel } from './local-level.js'
import type { Outage } from './loading/outage.js'
import type { TagTimes } from './tag-times.js'

/** What the parts of one cache share. */
export interface CacheParts<V> {
  readonly name: string
  readonly codec: Codec<V>
  readonly keys: CacheKeys
  readonly store: CacheStore
  readonly times: TagTimes
  readonly local: LocalLevel<V> | undefined
  /** How long a call waits for Redis that has no limit of its own, in milliseconds. */
  readonly redisTimeoutMs: number
  /** The nodes that cannot be asked. */
  readonly reads: Outage
  /** Those that can, but do not let a load be marked. */
  readonly marks: Outage
  readonly events: Emitter<CacheEvents>
  readonly counts: Mutable<CacheStats>
  readonly tokens: IdempotencyIds
  /** Aborts when the shutdown of the client begins. */
  readonly closing: AbortSignal
}

/** A call that may load. */
export interface LoadRequest<V> {
  readonly key: string
  readonly loader: CacheLoader<V>
  readonly policy: Policy
  /** When the call began, on the monotonic clock. */
  readonly startedAt: number
  /** Whether its caller has stopped waiting. */
  isOver: boolean
  /** Ends what it waits for. */
  giveUp?: (() => void) | undefined
}
