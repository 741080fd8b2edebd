import type { ObjectContext } from '../../core/context/object-context.js'
import type { Subscription, Subscriptions } from '../../pubsub/subscriptions.js'
import { AutoResetEvent } from '../../util/auto-reset-event.js'
import { warnOnce } from '../../util/warn-once.js'
import type { Stamp, Times } from './record.js'

/**
 * What a message says: an entry was written or removed, or its load has ended otherwise; its load has found no value, which is not kept; a tag was
 * deleted or expired; all was cleared.
 */
export type MessageKind = 'entry' | 'absent' | 'tag' | 'clear'

/** What is done with messages. */
export interface MessageReceiver {
  /**
   * @param isOwn - whether this cache has sent it
   * @param subject - a key, or a tag
   */
  receive(kind: MessageKind, isOwn: boolean, subject: string): void
  /** Messages may have been missed. */
  missed(): void
}

/** A call that waits for the end of a load in another process. */
export class LoadWaiter extends AutoResetEvent {
  /** The load that it waits for. */
  token = ''
  /** If that load has found no value, which is not kept: the times of its tags when it began. */
  absence: Stamp | undefined
}

/** Stands between the token of a load and the times of its tags. It is in no token. */
const TIMES = '~'

/** What the message of a load that has found no value has in the place of the token: that, and the times of the tags when it began. */
export function absenceOf(token: string, stamp: Stamp): string {
  return token + TIMES + encodeURIComponent(JSON.stringify([...stamp]))
}

/** The times in such a message, if it is about this load. */
function absenceIn(text: string, token: string): Stamp | undefined {
  if (token === '' || !text.startsWith(token + TIMES)) return undefined
  try {
    const tags = decodeURIComponent(text.slice(token.length + TIMES.length))
    return new Map(JSON.parse(tags) as [string, Times][])
  } catch {
    return undefined // no cache of this kind has sent it
  }
}

/** After a refused subscription a call asks for it again, but not more often than this, in milliseconds. */
const SUBSCRIBE_AGAIN_MS = 1_000

/** Leaves the channels of caches that the program does not refer to any more. */
const unused = new FinalizationRegistry<Subscription>((subscription) => {
  subscription.leave()
})

/** The messages of a cache: one channel, which is subscribed while a call waits, or for as long as there are local entries. */
export class CacheMessages {
  readonly #subscriptions: Subscriptions
  readonly #channel: string
  readonly #origin: string
  readonly #receiver: MessageReceiver
  readonly #waiters = new Map<string, Set<LoadWaiter>>()
  #waiting = 0
  /** Whether it listens until the cache is garbage-collected. */
  #isKept = false
  #subscription: Subscription | undefined
  #refusedAt = -Infinity

  constructor(
    { subscriptions }: Pick<ObjectContext, 'subscriptions'>,
    channel: string,
    origin: string,
    receiver: MessageReceiver,
  ) {
    this.#subscriptions = subscriptions
    this.#channel = channel
    this.#origin = origin
    this.#receiver = receiver
  }

  /** A message of this cache. */
  text(kind: MessageKind, subject: string, token = '-'): string {
    return `${kind} ${this.#origin} ${token} ${subject}`
  }

  /** Listens until the cache is garbage-collected. */
  keep(): void {
    if (this.#isKept && this.#subscription !== undefined) return
    this.#isKept = true
    this.#join()
  }

  /** Ends that. */
  release(): void {
    this.#isKept = false
    if (this.#waiting === 0) this.#drop()
  }

  /** Whether every message arrives now. */
  get isStanding(): boolean {
    return this.#subscription?.standing === true
  }

  /** Adds a call that waits for messages about a key. */
  wait(key: string): LoadWaiter {
    const waiter = new LoadWaiter()
    const waiters = this.#waiters.get(key) ?? new Set()
    this.#waiters.set(key, waiters.add(waiter))
    this.#waiting += 1
    this.#join()
    return waiter
  }

  leave(key: string, waiter: LoadWaiter): void {
    const waiters = this.#waiters.get(key)
    if (waiters?.delete(waiter) !== true) return
    if (waiters.size === 0) this.#waiters.delete(key)
    this.#waiting -= 1
    if (this.#waiting > 0 || this.#isKept) return
    this.#drop()
  }

  #join(): void {
    if (this.#subscription !== undefined) return
    if (performance.now() - this.#refusedAt < SUBSCRIBE_AGAIN_MS) return
    // The subscription outlives the cache object, and must not keep it from being collected.
    const self = new WeakRef(this)
    const toSelf = (tell: (messages: CacheMessages) => void) => {
      const messages = self.deref()
      if (messages !== undefined) tell(messages)
    }
    const wakeAll = () => {
      toSelf((messages) => {
        messages.#wakeAll()
      })
    }
    const listener = {
      message: (payload: Buffer) => {
        toSelf((messages) => {
          messages.#hear(payload)
        })
      },
      subscribed: wakeAll,
      gap: wakeAll,
      refused: () => {
        toSelf((messages) => {
          messages.#refused()
        })
      },
    }
    const subscription = this.#subscriptions.join({ kind: 'plain', name: this.#channel }, listener)
    this.#subscription = subscription
    unused.register(this, subscription, subscription)
  }

  #drop(): void {
    if (this.#subscription === undefined) return
    unused.unregister(this.#subscription)
    this.#subscription.leave()
    this.#subscription = undefined
  }

  #hear(payload: Buffer): void {
    const found = /^(entry|absent|tag|clear) (\S+) (\S+) (.*)$/s.exec(payload.toString())
    if (found === null) return
    const [, kind, origin, token, subject] = found as unknown as readonly [
      string,
      MessageKind,
      string,
      string,
      string,
    ]
    this.#receiver.receive(kind, origin === this.#origin, subject)
    if (kind === 'tag' || kind === 'clear') return
    for (const waiter of this.#waiters.get(subject) ?? []) {
      if (kind === 'absent') waiter.absence ??= absenceIn(token, waiter.token)
      waiter.set()
    }
  }

  #wakeAll(): void {
    this.#receiver.missed()
    for (const waiters of this.#waiters.values()) for (const waiter of waiters) waiter.set()
  }

  /** Waiters look from time to time in any case. A later call asks for the channel again. */
  #refused(): void {
    this.#receiver.missed()
    this.#refusedAt = performance.now()
    const message =
      `Redis has refused the channel ${this.#channel}. Entries in memory that others change are served until their time there is over, ` +
      'and calls that wait for a load look for it once in a second.'
    warnOnce('REDISSON_LOCAL_CACHE_UNHEARD', this.#channel, message)
    if (this.#subscription !== undefined) unused.unregister(this.#subscription)
    this.#subscription = undefined
  }
}
