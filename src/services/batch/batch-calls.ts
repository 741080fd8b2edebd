import { areValuesOfKey } from '../../collections/multimap/values-of-key.js'
import { NotInBatchError, type BatchFailure } from '../../errors/batch-errors.js'
import { allow } from '../../util/refused-calls.js'

/** A method, whatever it takes. */
type Method = (...args: readonly unknown[]) => unknown

/** One call that the program has made of an object. */
interface Call {
  readonly object: object
  readonly method: string
  readonly promise: Promise<unknown>
}

/**
 * The calls of a batch, each of which has made its requests before it returned.
 *
 * They settle at once, in the turn of the event loop in which the batch settles their requests, and are looked at in that turn. So none
 * has a handler from the start, which would be one more for each of many.
 */
export class BatchCalls {
  readonly #countRequests: () => number
  readonly #calls: Call[] = []
  /** Those that made no request. */
  readonly #withoutRequest: Promise<unknown>[] = []
  #sealed = false
  #running: string | undefined

  /** @param countRequests - how many requests the batch has collected so far */
  constructor(countRequests: () => number) {
    this.#countRequests = countRequests
  }

  get count(): number {
    return this.#calls.length
  }

  /** Whether these are the promises of all calls, in their order. */
  areAll(returned: readonly unknown[]): boolean {
    if (returned.length !== this.#calls.length) return false
    return this.#calls.every(({ promise }, index) => promise === returned[index])
  }

  /** An object whose methods belong to the batch. */
  readonly watched = <T extends object>(object: T): T => new Proxy(object, this.#handler) as T

  /** The call that runs now, in its synchronous part, as errors name it; undefined if there is none. */
  readonly called = (): string | undefined => (this.#running === undefined ? undefined : `${this.#running}()`)

  /** The results of all calls, in their order; undefined if one has failed. */
  async results(): Promise<readonly unknown[] | undefined> {
    const results: unknown[] = []
    try {
      for (const { promise } of this.#calls) results.push(await promise) // `Promise.all` would make two functions more for each
      return results
    } catch {
      this.hear()
      return undefined
    }
  }

  /** Excludes later calls from the batch. They do not end the process when they reject. */
  seal(): void {
    this.#sealed = true
  }

  /** Handles rejections of all calls that were made, so that none ends the process. */
  hear(): void {
    for (const { promise } of this.#calls) promise.catch(ignore)
  }

  /**
   * Resolves when those calls have settled that made no request, as no one answers them.
   *
   * @throws what the first of them rejected with, as for an argument that is wrong
   */
  async demandRequests(): Promise<void> {
    for (const promise of this.#withoutRequest) await promise
  }

  /** Releases the calls, as the list of them may be in V8's old generation, where it stays for long. */
  letGo(): void {
    this.#calls.length = 0
  }

  /**
   * What has failed, in the order of the calls; then what else was returned that rejected.
   *
   * @param returned - what the function of the batch has returned
   * @param results - what became of that
   */
  async failures(
    returned: readonly unknown[],
    results: readonly PromiseSettledResult<unknown>[],
  ): Promise<readonly BatchFailure[]> {
    const places = new Map(returned.map((promise, index) => [promise, index]))
    const outcomes = await Promise.allSettled(this.#calls.map(({ promise }) => promise))
    const own = this.#calls.flatMap(({ object, method, promise }, place) => {
      const outcome = outcomes[place]
      if (outcome?.status !== 'rejected') return []
      return [
        { index: places.get(promise), object: nameOf(object), method, error: outcome.reason as unknown },
      ]
    })
    const known = new Set(own.map(({ error }) => error))
    const others = results.flatMap((result, index) =>
      result.status === 'rejected' && !known.has(result.reason)
        ? [{ index, object: undefined, method: undefined, error: result.reason as unknown }]
        : [],
    )
    return [...own, ...others]
  }

  readonly #handler: ProxyHandler<object> = {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function' || name in Object.prototype) return value
      return (...args: readonly unknown[]) => this.#call(target, name, value as Method, args)
    },
  }

  #call(target: object, name: string | symbol, method: Method, args: readonly unknown[]): unknown {
    const called = typeof name === 'symbol' ? (name.description ?? 'a symbol') : name
    if (isAboutListeners(called)) throw new NotInBatchError(`${called}()`)
    const before = this.#countRequests()
    const promise = this.#run(called, target, method, args)
    if (areValuesOfKey(promise)) return this.watched(promise)
    if (!(promise instanceof Promise)) throw new NotInBatchError(`${called}(), which returns no promise,`)
    if (this.#sealed) {
      promise.catch(ignore)
      return promise
    }
    this.#calls.push({ object: target, method: called, promise })
    if (this.#countRequests() === before) this.#withoutRequest.push(promise)
    return promise
  }

  #run(called: string, target: object, method: Method, args: readonly unknown[]): unknown {
    const before = allow(true)
    this.#running = called
    try {
      return Reflect.apply(method, target, args)
    } finally {
      this.#running = undefined
      allow(before)
    }
  }
}

/** Listeners stay when the batch is over, and so are for the objects of the client. */
function isAboutListeners(method: string): boolean {
  return method.endsWith('Listener') || method.endsWith('Listeners')
}

function nameOf(object: object): string | undefined {
  return 'name' in object && typeof object.name === 'string' ? object.name : undefined
}

function ignore(): void {
  return undefined
}
