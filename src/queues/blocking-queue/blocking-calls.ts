import type { ElementSubscription } from './blocking-queue.api.js'
import type { PollOptions, TakeOptions } from '../../collections/shared/polling.api.js'
import type { ListenOptions } from '../../topics/shared/subscription.api.js'
import { pollCount, pollPatience, pollRequest, takePatience } from '../../collections/shared/polling.js'
import type { ValueCodec } from '../../collections/shared/value-codec.js'
import { demandTurns, FROM_MASTER, type RunOptions } from '../../command/operation/command-executor.js'
import { checkedSignal, demandFunction, keyOf, type Patience } from '../../core/arguments/arguments.js'
import { checkedListening } from '../../core/arguments/listening.js'
import { MOST_ENTRIES } from '../../core/arguments/scan-settings.js'
import type { SharedServices } from '../../core/context/factories.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import { valuesOf } from '../../core/entries.js'
import type { ObjectRequests } from '../../core/object-requests.js'
import { demandAllowedRequest } from '../../util/refused-calls.js'
import { KeyWaiters } from '../../waiting/key-waiters.js'
import type { Until } from '../../waiting/settled-in-time.js'
import { DelayedTransfers } from '../delayed-queue/delayed-transfers.js'
import { consumptionOf } from './consumption.js'
import { plainElements, type Elements, type End, type Moved } from './elements.js'
import { ElementSubscriptionLoop, type TakenElement } from './element-subscription.js'
import { Receivers } from './receivers.js'
import { NEVER, removeOrWait, type Removal, type WaitingCall } from './removals.js'
import { Returns, type Return } from './returns.js'

/** What was removed, and where. */
interface Popped {
  /** The place of the queue among all that were named, of which this one is 0. */
  readonly place: number
  /** In the order in which they were removed. There is one at least. */
  readonly values: readonly Buffer[]
}

/** What a poll is about. */
interface Poll {
  readonly end: End
  readonly count: number
  /** The queues, in the order in which they are looked at. */
  readonly keys: readonly string[]
}

/** Queues of one slot that follow each other, and the place of the first of them. */
interface Run {
  readonly from: number
  readonly keys: readonly string[]
}

type Waiting = Pick<KeyWaiters, 'wait'>

/** What the calls of a client share. */
export interface SharedByCalls<Waiters extends Waiting = Waiting> {
  readonly waiters: Waiters
  readonly receivers: Receivers
  readonly returns: Returns
  readonly delays: Pick<DelayedTransfers, 'watch'>
}

export function sharedByCalls(shared: SharedServices): SharedByCalls<KeyWaiters> {
  return {
    waiters: shared.get(KeyWaiters),
    receivers: shared.get(Receivers),
    returns: shared.get(Returns),
    delays: shared.get(DelayedTransfers),
  }
}

/** How a take waits. */
interface Take {
  readonly patience: Patience
  readonly endsWhenBack?: boolean
}

/** A request that moves elements to another queue of the same slot. */
export interface Moving extends Omit<Moved, 'values'> {
  readonly send: (options: RunOptions, until: Until) => Promise<readonly Buffer[]>
  /** How many elements there have to be. */
  readonly least: number
}

/** For how long elements that reached no caller are put back, in milliseconds, where Redis cannot be reached. */
const GIVE_BACK_MS = 60_000

/** What is given back is put back once, whatever becomes of the reply. */
const GIVING_BACK: RunOptions = Object.freeze({ exactlyOnce: true, insistMs: GIVE_BACK_MS, signal: NEVER })

/**
 * Reads the names of other queues. Each of them costs a call that waits several requests, one after the other, all of which block the event loop.
 *
 * @throws RangeError for more than 5 000
 */
function namesOf(names: Iterable<string>): readonly string[] {
  const others = valuesOf('names', names)
  if (others.length <= MOST_ENTRIES) return others
  throw new RangeError(
    `Expected \`names\` to have at most ${String(MOST_ENTRIES)} items, got ${String(others.length)}`,
  )
}

/** The calls of a queue that wait for elements. */
export class BlockingCalls<V> {
  readonly #context: Pick<ObjectContext, 'config' | 'topology' | 'closing'>
  readonly #keyOf: (name: string) => string
  readonly #name: string
  readonly #requests: ObjectRequests
  readonly #shared: SharedByCalls
  readonly #codec: ValueCodec<V>
  readonly #elements: Elements

