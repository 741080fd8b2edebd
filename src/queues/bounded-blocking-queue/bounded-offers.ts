import type { KeyWaiters } from '../../waiting/key-waiters.js'
import type { SharedByCalls } from '../blocking-queue/blocking-calls.js'
import { removeOrWait } from '../blocking-queue/removals.js'
import { demandTurns, FROM_MASTER, type RunOptions } from '../../command/operation/command-executor.js'
import type { Argument } from '../../connection/connection.js'
import type { Patience } from '../../core/arguments/arguments.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import type { ObjectRequests } from '../../core/object-requests.js'
import { CapacityNotSetError } from '../shared/queue.errors.js'
import { offer, remaining } from './bounded-blocking-queue.scripts.js'
import { roomOf } from './bounded-elements.js'

/** What a request to add elements has found. */
interface Offered {
  readonly isAdded: boolean
  readonly capacity: number
}

/** What such a call has no use for: elements that are put back, and those that the queue gets later. */
const nothing = () => undefined
const NO_RETURNS = { putBack: () => Promise.resolve(), delays: { watch: () => nothing } }

/** Adds elements to one queue, where there is room. */
export class BoundedOffers {
  readonly #name: string
  readonly #requests: ObjectRequests
  readonly #context: Pick<ObjectContext, 'config' | 'topology'>
  readonly #shared: SharedByCalls<KeyWaiters>

  constructor(
    context: Pick<ObjectContext, 'config' | 'topology'>,
    { name, requests }: { readonly name: string; readonly requests: ObjectRequests },
    shared: SharedByCalls<KeyWaiters>,
  ) {
    this.#name = name
    this.#requests = requests
    this.#context = context
    this.#shared = shared
  }

  /** Adds values, all of them or none. */
  async add(values: readonly Argument[], options?: RunOptions): Promise<Offered> {
    const [isAdded, capacity] = this.#known(await this.#requests.ask(offer, { values }, this.#room, options))
    return { isAdded, capacity }
  }

  /** How many more elements there may be. */
  async remaining(options?: RunOptions): Promise<number> {
    return this.#known(await this.#requests.ask(remaining, {}, this.#room, options))
  }

  /**
   * Adds a value as soon as there is room. Returns whether there was in time. A caller does not overtake those of this process that wait.
   *
   * It takes effect once. Redis may be out of reach meanwhile. What has not been sent when the caller gives up is not sent.
   */
  async wait(value: Argument, patience: Patience): Promise<boolean> {
    demandTurns(this.#requests, 'Waiting for room')
    const { receivers, waiters } = this.#shared
    const { places } = this.#room
    const line = JSON.stringify(['room', places])
    let joinsLine = waiters.isWaitedFor(line) // it does not overtake those who wait
    const adding = {
      remove: async (options: RunOptions) => (await this.add([value], options)).isAdded || undefined,
    }
    const removals = {
      all: () => {
        const now = joinsLine ? [] : [adding]
        joinsLine = false
        return now
      },
      hasAny: (options: RunOptions) => this.#mayHaveRoom(options),
    }
    const standing: Pick<typeof waiters, 'wait'> = {
      wait: (keys, find, until) => waiters.wait(keys, find, until, line),
    }
    const services = {
      requests: this.#requests,
      waiters: standing,
      receivers,
      ...NO_RETURNS,
      failFast: this.#context.config.failFast,
      topology: this.#context.topology,
    }
    const call = { keys: [places], removals, patience, request: `an offer to ${this.#requests.key}` }
    return (await removeOrWait(services, call)) === true
  }

  /** A queue that has lost its capacity is worth a request, which says so. */
  async #mayHaveRoom(options: RunOptions): Promise<boolean> {
    const left = await this.#requests.ask(remaining, {}, this.#room, { ...options, ...FROM_MASTER })
    return left === undefined || left > 0
  }

  get #room() {
    return { places: roomOf(this.#requests.key).places }
  }

  /** @throws {@link CapacityNotSetError} if none was set */
  #known<T>(found: T | undefined): T {
    if (found === undefined) throw new CapacityNotSetError(this.#name)
    return found
  }
}
