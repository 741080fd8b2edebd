import { setTimeout as sleep } from 'node:timers/promises'
import { callSafely } from '../../../util/call-safely.js'
import { warnOnce } from '../../../util/warn-once.js'
import { withoutAsyncContext } from '../../../util/time/without-async-context.js'
import type { BehindSettings, RetryingWriter } from '../backing.js'
import type { EntryCodec } from '../entry-codec.js'
import { Claim } from './claim.js'
import { entryOf, isValue, type Batch, type Claimed, type PendingWrites } from './pending-writes.js'
import type { Flushable, WriteBehinds } from './write-behinds.js'

/** How long a client may take for one call of its writer before another one writes the same, unless it goes on to say that it is there. */
const LEASE_MS = 30_000

/** How often a flush looks whether another client is done, in milliseconds. */
const LOOK_MS = 50

/** How long after a call of a map it looks for what another process has left, in milliseconds. */
const LOOK_AFTER_MS = 1_000

/** What a map writes behind with. */
export interface BehindDeps<K, V> {
  /** The name of the map. */
  readonly name: string
  readonly pending: PendingWrites
  readonly codec: EntryCodec<K, V>
  readonly writer: RetryingWriter<K, V>
  readonly settings: BehindSettings
  readonly all: WriteBehinds
}

/**
 * Writes what has changed in a map some time later.
 *
 * Redis keeps the last state of each field that is to be written, so that no change is lost with a process. A client claims fields before it
 * writes them, and so each of them is written by one client at a time, and the last state last.
 */
export class WriteBehind<K, V> implements Flushable {
  readonly #deps: BehindDeps<K, V>
  #timer: NodeJS.Timeout | undefined
  #stopped = false
  /** Whether the writer has failed, so that it is given one entry at a time: another one may be what it cannot write. */
  #isCareful = false

  constructor(deps: BehindDeps<K, V>) {
    this.#deps = deps
  }

  /**
   * Looks, a little later, whether a process that has ended has left something to write: all processes that are left may only read the map.
   *
   * Every call of the map may ask for it. It is done once in half a minute.
   */
  lookLater(): void {
    const { all, pending } = this.#deps
    if (all.closing.aborted || !all.isTimeToLook(pending.map)) return
    const look = withoutAsyncContext(() => setTimeout(() => this.#look(look), LOOK_AFTER_MS).unref())
  }

  /** Makes a change, after which there may be something to write even if its reply is lost. */
  async afterwards<T>(change: (pending: PendingWrites) => Promise<T>): Promise<T> {
    try {
      return await change(this.#deps.pending)
    } finally {
      this.#writeLater()
    }
  }

  async flush(): Promise<void> {
    try {
      for (;;) {
        const sentAt = performance.now()
        const [left, batch] = await this.#claim(true)
        if (batch.entries.length > 0) await this.#write(batch, sentAt)
        else if (left > 0) await sleep(LOOK_MS)
        else break
      }
    } catch (error) {
      this.#writeLater()
      throw error
    }
    this.#end()
  }

  stop(): void {
    this.#stopped = true
    clearTimeout(this.#timer)
  }

  #writeLater(): void {
    const { all, settings } = this.#deps
    all.add(this)
    if (this.#stopped || all.closing.aborted) return
    this.#timer ??= withoutAsyncContext(() =>
      setTimeout(() => void this.#writeDue(1), settings.delayMs).unref(),
    )
  }

  /** Does nothing where a change of this client is written soon, and with it all that is due. */
  #look(timer: NodeJS.Timeout): void {
    const { all } = this.#deps
    if (this.#timer !== undefined || all.closing.aborted) return
    this.#timer = timer
    all.add(this)
    void this.#writeDue(0)
  }

  /**
   * Writes what is due, and goes on later with what is not due yet, or fails. Never rejects.
   *
   * @param left - how many changes wait, as far as is known
   */
  async #writeDue(left: number): Promise<void> {
    try {
      for (;;) {
        const sentAt = performance.now()
        const [all, batch] = await this.#claim(false)
        left = all
        if (batch.entries.length === 0) break
        await this.#write(batch, sentAt)
      }
    } catch {
      // The program hears of what its writer has thrown, and Redis is asked again.
    }
    this.#timer = undefined
    if (left > 0) this.#writeLater()
    else this.#end()
  }

  #end(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#deps.all.delete(this)
  }

  #claim(any: boolean): ReturnType<PendingWrites['claim']> {
    const { pending, settings } = this.#deps
    return pending.claim(this.#isCareful ? 1 : settings.batchSize, LEASE_MS, any)
  }

  /** Writes what is claimed. Rejects with why something could not be written, when all that could be is. */
  async #write(batch: Batch, sentAt: number): Promise<void> {
    const { writer, pending } = this.#deps
    const { deletions, values, unreadable } = this.#read(batch)
    let open = batch
    const extend = (leaseMs: number) => pending.extend(open, leaseMs)
    const claim = new Claim({ extend, leaseMs: LEASE_MS, sentAt })
    try {
      for (const part of unreadable) await this.#fail(part)
      open = { ...batch, entries: [...deletions.entries, ...values.entries] }
      const deleted = await this.#settle(deletions, () => writer.delete(deletions.keys, claim))
      open = values
      const written = await this.#settle(values, () => writer.write(values.read, claim))
      const failures = [deleted, written].filter((failure) => failure !== undefined)
      this.#isCareful = failures.length > 0
      for (const { error } of [...failures, ...unreadable]) throw error
    } finally {
      claim.end()
    }
  }

  /** Reads entries for the writer. One that the codec cannot read keeps no other from it. */
  #read({ token, entries }: Batch) {
    const { codec } = this.#deps
    const deletions = { token, entries: [] as Claimed[], keys: [] as K[] }
    const values = { token, entries: [] as Claimed[], keys: [] as K[], read: new Map<K, V>() }
    const unreadable: Failed<K>[] = []
    for (const each of entries) {
      const keys: K[] = []
      try {
        const key = codec.decodeKey(each[0])
        keys.push(key)
        const part = isValue(each) ? values : deletions
        if (isValue(each)) values.read.set(key, codec.decodeValue(entryOf(each)[1], key))
        part.keys.push(key)
        part.entries.push(each)
      } catch (error) {
        unreadable.push({ token, entries: [each], keys, error })
      }
    }
    return { deletions, values, unreadable }
  }

  /** Writes some entries, and ends their claims. Resolves with what the writer has thrown. */
  async #settle(part: Readable<K>, write: () => Promise<void>): Promise<Failed<K> | undefined> {
    if (part.entries.length === 0) return undefined
    try {
      await write()
    } catch (error) {
      const failed = { ...part, error }
      await this.#fail(failed)
      return failed
    }
    await this.#deps.pending.settle(part)
    return undefined
  }

  /** Keeps entries pending that could not be written, and reports them. */
  async #fail(failed: Failed<K>): Promise<void> {
    const { writer, name, pending } = this.#deps
    await pending.postpone(failed, pending.pauseMs)
    const message = `Changes of map ${name} could not be written behind, and are tried again later. The method failed(error, keys) of its writer would hear why.`
    if (!writer.isShared) warnOnce('REDISSON_WRITE_BEHIND', name, message)
    callSafely(() => {
      writer.failed(failed.error, failed.keys)
    })
  }
}

/** Claimed entries, and their keys as far as the codec can read them. */
interface Readable<K> extends Batch {
  readonly keys: readonly K[]
}

/** Entries that could not be written, and why. */
interface Failed<K> extends Readable<K> {
  readonly error: unknown
}
