import type { Subscriber, SubscriberListener } from '../../src/connection/connection.js'

/** A way to hear news that says what it is asked, and tells what the test wants. */
export class FakeSubscriber implements Subscriber {
  /** What was asked, in order: `+` for a subscription, `-` for its end. */
  readonly asked: string[] = []
  readonly #confirmations = new Map<string, PromiseWithResolvers<void>[]>()
  #listener: SubscriberListener | undefined

  listen(listener: SubscriberListener): void {
    this.#listener = listener
  }

  subscribe(channel: string): Promise<void> {
    this.asked.push(`+${channel}`)
    const confirmation = Promise.withResolvers<void>()
    this.#confirmations.set(channel, [...(this.#confirmations.get(channel) ?? []), confirmation])
    return confirmation.promise
  }

  unsubscribe(channel: string): void {
    this.asked.push(`-${channel}`)
  }

  /** Redis has confirmed the latest subscription to a channel, and all before it. */
  async confirm(channel: string): Promise<void> {
    for (const { resolve } of this.#confirmations.get(channel) ?? []) resolve()
    await settled()
  }

  /** Redis refuses the subscriptions to a channel. */
  async refuse(channel: string, error: Error): Promise<void> {
    for (const { reject } of this.#confirmations.get(channel) ?? []) reject(error)
    await settled()
  }

  message(channel: string, message: string): void {
    this.#listener?.message(channel, message)
  }

  resumed(...channels: readonly string[]): void {
    this.#listener?.resumed(channels)
  }
}

/** Resolves when whatever waits for a promise that is settled has gone on. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve()
}
