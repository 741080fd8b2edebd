import { FROM_MASTER } from '../../../command/operation/command-executor.js'
import { localCacheAcknowledgements } from '../../../core/context/names.js'
import type { ObjectContext } from '../../../core/context/object-context.js'
import { publish } from '../../../topics/topic/topic.commands.js'
import { withoutAsyncContext } from '../../../util/time/without-async-context.js'
import { DISABLED_MESSAGE, readCacheMessage, type CacheMessage } from './cache-messages.js'
import { hashOf, ownBytesOf } from './cached-entry.js'
import type { KeptEntries } from './kept-entries.js'
import { timeLeft } from '../local-cached-map.scripts.js'
import type { OwnMessages } from './own-messages.js'
import { databaseOfSender } from './sender-ids.js'

/** A message of one type. */
type Message<T extends CacheMessage['type']> = CacheMessage & { readonly type: T }

/** What a {@link CacheReception} is made with. */
export interface CacheReceptionDeps {
  readonly context: Pick<ObjectContext, 'executor'>
  readonly map: string
  readonly kept: KeptEntries
  readonly own: OwnMessages
  /** That of this client. */
  readonly database: number
  /** Whether messages set values. */
  readonly updates: boolean
  /** Whether what is kept may be served. */
  readonly isLive: () => boolean
  /** Tells the client that asks for it, and uses this database, that this one has cleared its cache. */
  readonly confirm: (requestId: string, database: number) => void
}

/** Handles the messages of a map: those of other clients, and those of this one, which say how far the stream of all messages has come. */
export class CacheReception {
  readonly #deps: CacheReceptionDeps

  constructor(deps: CacheReceptionDeps) {
    this.#deps = deps
  }

  receive(payload: Buffer): void {
    let message: CacheMessage | undefined
    try {
      message = readCacheMessage(payload)
    } catch {
      this.#deps.kept.dropAll() // whatever it meant
      return
    }
    if (message !== undefined) this.#handle(message)
  }

  /** Finds out when the map expires, where messages set values: they do not say it. */
  learnEnd(): void {
    const { context, map, kept, updates, isLive } = this.#deps
    if (!updates) return
    const flight = kept.flights.readMany()
    if (!isLive()) flight.isStale = true
    const startedAt = performance.now()
    const asked = withoutAsyncContext(() =>
      context.executor.run(timeLeft, { keys: { map }, args: {} }, FROM_MASTER),
    )
    void asked
      .then((leftMs) => {
        if (!flight.isStale && isLive()) kept.mapEndsAt = leftMs < 0 ? Infinity : startedAt + leftMs
      })
      .catch(() => undefined) // the next read rejects with the error
      .finally(() => {
        kept.flights.endMany(flight)
      })
  }

  #handle(message: CacheMessage): void {
    const { kept, own, updates } = this.#deps
    switch (message.type) {
      case 'clear':
        this.#clear(message)
        break
      case 'invalidate':
        if (own.settle(message.sender) && !updates) break
        for (const hash of message.hashes) kept.drop(hash)
        break
      case 'update':
        this.#update(message)
        break
      case 'evict':
        for (const key of message.keys) kept.drop(hashOf(key))
        break
      case 'disable':
        this.#disable(message)
        break
      case 'enable':
        kept.disabled.enable(message.requestId)
        break
    }
  }

  #clear({ sender, requestId, isConfirmed }: Message<'clear'>): void {
    const { kept, own, updates, confirm, database } = this.#deps
    const isOwn = own.settle(sender)
    if (isOwn && !updates) return
    kept.dropAll()
    this.learnEnd()
    if (isConfirmed && !isOwn) confirm(requestId, databaseOfSender(sender) ?? database)
  }

  #update({ sender, entries }: Message<'update'>): void {
    const { kept, own, updates, isLive } = this.#deps
    own.settle(sender)
    const { mapEndsAt } = kept
    const isUsable = updates && this.#isOfThisDatabase(sender)
    for (const [key, value] of entries) {
      const hash = hashOf(key)
      kept.drop(hash)
      if (!isUsable || mapEndsAt === undefined || own.isAwaited(hash) || !isLive()) continue
      kept.set({ ...ownBytesOf({ key, value }), hash, storedAt: performance.now(), endsAt: mapEndsAt })
    }
  }

  /**
   * Whether a message is about this map, and not about one of the same name in another database. One of Redisson for Java may be about either: it counts
   * as one of database 0.
   */
  #isOfThisDatabase(sender: string): boolean {
    return (databaseOfSender(sender) ?? 0) === this.#deps.database
  }

  /** Keeps nothing of what a transaction of Redisson for Java changes, until it has ended, and says so. */
  #disable(message: Message<'disable'>): void {
    const { context, map, kept } = this.#deps
    kept.disabled.disable(message)
    if (message.isWhole) kept.dropAll()
    for (const hash of message.hashes) kept.drop(hash)
    const channel = localCacheAcknowledgements(map, message.requestId)
    const call = { keys: { channel }, args: { message: DISABLED_MESSAGE } }
    void withoutAsyncContext(() => context.executor.run(publish, call)).catch(() => undefined) // it waits for a while, and goes on
  }
}
