import type { CommandExecutor } from '../../command/operation/command-executor.js'
import { mayHaveRun } from '../../errors/transient.js'
import * as scripts from './reliable-topic.scripts.js'
import type { Asker, Outcome, Question, StoredMessage, TopicKeys, TopicRequests } from './topic-requests.js'

/** A subscriber as Redis has it. */
export interface SubscriberFacts {
  readonly keys: TopicKeys
  /** The name of its group. */
  readonly name: string
  /** What stands for this process in a subscriber that several share; empty for one of this process alone. */
  readonly lease: string
}

/** What comes next. */
export interface Batch {
  readonly messages: readonly StoredMessage[]
  /** How often the first of them was delivered, with this time. */
  readonly deliveries: number
}

/** The subscriber is not there; or this process is not active for it any more. */
export type Loss = 'absent' | 'inactive'

/** What the subscription waits for. */
interface Read extends Omit<PromiseWithResolvers<Batch | Loss>, 'promise'> {
  readonly count: number
}

/** A message, and how often it was delivered. */
interface Delivered {
  readonly id: string
  readonly deliveries: number
}

/** No message. */
const NONE: Delivered = { id: '', deliveries: 0 }

const LOSSES: ReadonlyMap<number, Loss> = new Map([
  [0, 'absent'],
  [-1, 'inactive'],
])

/** The place of a subscriber in its topic: reads what follows it, and moves it on. */
export class SubscriberPlace implements Asker {
  readonly #executor: CommandExecutor
  readonly #requests: TopicRequests
  readonly #facts: SubscriberFacts
  /** The last message that is acknowledged, as Redis has said. */
  #cursor: string | undefined
  /** The last one that is done and not acknowledged yet. */
  #done: string | undefined
  /** The one up to which Redis was asked to acknowledge, without a reply. Until there is one, it is asked for the same: it may have done it. */
  #asked: string | undefined
  /** The read that is to be asked for. */
  #wanted: Read | undefined
  /** The one that is asked for. */
  #reading: Read | undefined
  /** Ends with the last request. */
  #requested: Promise<void> = Promise.resolve()
  /** The last message that a listener got, and how often one got it: as Redis has said when this process became active, and what it has called since. */
  #called = NONE
  /** Whether a read may have marked a message as delivered once more, and no listener got it. */
  #isOpen = false
  #isLeft = false

  /** @param requests - those of all subscribers of this process to the topic */
  constructor(executor: CommandExecutor, requests: TopicRequests, facts: SubscriberFacts) {
    this.#executor = executor
    this.#requests = requests
    this.#facts = facts
  }

  /** The last message that was acknowledged or is done; undefined before anything was read. */
  get last(): string | undefined {
    return this.#done ?? this.#cursor
  }

  /** Whether the subscriber is elsewhere by now, so that what was read is of no use. */
  get isLeft(): boolean {
    return this.#isLeft
  }

