import { kindOf, wordsOf } from './frames.js'

interface Pending {
  readonly request: string
  readonly subscribes: boolean
  /** How many replies are still to come. */
  left: number
}

/** Follows what is said on one connection, to know which reply belongs to which request. */
export class Conversation {
  readonly #pending: Pending[] = []
  #protocol: 2 | 3 = 2
  #subscribed = false
  #onAnswered: (() => void) | undefined

  /** Whether the client has ever asked for messages here. */
  get subscribed(): boolean {
    return this.#subscribed
  }

  /** Notes a request that goes to the server. */
  asked(frame: Buffer): void {
    const words = wordsOf(frame)
    const [command = '', first = ''] = words
    const subscribes = /^[ps]?(un)?subscribe$/i.test(command)
    if (subscribes) this.#subscribed = true
    if (/^hello$/i.test(command) && first === '3') this.#protocol = 3
    const left = subscribes ? Math.max(1, words.length - 1) : 1 // every channel is confirmed for itself
    this.#pending.push({ request: words.join(' '), subscribes, left })
  }

  /** Resolves when all that was asked has been answered. Only one may wait for that. */
  async answered(): Promise<void> {
    if (this.#pending.length > 0) await new Promise<void>((resolve) => (this.#onAnswered = resolve))
    this.#onAnswered = undefined
  }

  /** The request that a frame from the server answers; `undefined` if it answers none. */
  heard(frame: Buffer): string | undefined {
    const kind = kindOf(frame, { protocol: this.#protocol })
    if (kind === 'message' && this.#subscribed) return undefined
    const [pending] = this.#pending
    if (!pending) return undefined
    if (kind === 'confirmation' && !pending.subscribes && this.#protocol === 3) return undefined // a slot has moved
    pending.left -= 1
    if (pending.left === 0 || kind === 'error') this.#pending.shift()
    if (this.#pending.length === 0) this.#onAnswered?.()
    return pending.request
  }
}
