import type { RunOptions } from '../../command/operation/command-executor.js'
import { transferConsumers } from '../../core/context/names.js'
import type { LockContext } from '../../core/context/object-context.js'
import { KeyWaiters } from '../../waiting/key-waiters.js'
import * as scripts from './transfer-queue.scripts.js'

/** How often a process renews how many of its consumers wait, in milliseconds. */
const RENEWAL_MS = 2_000

/** For how long the consumers of a process count that has not renewed them, in milliseconds. */
const LEASE_MS = 5_000

/**
 * The consumers of a client: its calls that wait for elements of transfer queues.
 *
 * How many of them wait is written when it changes, and again with each look of the first one, so that no timer of its own is needed. A process
 * that dies is forgotten with its lease.
 */
export class Consumers {
  readonly #context: Pick<LockContext, 'executor' | 'requestIds'>
  readonly #waiters: KeyWaiters
  /** The field of this process. Made when it is needed, since a batch has no consumers. */
  #process: string | undefined
  readonly #numbers = new Map<string, number>()
  /** The queues whose number is being written. */
  readonly #writing = new Set<string>()

  constructor(context: LockContext) {
    this.#context = context
    this.#waiters = new KeyWaiters(context, RENEWAL_MS)
  }

  /** Waits like {@link KeyWaiters.wait} for the first key, and is counted meanwhile. */
  async wait<T>(...waiting: Parameters<typeof KeyWaiters.prototype.wait<T>>): Promise<T | undefined> {
    const [key] = waiting[0] as [string]
    this.#add(key, 1)
    try {
      return await this.#waiters.wait(...waiting)
    } finally {
      this.#add(key, -1)
    }
  }

  /** Writes how many wait. Returns how many elements there are. */
  renew(key: string, options?: RunOptions): Promise<number> {
    this.#process ??= this.#context.requestIds.next()
    const call = {
      keys: { queue: key, consumers: transferConsumers(key) },
      args: { process: this.#process, number: this.#numberAt(key), leaseMs: LEASE_MS },
    }
    return this.#context.executor.run(scripts.wait, call, options)
  }

  #add(key: string, by: 1 | -1): void {
    const number = this.#numberAt(key) + by
    if (number > 0) this.#numbers.set(key, number)
    else this.#numbers.delete(key)
    void this.#write(key)
  }

  /** Changes that come meanwhile are written together. What cannot be written is so with the next look, or ends with the lease. */
  async #write(key: string): Promise<void> {
    if (this.#writing.has(key)) return
    this.#writing.add(key)
    for (let written = -1; written !== this.#numberAt(key);) {
      written = this.#numberAt(key)
      await this.renew(key).catch(() => undefined)
    }
    this.#writing.delete(key)
  }

  #numberAt(key: string): number {
    return this.#numbers.get(key) ?? 0
  }
}
