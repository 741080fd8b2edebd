import { identityOf } from '../../shared/identity-of.js'
import { BoundedEntries, type Bounded, type LocalLimits } from './bounded-entries.js'

/** One entry of a map, as this process keeps it. It ends as the map or the entry expires. */
export interface LocalEntry extends Bounded {
  readonly key: Buffer
  /** What messages call the key. */
  readonly hash: string
  /** Undefined for a key of which it is known that it has no value. */
  readonly value: Buffer | undefined
}

/**
 * The entries of a map that this process keeps. They are found by the bytes of their keys; a message, which has only a hash, removes the one
 * that has it. Of two keys of the same hash only the last is kept.
 */
export class LocalEntries {
  readonly #kept: BoundedEntries<LocalEntry>
  /** The identity of the key that has a hash. */
  readonly #byHash = new Map<string, string>()

  constructor(limits: LocalLimits) {
    this.#kept = new BoundedEntries(limits, ({ hash }, identity) => {
      if (this.#byHash.get(hash) === identity) this.#byHash.delete(hash)
    })
  }

  get size(): number {
    return this.#kept.size
  }

  /** The entry of a key, which is used by this. */
  get(identity: string): LocalEntry | undefined {
    return this.#kept.get(identity)
  }

  /** Keeps an entry, in the place of another one where there is no room. */
  set(entry: LocalEntry): void {
    const identity = identityOf(entry.key)
    const other = this.#byHash.get(entry.hash)
    if (other !== undefined && other !== identity) this.#kept.delete(other)
    if (this.#kept.set(identity, entry)) this.#byHash.set(entry.hash, identity)
  }

  /** Removes the entry whose key has this hash. */
  deleteHash(hash: string): void {
    const identity = this.#byHash.get(hash)
    if (identity !== undefined) this.#kept.delete(identity)
  }

  clear(): void {
    this.#kept.clear()
    this.#byHash.clear()
  }

  /** All that has not expired. To look at them is no use of them. */
  values(): Iterable<LocalEntry> {
    return this.#kept.values()
  }

  /** Removes what has expired. Returns how much that was. */
  purge(): number {
    return this.#kept.purge()
  }
}
