import { wrongType } from './command-error.js'
import type { Bytes } from './reply.js'
import { SortedSet } from './sorted-set.js'

/** What keys hold, by type. */
export interface Values {
  readonly string: Bytes
  readonly hash: Map<Bytes, Bytes>
  readonly list: Bytes[]
  readonly set: Set<Bytes>
  readonly zset: SortedSet
}

export type TypeName = keyof Values

/** What one key holds. */
export interface Entry<T extends TypeName = TypeName> {
  readonly type: T
  value: Values[T]
  /** The time at which it ends, in milliseconds. It is still there at that time, and gone after it. */
  expireAt: number | undefined
  /** When it was last used. */
  usedAt: number
}

/** What a database has to know of its server. */
export interface DatabaseHost {
  /** The server's time in whole milliseconds. It stands still while a command runs. */
  readonly now: number
  /** Says that a key has ended. */
  expired(key: Bytes, database: Database): void
  /** Says that a key was changed in any way. */
  changed(key: Bytes): void
}

const EMPTY: { readonly [T in Exclude<TypeName, 'string'>]: () => Values[T] } = {
  hash: () => new Map(),
  list: () => [],
  set: () => new Set(),
  zset: () => new SortedSet(),
}

/** The keys of one database. Those that have ended go when they are looked at, as in Redis. */
export class Database {
  readonly index: number
  readonly #host: DatabaseHost
  #entries = new Map<Bytes, Entry>()

  constructor(index: number, host: DatabaseHost) {
    this.index = index
    this.#host = host
  }

  /** How many keys there are, with those that have ended and that no command has looked at since. */
  get size(): number {
    return this.#entries.size
  }

  /** The keys that have not ended. */
  keys(): readonly Bytes[] {
    return [...this.#entries.keys()].filter((key) => this.find(key) !== undefined)
  }

  /** What a key holds, of any type. */
  find(key: Bytes): Entry | undefined {
    const entry = this.#entries.get(key)
    if (entry?.expireAt === undefined || this.#host.now <= entry.expireAt) return entry
    this.#entries.delete(key)
    this.#host.changed(key)
    this.#host.expired(key, this)
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

  /** Sets what a key holds; it ends at a time, or never. */
  put<T extends TypeName>(
    key: Bytes,
    { type, value, expireAt }: { type: T; value: Values[T]; expireAt?: number | undefined },
  ): void {
    const entry: Entry<T> = { type, value, expireAt, usedAt: this.#host.now }
    this.#entries.set(key, entry)
    this.#host.changed(key)
  }

  /** Says that what a key holds was changed in place. A collection that is empty goes. Returns whether it has gone. */
  touched(key: Bytes): boolean {
    this.#host.changed(key)
    const entry = this.#entries.get(key)
    if (entry === undefined || !isEmpty(entry)) return false
    this.#entries.delete(key)
    return true
  }

  expireAt(key: Bytes, time: number | undefined): void {
    const entry = this.find(key)
    if (entry === undefined) return
    entry.expireAt = time
    this.#host.changed(key)
  }

  remove(key: Bytes): boolean {
    if (this.find(key) === undefined) return false
    this.#entries.delete(key)
    this.#host.changed(key)
    return true
  }

  clear(): void {
    for (const key of this.#entries.keys()) this.#host.changed(key)
    this.#entries.clear()
  }

  /** Exchanges all keys with those of another database. */
  swap(other: Database): void {
    ;[this.#entries, other.#entries] = [other.#entries, this.#entries]
  }

  /** Removes the keys that have ended, as Redis does now and then without being asked. */
  removeExpired(): void {
    for (const key of [...this.#entries.keys()]) this.find(key)
  }
}

function isOf<T extends TypeName>(entry: Entry, type: T): entry is Entry & Entry<T> {
  return entry.type === type
}

function isEmpty({ type, value }: Entry): boolean {
  if (type === 'string') return false
  return type === 'list' ? (value as Bytes[]).length === 0 : (value as Map<Bytes, Bytes>).size === 0
}
