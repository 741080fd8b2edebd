import { wrongType } from './command-error.js'
import type { Bytes } from './reply.js'
import { copyOf } from './serialized.js'
import { SortedSet } from './sorted-set.js'
import { Stream } from './streams/stream.js'

/** What keys hold, by type. */
export interface Values {
  readonly string: Bytes
  readonly hash: Map<Bytes, Bytes>
  readonly list: Bytes[]
  readonly set: Set<Bytes>
  readonly zset: SortedSet
  readonly stream: Stream
}

export type TypeName = keyof Values

/** What one key holds. */
export interface Entry<T extends TypeName = TypeName> {
  readonly type: T
  value: Values[T]
  /** When it expires, in milliseconds. It still exists at that time, and no longer after it. */
  expireAt: number | undefined
  /** When it was last used. */
  usedAt: number
}

/** What a database needs of its server. */
export interface DatabaseHost {
  /** The server's time in whole milliseconds. It stands still while a command runs. */
  readonly now: number
  /** A key has expired, and was removed. */
  expired(key: Bytes, database: Database): void
  /** A key was changed in any way. */
  changed(key: Bytes, database: Database): void
  /** A key was changed in a way that no reader of it has to know. */
  amended(key: Bytes, database: Database): void
}

const EMPTY: { readonly [T in Exclude<TypeName, 'string'>]: () => Values[T] } = {
  hash: () => new Map(),
  list: () => [],
  set: () => new Set(),
  zset: () => new SortedSet(),
  stream: () => new Stream(),
}

/** The keys of one database. An expired key is removed when a command looks at it, as in Redis. */
export class Database {
  readonly index: number
  readonly #host: DatabaseHost
  #entries = new Map<Bytes, Entry>()

  constructor(index: number, host: DatabaseHost) {
    this.index = index
    this.#host = host
  }

  /** How many keys there are, including expired ones that were not removed yet. */
  get size(): number {
    return this.#entries.size
  }

  /** All keys, including expired ones that were not removed yet. */
  get keys(): readonly Bytes[] {
    return [...this.#entries.keys()]
  }

  hasExpired(key: Bytes): boolean {
    const expireAt = this.#entries.get(key)?.expireAt
    return expireAt !== undefined && this.#host.now > expireAt
  }

  /** What a key holds, of any type. An expired key is removed. */
  find(key: Bytes): Entry | undefined {
    if (!this.hasExpired(key)) return this.#entries.get(key)
    this.#entries.delete(key)
    this.#host.expired(key, this)
    this.#host.changed(key, this)
    return undefined
  }

  /** Finds a key that a command uses. */
  use(key: Bytes): Entry | undefined {
    const entry = this.find(key)
    if (entry) entry.usedAt = this.#host.now
    return entry
  }

  /**
   * What a key holds, if it has the type.
   *
   * @throws CommandError if it has another
   */
  read<T extends TypeName>(key: Bytes, type: T): Values[T] | undefined {
    const entry = this.use(key)
    if (entry === undefined) return undefined
    if (!isOf(entry, type)) throw wrongType()
    return entry.value
  }

  /**
   * The collection that a key holds, to be changed. An empty one is made if there is none.
   *
   * @throws CommandError if the key has another type
   */
  open<T extends Exclude<TypeName, 'string'>>(key: Bytes, type: T): Values[T] {
    const present = this.read(key, type)
    if (present !== undefined) return present
    const value = EMPTY[type]()
    this.put(key, { type, value })
    return value
  }

  /** Sets what a key holds, and when it expires. */
  put<T extends TypeName>(
    key: Bytes,
    { type, value, expireAt }: { type: T; value: Values[T]; expireAt?: number | undefined },
  ): void {
    const entry: Entry<T> = { type, value, expireAt, usedAt: this.#host.now }
    this.#entries.set(key, entry)
    this.#host.changed(key, this)
  }

  /** What a key holds was changed in place. An empty collection is removed. Returns whether it was. */
  touched(key: Bytes): boolean {
    this.#host.changed(key, this)
    const entry = this.#entries.get(key)
    if (entry === undefined || !isEmpty(entry)) return false
    this.#entries.delete(key)
    return true
  }

  /** Something about what a key holds was changed in place, and no reader of it has to know. */
  amended(key: Bytes): void {
    this.#host.amended(key, this)
  }

  expireAt(key: Bytes, time: number | undefined): void {
    const entry = this.find(key)
    if (entry === undefined) return
    entry.expireAt = time
    this.#host.changed(key, this)
  }

  remove(key: Bytes): boolean {
    if (this.find(key) === undefined) return false
    this.#entries.delete(key)
    this.#host.changed(key, this)
    return true
  }

  clear(): void {
    this.#entries.clear()
  }

  /** Has a key hold exactly what another server's holds, or nothing. */
  copy(key: Bytes, entry: Entry | undefined): void {
    if (entry === undefined) this.#entries.delete(key)
    else this.#entries.set(key, entry)
    this.#host.changed(key, this)
  }

  /** What a key holds, as a copy; an expired one as well. */
  copyOf(key: Bytes): Entry | undefined {
    const entry = this.#entries.get(key)
    return entry && copyOf(entry)
  }

  /** Exchanges all keys with those of another database. */
  swap(other: Database): void {
    ;[this.#entries, other.#entries] = [other.#entries, this.#entries]
  }

  /** Removes the expired keys, as the active expiry of Redis does from time to time. */
  removeExpired(): void {
    for (const key of this.keys) this.find(key)
  }
}

function isOf<T extends TypeName>(entry: Entry, type: T): entry is Entry & Entry<T> {
  return entry.type === type
}

/** A stream without entries may have groups, and stays. */
function isEmpty({ type, value }: Entry): boolean {
  if (type === 'string' || type === 'stream') return false
  return type === 'list' ? (value as Bytes[]).length === 0 : (value as Map<Bytes, Bytes>).size === 0
}
