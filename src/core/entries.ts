import { inspectShort } from '../util/inspect-short.js'
import { isPlain } from '../util/is-plain.js'

/** More than any call can do with. What has no end is refused before it takes all memory. */
const MOST_ITEMS = 2 ** 22

/** Entries as a program may give them. */
export type Entries<K, V> = Iterable<readonly [K, V]> | Readonly<Record<string, V>>

/**
 * Reads entries that a program gave: a `Map`, any other iterable of pairs, or a plain object. What an iterable throws comes through.
 *
 * An object of any other kind, such as a promise or a date, would mostly be one without entries, and nothing would be done.
 *
 * @param name - what the caller calls them
 * @throws TypeError for anything else
 * @throws RangeError while it is read, for more than 4 194 304 entries
 */
export function entriesOf<K, V>(name: string, given: Entries<K, V>): Iterable<readonly [K, V]> {
  if (readable(name, given, isIterable)) return pairsOf<K, V>(name, given as Iterable<unknown>)
  if (!readable(name, given, isRecord))
    throw new TypeError(
      `Expected \`${name}\` to be a Map, an iterable of pairs or a plain object, got ${inspectShort(given)}`,
    )
  // The types of the methods have objects only where keys are texts.
  return readable(name, given, membersOf) as Iterable<[never, V]>
}

/**
 * Reads keys that a program gave. A text would be a list of its letters.
 *
 * @throws TypeError for what is no iterable
 */
export function keysOf<K>(keys: Iterable<K>): readonly K[] {
  return valuesOf('keys', keys)
}

/**
 * The same for values of any kind.
 *
 * @param name - what the caller calls them
 * @throws TypeError for what is no iterable
 * @throws RangeError for more than 4 194 304: it may have no end
 */
export function valuesOf<T>(name: string, values: Iterable<T>): readonly T[] {
  if (readable(name, values, isIterable)) return [...bounded(name, values)]
  throw new TypeError(`Expected \`${name}\` to be an iterable of ${name}, got ${inspectShort(values)}`)
}

function* bounded<T>(name: string, values: Iterable<T>): Generator<T, void> {
  let count = 0
  for (const value of values) {
    if (++count > MOST_ITEMS)
      throw new RangeError(`Expected \`${name}\` to have at most ${String(MOST_ITEMS)} items, got more`)
    yield value
  }
}

function* pairsOf<K, V>(name: string, given: Iterable<unknown>): Generator<readonly [K, V], void> {
  for (const entry of bounded(name, given)) {
    if (!Array.isArray(entry) || entry.length !== 2)
      throw new TypeError(`Expected each of \`${name}\` to be a key and a value, got ${inspectShort(entry)}`)
    yield entry as [K, V]
  }
}

/** Looks at what was given. Getters and proxies may throw then. */
function readable<T>(name: string, given: unknown, look: (given: unknown) => T): T {
  try {
    return look(given)
  } catch (cause) {
    throw new TypeError(`Expected \`${name}\` to be readable, got ${inspectShort(given)}`, { cause })
  }
}

function isIterable(given: unknown): boolean {
  if (typeof given !== 'object' || given === null) return false
  return typeof (given as Partial<Iterable<unknown>>)[Symbol.iterator] === 'function'
}

/** Whether it holds its own members and nothing else, as `{}` and `Object.create(null)` do. A symbol would be left out. */
function isRecord(given: unknown): boolean {
  if (!isPlain(given)) return false
  const prototype: unknown = Object.getPrototypeOf(given)
  const inheritsNothing = prototype === null || Object.getPrototypeOf(prototype) === null
  return inheritsNothing && Object.getOwnPropertySymbols(given).length === 0
}

function membersOf(given: unknown): [string, unknown][] {
  return Object.entries(given as object)
}