  /** @param elements - how elements are removed and put back; those of a plain list where not said */
  constructor(
    context: ObjectContext,
    { name, requests, codec }: { name: string; requests: ObjectRequests; codec: ValueCodec<V> },
    shared: SharedByCalls,
    elements: Elements = plainElements,
  ) {
    this.#context = context
    this.#keyOf = (other) => keyOf(context, other)
    this.#name = name
    this.#requests = requests
    this.#shared = shared
    this.#codec = codec
    this.#elements = elements
  }

  async take(end: End, options: TakeOptions = {}): Promise<V> {
    return this.#decoded(await this.#take(end, { patience: takePatience(options) }))
  }

  /** @param given - a count, options, both or neither */
  async poll(end: End, given: readonly unknown[]): Promise<V | V[] | undefined> {
    const { count, options } = pollRequest(given)
    const poll = { end, count: count ?? 1, keys: [this.#requests.key] }
    const values = this.#codec.decodeTaken((await this.#poll(poll, pollPatience(options)))?.values ?? [])
    return count === undefined ? values[0] : values
  }

  async pollFromAny(end: End, names: Iterable<string>, options: PollOptions = {}): Promise<V | undefined> {
    return (await this.pollFromAnyWithName(end, names, options))?.[1]
  }

  async pollFromAnyWithName(
    end: End,
    names: Iterable<string>,
    options: PollOptions = {},
  ): Promise<[name: string, value: V] | undefined> {
    const [entry] = await this.pollSomeFromAny(end, names, 1, options)
    return entry && [entry[0], entry[1][0] as V]
  }

  async pollSomeFromAny(
    end: End,
    names: Iterable<string>,
    count: number,
    options: PollOptions = {},
  ): Promise<Map<string, V[]>> {
    const others = namesOf(names)
    const keys = [this.#requests.key, ...others.map(this.#keyOf)]
    const popped = await this.#poll({ end, count: pollCount(count), keys }, pollPatience(options))
    if (popped === undefined) return new Map()
    const name = [this.#name, ...others][popped.place] as string
    return new Map([[name, this.#codec.decodeTaken(popped.values)]])
  }

  /** Moves elements as soon as there are enough; none if there are not in time. */
  async move(moving: Moving, patience: Patience): Promise<V[]> {
    const { send, target, least, end, targetEnd } = moving
    const removal: Removal<readonly Buffer[]> = {
      remove: async (options, until) => {
        const moved = await send(options, until)
        return moved.length > 0 ? moved : undefined
      },
      returnOf: (values) => ({
        place: JSON.stringify([this.#elements.kind, end, targetEnd, target]),
        values,
        putBack: (all) =>
          this.#elements.moveBack(this.#requests, { end, values: all, target, targetEnd }, GIVING_BACK),
      }),
    }
    const removals = {
      all: () => [removal],
      hasAny: async (options: RunOptions) => (await this.#sizeOf(this.#requests.key, options)) >= least,
    }
    const call = { keys: [this.#requests.key], removals, patience }
    return this.#codec.decodeTaken((await this.#wait(call, least)) ?? [])
  }

  /** Removes elements from the head. */
  async drain(max = MOST_ENTRIES): Promise<V[]> {
    return (await this.poll('first', [pollCount(max)])) as V[]
  }

  subscribe(end: End, listener: (value: V) => unknown, options?: ListenOptions): ElementSubscription {
    demandFunction(listener, 'listener')
    demandTurns(this.#requests, 'A subscription')
    demandAllowedRequest(this.#context.closing)
    const { signal } = checkedListening(options)
    const take = async (ending: AbortSignal): Promise<TakenElement<V>> => {
      const popped = await this.#take(end, { patience: takePatience({ signal: ending }), endsWhenBack: true })
      return {
        read: () => this.#decoded(popped),
        giveBack: () => this.#putBack(Promise.resolve(this.#returnOf(this.#requests.key, end, popped))),
      }
    }
    return new ElementSubscriptionLoop({ take, listener, ends: [signal, this.#requests.signal] })
  }

  consume(options: TakeOptions = {}): AsyncIterable<V, undefined> {
    takePatience(options)
    demandTurns(this.#requests, 'consume()')
    demandAllowedRequest(this.#context.closing)
    return consumptionOf((taking) => this.take('first', taking), checkedSignal(options.signal))
  }

  decodedIfAny(bytes: Buffer | undefined): V | undefined {
    return this.#codec.decodeTakenIfAny(bytes)
  }

  #decoded(popped: Popped): V {
    return this.#codec.decodeTaken(popped.values)[0] as V
  }

  async #take(end: End, take: Take): Promise<Popped> {
    const keys = [this.#requests.key]
    return (await this.#waiting({ end, count: 1, keys }, take)) as Popped // it waits without an end
  }

  /** Removes what there is now, or waits where there is patience. */
  async #poll(poll: Poll, patience: Patience | undefined): Promise<Popped | undefined> {
    if (poll.count === 0) return undefined
    return patience === undefined ? await this.#now(poll) : await this.#waiting(poll, { patience })
  }

  async #now(poll: Poll): Promise<Popped | undefined> {
    const [first, ...others] = this.#runsOf(poll.keys) as [Run, ...Run[]]
    if (others.length === 0) return await this.#pop(first, poll)
    demandTurns(this.#requests, 'pollFromAny() of queues in several slots')
    for (const run of await this.#worthIt([first, ...others], {})) {
      const popped = await this.#pop(run, poll)
      if (popped !== undefined) return popped
    }
    return undefined
  }

  async #waiting(poll: Poll, take: Take): Promise<Popped | undefined> {
    const { keys, end, count } = poll
    const runs = this.#runsOf(keys)
    const removalOf = (run: Run): Removal<Popped> => ({
      remove: (options, until) => this.#pop(run, poll, options, until),
      returnOf: (popped) => this.#returnOf(keys[popped.place] as string, end, popped),
    })
    const removals = {
      all: async (options: RunOptions) => (await this.#worthIt(runs, options)).map(removalOf),
      hasAny: async (options: RunOptions) => (await this.#sizesOf(keys, options)).some((size) => size > 0),
    }
    return await this.#wait({ keys, removals, ...take, line: JSON.stringify([end, count, keys]) })
  }

  /** @param least - how many elements there have to be; who waits for one does not stand behind who waits for more */
  async #wait<T>(call: WaitingCall<T>, least = 1): Promise<T | undefined> {
    const { waiters, receivers, delays } = this.#shared
    const queue = JSON.stringify(least === 1 ? call.keys : [least, call.keys])
    const { topology } = this.#context
    const { failFast } = this.#context.config
    const standing: Pick<KeyWaiters, 'wait'> = {
      wait: (keys, find, until) => waiters.wait(keys, find, until, queue),
    }
    const putBack = (finding: Promise<Return | undefined>) => this.#putBack(finding)
    const services = { requests: this.#requests, waiters: standing, receivers, putBack, delays }
    return await removeOrWait({ ...services, failFast, topology }, call)
  }

  async #putBack(finding: Promise<Return | undefined>): Promise<void> {
    await this.#shared.returns.expect(this.#requests.key, finding)
  }

  async #pop(
    { from, keys }: Run,
    { end, count }: Poll,
    ...how: readonly [options?: RunOptions, until?: Until]
  ): Promise<Popped | undefined> {
    const popped = await this.#elements.pop(this.#requests, keys, { end, count }, ...how)
    return popped && { place: from + popped[0], values: popped[1] }
  }

  /** Elements that are added where they were removed. */
  #returnOf(key: string, end: End, { values }: Popped): Return {
    return {
      place: JSON.stringify([this.#elements.kind, end, key]),
      values,
      putBack: (all) => this.#elements.putBack(this.#requests.at(key), { end, values: all }, GIVING_BACK),
    }
  }

  /** Those of the queues in several slots that have elements; one request looks at queues of one slot. */
  async #worthIt(runs: readonly Run[], options: RunOptions): Promise<readonly Run[]> {
    if (runs.length === 1) return runs
    const sizes = await this.#sizesOf(
      runs.flatMap(({ keys }) => keys),
      options,
    )
    return runs.filter(({ from, keys }) => sizes.slice(from, from + keys.length).some((size) => size > 0))
  }

  /** Divides queues into those that one request can look at, in their order. */
  #runsOf(keys: readonly string[]): readonly Run[] {
    const { topology } = this.#context
    const runs: { from: number; keys: string[] }[] = []
    for (const [place, key] of keys.entries()) {
      const last = runs.at(-1)
      if (last !== undefined && topology.slotOf(last.keys[0] as string) === topology.slotOf(key))
        last.keys.push(key)
      else runs.push({ from: place, keys: [key] })
    }
    return runs
  }

  async #sizesOf(keys: readonly string[], options: RunOptions): Promise<number[]> {
    return await Promise.all(keys.map((key) => this.#sizeOf(key, options)))
  }

  async #sizeOf(key: string, options: RunOptions): Promise<number> {
    return await this.#elements.size(this.#requests.at(key), { ...options, ...FROM_MASTER })
  }
}