  /** Makes the subscriber, unless it exists. Returns whether this process is active for it, and whether it was made. */
  async subscribe(position: string, timeoutMs: number): Promise<{ isActive: boolean; isNew: boolean }> {
    const { name, lease, keys } = this.#facts
    const args = { name, position: this.last ?? position, lease, timeoutMs }
    const [active, made, id, deliveries] = await this.#executor.run(
      scripts.subscribe,
      { keys, args },
      { exactlyOnce: true },
    )
    this.#learn({ id, deliveries })
    return { isActive: active === 1, isNew: made === 1 }
  }

  /** Acknowledges what is done, and reads what comes next. */
  next(count: number): Promise<Batch | Loss> {
    const { promise, ...read } = Promise.withResolvers<Batch | Loss>()
    this.#wanted = { count, ...read }
    this.#request()
    return promise
  }

  /** Takes note that a listener gets a message. */
  start(id: string, deliveries: number): void {
    this.#called = { id, deliveries }
    this.#isOpen = false
  }

  /** Takes note that a message is done. It is acknowledged as soon as those before it are; several together where they come fast. */
  finish(id: string): void {
    this.#done = id
    if (!this.#isLeft) this.#request()
  }

  /** Acknowledges a message that is given up. Returns false if the subscriber is elsewhere. */
  async drop(id: string): Promise<boolean> {
    this.finish(id)
    await this.#replied()
    return !this.#isLeft
  }

  /** Acknowledges a message that is moved to another topic. Returns false if it was not. */
  async bury(id: string, dead: string): Promise<boolean> {
    if (this.#done !== undefined) this.#request()
    await this.#replied()
    if (this.#isLeft || this.#done !== undefined) return false // the next read says where it is
    const { name, lease, keys } = this.#facts
    const args = { name, lease, expected: this.#cursor ?? '', id }
    const status = await this.#executor.run(scripts.bury, { keys: { ...keys, dead }, args })
    if (status === 1) this.#cursor = id
    else this.#isLeft = true
    return status === 1
  }

  /**
   * Acknowledges what is done, and ends the subscriber, or the activity of this process for it. A message that was read and that no listener got does not
   * count as delivered.
   */
  async leave(): Promise<void> {
    await this.#replied()
    const { id: known, deliveries: calls } = this.#called
    const args = { ...this.#movement(this.#done), open: this.#isOpen ? 1 : 0, known, calls }
    await this.#executor.run(scripts.leave, { keys: this.#facts.keys, args })
  }

  question(): Question | undefined {
    if (this.#isLeft && this.#wanted === undefined) return undefined
    this.#asked ??= this.#done
    if (this.#asked === this.#done) {
      this.#reading = this.#wanted
      this.#wanted = undefined
    }
    if (this.#asked === undefined && this.#reading === undefined) return undefined
    const { id: known, deliveries: calls } = this.#called
    return { ...this.#movement(this.#asked), count: this.#reading?.count ?? 0, known, calls }
  }

  received(outcome: Outcome): void {
    const asked = this.#asked
    const reading = this.#reading
    this.#asked = undefined
    this.#reading = undefined
    const loss = LOSSES.get(outcome.status)
    if (reading !== undefined) reading.resolve(loss ?? this.#moveTo(outcome, reading.count))
    else this.#acknowledged(asked, loss === undefined ? outcome.cursor : undefined)
  }

  failed(error: Error): void {
    const isOpen = mayHaveRun(error)
    if (!isOpen) this.#asked = undefined
    if (this.#reading !== undefined) this.#isOpen ||= isOpen
    const read = this.#reading ?? this.#wanted
    this.#reading = undefined
    this.#wanted = undefined
    read?.reject(error) // without a read, the next one tries again, and reports
  }

  #moveTo({ cursor, deliveries, messages: following }: Outcome, count: number): Batch {
    this.#isLeft = false
    this.#cursor = cursor
    this.#done = undefined
    const messages = following.slice(0, deliveries > 1 ? 1 : count)
    this.#isOpen ||= messages.length > 0
    return { messages, deliveries }
  }

  /**
   * Takes note of how often a message was delivered, also by another process. A delivery that a read of this one may have marked, and that no listener got, does
   * not count.
   */
  #learn({ id, deliveries }: Delivered): void {
    const calls = id === this.#called.id ? this.#called.deliveries : 0
    if (deliveries > calls + (this.#isOpen ? 1 : 0)) this.#called = { id, deliveries }
  }

  /** @param cursor - where the subscriber is; undefined if it is not with this process */
  #acknowledged(asked: string | undefined, cursor: string | undefined): void {
    this.#isLeft = cursor !== asked
    if (!this.#isLeft) {
      this.#cursor = asked
      if (this.#done === asked) this.#done = undefined
    }
    if (this.#wanted !== undefined || (!this.#isLeft && this.#done !== undefined)) this.#request()
  }

  #request(): void {
    this.#requested = this.#requests.join(this)
  }

  /** Resolves when there is a reply to all that was asked for, or will be none. */
  async #replied(): Promise<void> {
    let requested: Promise<void> | undefined
    while (requested !== this.#requested) {
      requested = this.#requested
      await requested
    }
  }

  #movement(upTo = '') {
    const { name, lease } = this.#facts
    return { name, lease, expected: this.#cursor ?? '', upTo }
  }
}
