import type { CommandExecutor } from '../../command/operation/command-executor.js'
import type { Reply } from '../../connection/connection.js'
import { integer } from '../../command/operation/replies.js'
import { UnexpectedReplyError } from '../../errors/reply-errors.js'
import { mayHaveRun } from '../../errors/transient.js'
import * as scripts from './reliable-topic.scripts.js'

/** The keys of a topic. */
export interface TopicKeys {
  readonly stream: string
  readonly timeouts: string
}

/** A subscriber as Redis has it. */
export interface SubscriberFacts {
  readonly keys: TopicKeys
  /** The name of its group. */
  readonly name: string
  /** What stands for this process in a subscriber that several share; empty for one of this process alone. */
  readonly lease: string
}

/** A message as it is stored; undefined bytes are none that `publish()` has written. */
export interface StoredMessage {
  readonly id: string
  readonly bytes: Buffer | undefined
}

/** What comes next. */
export interface Batch {
  readonly messages: readonly StoredMessage[]
  /** How often the first of them was delivered, with this time. */
  readonly deliveries: number
}

/** The subscriber is not there; or this process is not active for it any more. */
export type Loss = 'absent' | 'inactive'

/** No message. */
const NONE = { id: '', deliveries: 0 }

const LOSSES: ReadonlyMap<unknown, Loss> = new Map([
  [0, 'absent'],
  [-1, 'inactive'],
])

/** The place of a subscriber in its topic: reads what follows it, and moves it on. */
export class SubscriberPlace {
  readonly #executor: CommandExecutor
  readonly #facts: SubscriberFacts
  /** The last message that is acknowledged, as Redis has said. */
  #cursor: string | undefined
  /** The last one that is done and not acknowledged yet. */
  #done: string | undefined
  #acknowledging: Promise<void> | undefined
  /** Whether the last read has no reply, and may have counted a delivery. */
  #isUnanswered = false
  /** Ends with the last read. */
  #reading: Promise<unknown> = Promise.resolve()
  /** The message that was marked as delivered and that no listener got, and how often it was delivered with that. */
  #uncalled = NONE
  /** The message whose listener has failed, and how often it was delivered by then. */
  #failed = NONE
  #isLeft = false

  constructor(executor: CommandExecutor, facts: SubscriberFacts) {
    this.#executor = executor
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
    const [active, made] = await this.#executor.run(scripts.subscribe, { keys, args }, { exactlyOnce: true })
    return { isActive: active === 1, isNew: made === 1 }
  }

  /** Acknowledges what is done, and reads what comes next. */
  next(count: number): Promise<Batch | Loss> {
    const reading = this.#read(count)
    this.#reading = reading.catch(() => undefined)
    return reading
  }

  async #read(count: number): Promise<Batch | Loss> {
    await this.#acknowledging
    const upTo = this.#done ?? ''
    const { id: failed, deliveries: failures } = this.#failed
    const again = this.#isUnanswered || this.#uncalled !== NONE ? 1 : 0
    const args = { ...this.#movement(upTo), count, again, failed, failures }
    const { keys } = this.#facts
    let reply: readonly Reply[]
    try {
      reply = await this.#executor.run(scripts.next, { keys, args })
    } catch (error) {
      this.#isUnanswered ||= mayHaveRun(error)
      throw error
    }
    const [status = null, cursor, deliveries = null, ...messages] = reply
    const loss = LOSSES.get(integer(status))
    if (loss !== undefined) return loss
    this.#isUnanswered = false
    this.#failed = NONE
    this.#isLeft = false
    this.#cursor = String(cursor)
    this.#done = undefined
    const batch = { messages: messagesIn(messages), deliveries: integer(deliveries) }
    const [head] = batch.messages
    this.#uncalled = head ? { id: head.id, deliveries: batch.deliveries } : NONE
    return batch
  }

  /** Takes note that what was read is delivered. */
  start(): void {
    this.#uncalled = NONE
  }

  /** Takes note that a message is done. It is acknowledged as soon as those before it are; several together where they come fast. */
  finish(id: string): void {
    this.#done = id
    if (!this.#isLeft) this.#acknowledging ??= this.#acknowledge()
  }

  /** Takes note that a message has to be delivered again. */
  fail(id: string, deliveries: number): void {
    this.#failed = { id, deliveries }
  }

  /** Acknowledges a message that is given up. Returns false if the subscriber is elsewhere. */
  async drop(id: string): Promise<boolean> {
    this.finish(id)
    await this.#acknowledging
    return !this.#isLeft
  }

  /** Acknowledges a message that is moved to another topic. Returns false if it was not. */
  async bury(id: string, dead: string): Promise<boolean> {
    await this.#acknowledging
    if (this.#done !== undefined) await this.#acknowledge()
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
    await this.#reading
    await this.#acknowledging
    const { id: uncalled, deliveries: counted } = this.#uncalled
    const args = { ...this.#movement(this.#done ?? ''), uncalled, counted }
    await this.#executor.run(scripts.leave, { keys: this.#facts.keys, args })
  }

  /** Never rejects: what is not acknowledged here is with the next read. */
  async #acknowledge(): Promise<void> {
    try {
      for (let upTo = this.#done; upTo !== undefined && !this.#isLeft; upTo = this.#done) {
        const args = { ...this.#movement(upTo), count: 0, again: 0, failed: '', failures: 0 }
        const [status = null, cursor] = await this.#executor.run(scripts.acknowledge, {
          keys: this.#facts.keys,
          args,
        })
        this.#isLeft = integer(status) !== 1 || String(cursor) !== upTo
        if (this.#isLeft) break
        this.#cursor = upTo
        if (this.#done === upTo) this.#done = undefined
      }
    } catch {
      // the next read tries again, and reports
    }
    this.#acknowledging = undefined
  }

  #movement(upTo: string) {
    const { name, lease } = this.#facts
    return { name, lease, expected: this.#cursor ?? '', upTo }
  }
}

function messagesIn(replies: readonly Reply[]): StoredMessage[] {
  const messages: StoredMessage[] = []
  for (let at = 0; at < replies.length; at += 2) {
    const bytes = replies[at + 1] ?? undefined
    if (bytes !== undefined && !Buffer.isBuffer(bytes)) throw new UnexpectedReplyError('a message', bytes)
    messages.push({ id: String(replies[at]), bytes })
  }
  return messages
}
