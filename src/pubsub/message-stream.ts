import type { MessagesOptions, Subscription } from '../topics/shared/subscription.api.js'
import type { Channel } from '../connection/connection.js'
import { AbortError } from '../errors/client-errors.js'
import { MessageOverflowError } from '../errors/topic-errors.js'
import { onAbort } from '../util/abort/abort-listeners.js'
import { callSafely } from '../util/call-safely.js'
import { MessageBuffer } from '../util/collections/message-buffer.js'
import { listenTo, type ListeningServices, type Receiver } from './channel-subscription.js'

const BUFFER = 1000

/**
 * Iterates over the messages of a channel. It is subscribed when the first message is asked for, for each iterator anew, and until that
 * ends.
 *
 * @param decode - reads a message; what it throws ends the iteration
 * @param ending - the signal of the object, which ends each iteration with an {@link AbortError}
 */
export function messagesOf<T>(
  services: ListeningServices,
  channel: Channel,
  decode: Receiver<T>['decode'],
  options: MessagesOptions = {},
  ending?: AbortSignal,
): AsyncIterable<T, undefined> {
  return {
    [Symbol.asyncIterator]: () => {
      const listen: Listen<T> = (hooks, signal) =>
        listenTo(services, channel, { decode, ...hooks }, { signal })
      const request = `messages of ${channel.name}`
      const ends: readonly End[] = [
        { signal: services.closing },
        { signal: options.signal },
        { signal: ending, errorOf: (cause) => new AbortError(request, { cause }) },
      ]
      return new MessageIterator(listen, ends, options)
    },
  }
}

/** Begins a subscription, which lasts until the signal aborts. */
type Listen<T> = (hooks: Omit<Receiver<T>, 'decode'>, signal: AbortSignal) => Promise<Subscription>

/** What ends an iteration, and with which error; the reason, if nothing else is said. */
interface End {
  readonly signal: AbortSignal | undefined
  readonly errorOf?: (reason: unknown) => Error
}

/** One iteration over messages. */
class MessageIterator<T> implements AsyncIterator<T, undefined> {
  readonly #listen: Listen<T>
  readonly #aborts: readonly End[]
  readonly #overflow: MessagesOptions['overflow']
  readonly #size: number
  readonly #buffer: MessageBuffer<T>
  readonly #ending = new AbortController()
  readonly #ends: (() => void)[] = []
  #begun = false

  constructor(listen: Listen<T>, aborts: readonly End[], options: MessagesOptions) {
    const { buffer = BUFFER, overflow = 'error', onGap } = options
    this.#listen = listen
    this.#aborts = aborts
    this.#overflow = overflow
    this.#size = buffer
    // It is called while messages are given out: what it throws must neither stop that nor keep the gap from others.
    this.#buffer = new MessageBuffer(buffer, () => {
      callSafely(() => onGap?.())
    })
  }

  next(): Promise<IteratorResult<T, undefined>> {
    if (!this.#begun) void this.#begin()
    return this.#buffer.take()
  }

  return(): Promise<IteratorResult<T, undefined>> {
    this.#begun = true
    this.#buffer.end()
    this.#end()
    return Promise.resolve({ done: true, value: undefined })
  }

  async #begin(): Promise<void> {
    this.#begun = true
    for (const end of this.#aborts) this.#endWith(end)
    try {
      const receive = (message: T) => {
        this.#receive(message)
      }
      const gap = () => {
        this.#buffer.gap()
      }
      const fail = (error: Error) => {
        this.#fail(error)
      }
      await this.#listen({ receive, gap, fail }, this.#ending.signal)
    } catch (error) {
      this.#fail(error as Error)
    }
  }

  #receive(message: T): void {
    if (this.#buffer.isFull) {
      if (this.#overflow === 'error') this.#fail(new MessageOverflowError(this.#size))
      if (this.#overflow !== 'dropOldest') return
      this.#buffer.dropOldest()
    }
    this.#buffer.push(message)
  }

  /** What waits is dropped when a signal aborts, and the iteration throws. */
  #endWith({ signal, errorOf }: End): void {
    if (signal === undefined) return
    const abort = () => {
      this.#buffer.dropAll()
      this.#fail(errorOf === undefined ? (signal.reason as Error) : errorOf(signal.reason))
    }
    this.#ends.push(onAbort(signal, abort))
    if (signal.aborted) abort()
  }

  #fail(error: Error): void {
    this.#buffer.fail(error)
    this.#end()
  }

  #end(): void {
    for (const end of this.#ends.splice(0)) end()
    this.#ending.abort()
  }
}
