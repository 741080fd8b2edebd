import type { PollOptions, TakeOptions } from '../../collections/shared/polling.api.js'
import { pollPatience, takePatience } from '../../collections/shared/polling.js'
import type { RunOptions } from '../../command/operation/command-executor.js'
import type { Patience } from '../../core/arguments/arguments.js'
import type { ObjectRequests } from '../../core/object-requests.js'
import type { QueueMoveOptions } from '../queue/queue.api.js'
import { queueMove } from '../queue/queue.js'
import type { BlockingCalls } from './blocking-calls.js'
import { plainElements, type MovableElements } from './elements.js'

/** The calls of a queue that wait for elements and move them to another one. */
export class BlockingMoves<V> {
  readonly #calls: BlockingCalls<V>
  readonly #requests: ObjectRequests
  readonly #keyInSlot: (name: string) => string
  readonly #elements: MovableElements

  /** @param keyInSlot - the key of another queue; it throws if that is not in the same slot */
  constructor(
    calls: BlockingCalls<V>,
    requests: ObjectRequests,
    keyInSlot: (name: string) => string,
    elements = plainElements,
  ) {
    this.#calls = calls
    this.#requests = requests
    this.#keyInSlot = keyInSlot
    this.#elements = elements
  }

  async pollLastAndOfferFirstTo(name: string, options: PollOptions = {}): Promise<V | undefined> {
    const target = this.#keyInSlot(name)
    const patience = pollPatience(options)
    if (patience !== undefined) return await this.#lastToFirst(target, patience)
    return this.#calls.decodedIfAny(await this.#elements.moveLast(this.#requests, target))
  }

  async takeLastAndOfferFirstTo(name: string, options: TakeOptions = {}): Promise<V> {
    const target = this.#keyInSlot(name)
    return (await this.#lastToFirst(target, takePatience(options))) as V // it waits without an end
  }

  /** Moves elements from the head to the tail of another queue. */
  async some(options: QueueMoveOptions, patience: Patience): Promise<V[]> {
    const { to, ...args } = queueMove(options)
    const target = this.#keyInSlot(to)
    const send = (how: RunOptions) => this.#elements.moveFirst(this.#requests, target, args, how)
    const least = args.exactly === 1 ? args.count : 1
    return await this.#calls.move({ send, target, least, end: 'first', targetEnd: 'last' }, patience)
  }

  async #lastToFirst(target: string, patience: Patience): Promise<V | undefined> {
    const send = async (how: RunOptions) => {
      const moved = await this.#elements.moveLast(this.#requests, target, how)
      return moved === undefined ? [] : [moved]
    }
    const moving = { send, target, least: 1, end: 'last', targetEnd: 'first' } as const
    return (await this.#calls.move(moving, patience))[0]
  }
}
