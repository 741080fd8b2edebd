import { setTimeout as sleep } from 'node:timers/promises'
import type { ObjectContext } from '../../core/context/object-context.js'
import { isRedissonError } from '../../errors/redisson-error.js'
import type { ChannelWaiter } from '../../pubsub/channel-waiter.js'

/** A change wakes none by itself: when the key is tracked again, all are woken. So there is one read for a change, and not two. */
const wakeNone = (): number => 0

/** Sleeps until a key changes, by whatever client and command, for as long as it is wanted. */
export class KeySleep implements Disposable {
  readonly #context: Pick<ObjectContext, 'keyWakeUps'>
  readonly #key: string
  #waiter: ChannelWaiter | undefined

  constructor(context: Pick<ObjectContext, 'keyWakeUps'>, key: string) {
    this.#context = context
    this.#key = key
  }

  /** Begins to listen: a change from now on ends the next sleep. */
  listen(): void {
    this.#waiter ??= this.#context.keyWakeUps.join(this.#key, wakeNone)
  }

  /**
   * Sleeps for that number of milliseconds at most. Where Redis refuses to tell of changes, it sleeps for as long.
   *
   * @throws the reason of the signal; {@link ClientClosedError}
   */
  async sleep(ms: number, signal: AbortSignal): Promise<void> {
    this.listen()
    try {
      await this.#waiter?.wait(ms, signal)
    } catch (error) {
      signal.throwIfAborted()
      if (isRedissonError(error, 'CLOSED')) throw error
      this[Symbol.dispose]()
      await sleep(ms, undefined, { signal })
    }
  }

  /** Ends the sleep. */
  wake(): void {
    this.#waiter?.set()
  }

  /** Listens no more, until the next sleep. */
  [Symbol.dispose](): void {
    this.#waiter?.leave()
    this.#waiter = undefined
  }
}
