/** A request, or the reply to one, that is about to pass a proxy. */
export interface Passing {
  /** The connection, to be compared with that of others. */
  readonly connection: object
  /** The request's words, with a space between them. */
  readonly request: string
  /** The reply as the protocol writes it; `undefined` if it is the request that passes. */
  readonly reply: string | undefined
  /**
   * Refuses the request in the server's place, with such words as `BUSY …`, once all before it are answered. The server
   * never gets it. A reply cannot be refused.
   */
  refuse(words: string): void
  /** Breaks this connection at once, on both sides; what was about to pass is lost. */
  cut(): void
  /** Lets this and all that follows in the same direction vanish, while the connection stays up. */
  swallow(): void
  /** Lets everything vanish from now on, in both directions, while the connection stays up. */
  freeze(): void
}

/** Which requests are meant: those that contain a text, in any case, match an expression, or satisfy a predicate. */
export type Match = string | RegExp | ((request: string) => boolean)

/** What to do at the moment. What is about to pass waits until it is done, and all that follows on the connection. */
export type Act = (passing: Passing) => Promise<void> | void

export interface TrapOptions {
  /**
   * How often it acts.
   *
   * @defaultValue 1
   */
  readonly times?: number
}

/** Acts when a certain request or reply passes. */
export class Trap implements Disposable {
  /** Resolves with the request when the trap has acted for the first time, and rejects if acting failed. */
  readonly happened: Promise<string>
  readonly #match: Match
  readonly #act: Act
  readonly #happened: PromiseWithResolvers<string>
  #timesLeft: number

  constructor(match: Match, act: Act, { times = 1 }: TrapOptions = {}) {
    this.#match = match
    this.#act = act
    this.#timesLeft = times
    this.#happened = Promise.withResolvers()
    this.happened = this.#happened.promise
  }

  /** Acts, if it is meant. */
  async meet(passing: Passing): Promise<void> {
    if (this.#timesLeft === 0 || !this.#meant(passing.request)) return
    this.#timesLeft -= 1
    try {
      await this.#act(passing)
      this.#happened.resolve(passing.request)
    } catch (error) {
      this.#happened.reject(error)
    }
  }

  /** Acts no more. */
  [Symbol.dispose](): void {
    this.#timesLeft = 0
  }

  #meant(request: string): boolean {
    const match = this.#match
    if (typeof match === 'string') return request.toLowerCase().includes(match.toLowerCase())
    return typeof match === 'function' ? match(request) : match.test(request)
  }
}
