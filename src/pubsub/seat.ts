import { Sleeper } from '../util/sleeper.js'

/** A waiter's place at a channel, whose messages wake it. */
export class Seat extends Sleeper {
  readonly channel: string
  readonly #onLeave: (unusedWakeUp: boolean) => void
  #confirmed: boolean

  constructor(
    channel: string,
    subscribed: Promise<void> | 'already',
    onLeave: (unusedWakeUp: boolean) => void,
  ) {
    super()
    this.channel = channel
    this.#onLeave = onLeave
    this.#confirmed = subscribed === 'already'
    if (subscribed !== 'already') void this.#hear(subscribed)
  }

  /** Whether Redis has confirmed that messages will arrive here. */
  get confirmed(): boolean {
    return this.#confirmed
  }

  /** Waits until the subscription is confirmed, or something else wakes the waiter. Answers false if nothing did in time. */
  async settle(timeoutMs: number, signal?: AbortSignal): Promise<boolean> {
    return this.#confirmed || (await this.sleep(timeoutMs, signal)) || this.#confirmed
  }

  /** Gives the place back; a wake-up that was not used goes to the next. */
  leave(): void {
    this.#onLeave(this.takeWakeUp())
  }

  async #hear(subscribed: Promise<void>): Promise<void> {
    try {
      await subscribed
      this.#confirmed = true
      this.wake() // what was announced before was not heard
    } catch (error) {
      this.dismiss(error as Error)
    }
  }
}
