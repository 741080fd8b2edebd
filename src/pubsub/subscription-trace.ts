import { channel as channelOf, tracingChannel } from 'node:diagnostics_channel'
import type { SubscriptionTrace } from '../api/diagnostics.js'
import type { Channel } from '../connection/connection.js'
import { withoutWords } from '../errors/without-words.js'
import type { Mutable } from '../util/mutable.js'

const channel = tracingChannel<SubscriptionTrace>('ioredisson:subscription')
const gaps = channelOf('ioredisson:subscription:gap')

/** The trace of one subscription, from when it is asked for. */
export class TracedSubscription {
  readonly #trace: Mutable<SubscriptionTrace>
  readonly #askedAt = performance.now()
  #isConfirmed = false

  /** Returns undefined where there is no subscriber. */
  static of(subscribed: Channel): TracedSubscription | undefined {
    return channel.hasSubscribers || gaps.hasSubscribers ? new TracedSubscription(subscribed) : undefined
  }

  private constructor({ kind, name }: Channel) {
    this.#trace = { kind, name, waitedMs: 0, gaps: 0, outcome: undefined }
    channel.start.publish(this.#trace)
    channel.end.publish(this.#trace)
  }

  confirm(): void {
    if (this.#isConfirmed) return
    this.#isConfirmed = true
    this.#trace.waitedMs = performance.now() - this.#askedAt
    channel.asyncStart.publish(this.#trace)
  }

  gap(): void {
    this.#trace.gaps += 1
    gaps.publish(this.#trace)
  }

  /** @param error - why it was not confirmed, or refused afterwards; undefined where the program ended it */
  end(error: Error | undefined): void {
    const failed = error !== undefined
    if (failed) this.#trace.error = withoutWords(error, 'The subscription')
    this.#trace.outcome = !failed ? 'ended' : this.#isConfirmed ? 'lost' : 'failed'
    if (!this.#isConfirmed) this.#trace.waitedMs = performance.now() - this.#askedAt
    if (failed) channel.error.publish(this.#trace)
    if (!this.#isConfirmed) channel.asyncStart.publish(this.#trace)
    channel.asyncEnd.publish(this.#trace)
  }
}
