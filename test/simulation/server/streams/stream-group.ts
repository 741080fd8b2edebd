import type { Bytes } from '../reply.js'
import type { EntryId } from './entry-id.js'

/** A consumer of a group. */
export interface Consumer {
  readonly name: Bytes
  /** When it has last read or claimed. */
  seenAt: number
}

/** An entry that was delivered to a consumer, and that is not acknowledged. */
export interface Pending {
  readonly id: EntryId
  consumer: Consumer
  deliveredAt: number
  deliveries: number
}

/** A group of consumers, each of which gets other entries of a stream. */
export class StreamGroup {
  /** The last entry that was delivered. */
  lastId: EntryId
  /** How many entries it has read, counted from the first that the stream ever had; undefined if that is not known. */
  entriesRead: bigint | undefined
  readonly #consumers = new Map<Bytes, Consumer>()
  readonly #pending = new Map<EntryId, Pending>()

  constructor(lastId: EntryId, entriesRead: bigint | undefined) {
    this.lastId = lastId
    this.entriesRead = entriesRead
  }

  /** All consumers, in the order of their names. */
  get consumers(): readonly Consumer[] {
    return [...this.#consumers.values()].sort((one, other) => (one.name < other.name ? -1 : 1))
  }

  /** All entries that are pending, in their order. */
  get pending(): readonly Pending[] {
    return [...this.#pending.values()].sort((one, other) => (one.id < other.id ? -1 : 1))
  }

  consumer(name: Bytes): Consumer | undefined {
    return this.#consumers.get(name)
  }

  createConsumer(name: Bytes, now: number): Consumer {
    const consumer = { name, seenAt: now }
    this.#consumers.set(name, consumer)
    return consumer
  }

  /** Removes a consumer with all that is pending at it. Returns how much that was. */
  deleteConsumer(consumer: Consumer): number {
    this.#consumers.delete(consumer.name)
    const left = this.pendingAt(consumer)
    for (const { id } of left) this.#pending.delete(id)
    return left.length
  }

  pendingAt(consumer: Consumer): readonly Pending[] {
    return this.pending.filter((each) => each.consumer === consumer)
  }

  find(id: EntryId): Pending | undefined {
    return this.#pending.get(id)
  }

  /** An entry was delivered to a consumer for the first time, as far as the group knows. */
  deliver(id: EntryId, consumer: Consumer, now: number): Pending {
    const pending = { id, consumer, deliveredAt: now, deliveries: 1 }
    this.restore(pending)
    return pending
  }

  restore(pending: Pending): void {
    this.#pending.set(pending.id, pending)
  }

  /** An entry is no longer pending. Returns whether it was. */
  settle(id: EntryId): boolean {
    return this.#pending.delete(id)
  }
}
