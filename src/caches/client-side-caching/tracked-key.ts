import type { ChannelListener, Subscription, Subscriptions } from '../../pubsub/subscriptions.js'

/** What a {@link TrackedKey} is made with. */
export interface TrackedKeyDeps {
  readonly keyChanges: Subscriptions
  readonly key: string
  /** The node that owns the key. */
  readonly owner: string
  /** Is notified when it is over, and of the error if Redis does not track keys. */
  readonly ended: (tracked: TrackedKey, refusal: Error | undefined) => void
}

/** The time in which Redis reports the next change of a key. It is over with that change, or when the change might be missed. */
export class TrackedKey implements ChannelListener {
  readonly key: string
  readonly owner: string
  /** The requests whose replies are kept. */
  readonly kept = new Set<string>()
  /** How many requests are under way whose replies may be kept. */
  reads = 0
  /** When the key expires, on the monotonic clock; undefined if that cannot be found out. It is asked for once. */
  endsAt: Promise<number | undefined> | undefined
  readonly #ended: TrackedKeyDeps['ended']
  readonly #part: Subscription
  readonly #decided = Promise.withResolvers<undefined>()
  #isOver = false

  constructor({ keyChanges, key, owner, ended }: TrackedKeyDeps) {
    this.key = key
    this.owner = owner
    this.#ended = ended
    this.#part = keyChanges.joinAnnouncements(key, this)
  }

  /** Whether Redis reports the next change now. */
  get stands(): boolean {
    return !this.#isOver && this.#part.standing
  }

  /** Why Redis does not track the key, if Redis has said so or cannot be reached. */
  get refusal(): Error | undefined {
    return this.#part.refusal
  }

  /** Resolves when Redis tracks the key, or it is over. */
  get decided(): Promise<undefined> {
    return this.#decided.promise
  }

  /** Ends it, if it is not over. */
  end(refusal?: Error): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#part.leave()
    this.#decided.resolve(undefined)
    this.#ended(this, refusal)
  }

  subscribed(): void {
    this.#decided.resolve(undefined)
  }

  interrupted(): void {
    this.end(this.refusal)
  }

  refused(error: Error): void {
    this.end(error)
  }

  message(): void {
    this.end()
  }

  gap(): void {
    this.end()
  }
}
