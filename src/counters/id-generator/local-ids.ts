import { AbortError } from '../../errors/client-errors.js'
import { onAbort } from '../../util/abort/abort-listeners.js'

/** Ids in a row that belong to this client. */
export interface TakenIds {
  readonly first: bigint
  readonly count: bigint
  /** How many ids one block of the generator has. */
  readonly blockSize: bigint
}

/**
 * Asks Redis for ids.
 *
 * @param wanted - how many callers wait for one; 0 for a block ahead, which is undefined if the generator is not there
 */
export type TakeIds = (wanted: number) => Promise<TakenIds | undefined>

/**
 * The next block is asked for when this part of one is left, a quarter. Of 5 000 ids these are 1 250: as many as a client uses within a
 * round trip of a millisecond if it uses a million each second. A process that ends wastes a block and this part of another.
 */
const PARTS = 4n

/** What is left of ids that were taken together. */
interface Block {
  next: bigint
  readonly end: bigint
  /** From which id on the next block is asked for; the end where it was. */
  low: bigint
}

/** A caller that waits for an id. */
interface Waiter extends PromiseWithResolvers<bigint> {
  /** Whether a request counts it. */
  isAsked: boolean
}

/** The ids of one generator that this client has, and the callers that wait for more. There is one request for them at a time. */
export class LocalIds {
  readonly #closing: AbortSignal
  readonly #waiters = new Set<Waiter>()
  #block: Block | undefined
  /** The block that was taken ahead. */
  #following: Block | undefined
  #isAsking = false

  constructor(closing: AbortSignal) {
    this.#closing = closing
  }

  /**
   * Returns the next id, at once if there is one. Otherwise callers get theirs in the order of their calls.
   *
   * @param signal - ends the waiting. An id that was asked for by then is used up
   */
  next(take: TakeIds, signal?: AbortSignal): bigint | Promise<bigint> {
    if (this.#block !== undefined) {
      const id = this.#use(this.#block)
      this.#lookAhead(take)
      return id
    }
    const waiter: Waiter = { ...Promise.withResolvers<bigint>(), isAsked: false }
    this.#waiters.add(waiter)
    if (!this.#isAsking) void this.#ask(take)
    return signal === undefined ? waiter.promise : this.#until(signal, waiter)
  }

  async #until(signal: AbortSignal, waiter: Waiter): Promise<bigint> {
    const stopListening = onAbort(signal, () => {
      if (!waiter.isAsked) this.#waiters.delete(waiter)
      waiter.reject(new AbortError('nextId()', { cause: signal.reason, mayHaveRun: waiter.isAsked }))
    })
    try {
      return await waiter.promise
    } finally {
      stopListening()
    }
  }

  #use(block: Block): bigint {
    const id = block.next
    block.next += 1n
    if (block.next === block.end) {
      this.#block = this.#following
      this.#following = undefined
    }
    return id
  }

  /** Asks for the next block once for each that runs low. No caller waits for it, and so none hears that it failed. */
  #lookAhead(take: TakeIds): void {
    const block = this.#block
    if (block === undefined || block.next < block.low) return
    if (this.#following !== undefined || this.#isAsking || this.#closing.aborted) return
    block.low = block.end
    void this.#ask(take)
  }

  /** Callers that waited when a request began get its error. Later ones are served by another request. */
  async #ask(take: TakeIds): Promise<void> {
    const asked = [...this.#waiters]
    for (const waiter of asked) waiter.isAsked = true
    this.#isAsking = true
    try {
      this.#add(await take(asked.length))
    } catch (error) {
      for (const waiter of asked) {
        this.#waiters.delete(waiter)
        waiter.reject(error)
      }
    }
    this.#isAsking = false
    this.#serve(take)
  }

  #add(taken: TakenIds | undefined): void {
    if (taken === undefined) return
    const { first, count, blockSize } = taken
    const end = first + count
    const block = { next: first, end, low: end - blockSize / PARTS }
    if (this.#block === undefined) this.#block = block
    else this.#following = block
  }

  #serve(take: TakeIds): void {
    for (const waiter of this.#waiters) {
      if (this.#block === undefined) break
      this.#waiters.delete(waiter)
      waiter.resolve(this.#use(this.#block))
    }
    if (this.#waiters.size > 0) void this.#ask(take)
    else this.#lookAhead(take)
  }
}
