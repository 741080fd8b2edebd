import { bitsFor, HashPart, NOWHERE } from './hash-part.js'
import { newIdentity } from './identities.js'
import type { Value } from './values.js'

/** How many bits the index of an element of an array may have. */
const ARRAY_BITS = 26
const LARGEST_INDEX = 2 ** ARRAY_BITS

/** A table. Its array and its hash grow as those of Lua 5.1 do: the length of an array with holes depends on it, and the order of keys. */
export class Table {
  readonly identity = newIdentity()
  metatable: Table | undefined
  /** Whether scripts may not change it. */
  isReadonly = false
  #array: Value[]
  #hash: HashPart

  constructor(arraySize = 0, hashSize = 0) {
    this.#array = arraySize === 0 ? [] : new Array<Value>(arraySize).fill(undefined)
    this.#hash = hashPart(hashSize)
  }

  get(key: Value): Value {
    if (typeof key === 'number') return this.getNumber(key)
    return key === undefined ? undefined : this.#valueAt(this.#hash.find(key))
  }

  getNumber(key: number): Value {
    return this.#isInArray(key) ? this.#array[key - 1] : this.#valueAt(this.#hash.find(key))
  }

  /** The value of a string, whose hash is given. */
  getHashed(key: string, hash: number): Value {
    return this.#valueAt(this.#hash.findHashed(key, hash))
  }

  /** The key is neither nil nor NaN. */
  set(key: Value, value: Value): void {
    if (typeof key === 'number' && this.#isInArray(key)) this.#array[key - 1] = value
    else this.#setHashed(key, value, this.#hash.find(key))
  }

  /** Makes room for a number of elements. */
  reserve(size: number): void {
    if (size > this.#array.length) this.#resize(size, this.#hash.size)
  }

  /** A border: an element that is followed by nil. There may be several where there are holes. */
  length(): number {
    const size = this.#array.length
    if (size > 0 && this.#array[size - 1] === undefined) return this.#borderBelow(size)
    return this.#hash.size === 0 ? size : this.#borderFrom(size)
  }

  /** The key after another one, or the first after nil. Undefined after the last one, and null if the key is not there. */
  keyAfter(key: Value): Value | null {
    const index = this.#indexOf(key)
    return index === undefined ? null : this.#keyFrom(index)
  }

  #setHashed(key: Value, value: Value, place: number): void {
    const target = place === NOWHERE ? this.#hash.add(key) : place
    if (target !== NOWHERE) {
      this.#hash.setAt(target, value)
      return
    }
    this.#rehash(key)
    this.set(key, value)
  }

  #valueAt(place: number): Value {
    return place === NOWHERE ? undefined : this.#hash.valueAt(place)
  }

  #isInArray(key: number): boolean {
    return key >= 1 && key <= this.#array.length && Number.isInteger(key)
  }

  /** How many keys come before the one after this key, of those that there is room for. */
  #indexOf(key: Value): number | undefined {
    if (key === undefined) return 0
    if (typeof key === 'number' && this.#isInArray(key)) return key
    const place = this.#hash.find(key)
    return place === NOWHERE ? undefined : this.#array.length + place + 1
  }

  #keyFrom(index: number): Value {
    for (let at = index; at < this.#array.length; at++) {
      if (this.#array[at] !== undefined) return at + 1
    }
    for (let place = Math.max(index - this.#array.length, 0); place < this.#hash.size; place++) {
      if (this.#hash.valueAt(place) !== undefined) return this.#hash.keyAt(place)
    }
    return undefined
  }

  #borderBelow(size: number): number {
    let low = 0
    let high = size
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if (this.#array[middle - 1] === undefined) high = middle
      else low = middle
    }
    return low
  }

  #borderFrom(size: number): number {
    let low = size
    let high = size + 1
    while (this.getNumber(high) !== undefined) {
      low = high
      high *= 2
    }
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2)
      if (this.getNumber(middle) === undefined) high = middle
      else low = middle
    }
    return low
  }

  /** Makes room for one more key. More than half of the array will be in use. */
  #rehash(extraKey: Value): void {
    const counts = new Array<number>(ARRAY_BITS + 1).fill(0)
    let keys = this.#countArray(counts)
    let indexes = keys
    for (let place = 0; place < this.#hash.size; place++) {
      if (this.#hash.valueAt(place) === undefined) continue
      indexes += countIndex(this.#hash.keyAt(place), counts)
      keys += 1
    }
    indexes += countIndex(extraKey, counts)
    keys += 1
    const { size, used } = bestArray(counts, indexes)
    this.#resize(size, keys - used)
  }

  #countArray(counts: number[]): number {
    let used = 0
    for (let at = 0; at < this.#array.length; at++) {
      if (this.#array[at] !== undefined) used += countIndex(at + 1, counts)
    }
    return used
  }

  #resize(arraySize: number, hashSize: number): void {
    const oldHash = this.#hash
    const cut = this.#array.slice(arraySize)
    const kept = Math.min(this.#array.length, arraySize)
    this.#array.length = kept
    for (let at = kept; at < arraySize; at++) this.#array.push(undefined)
    this.#hash = hashPart(hashSize)
    cut.forEach((value, at) => {
      if (value !== undefined) this.set(arraySize + at + 1, value)
    })
    for (let place = oldHash.size - 1; place >= 0; place--) {
      const value = oldHash.valueAt(place)
      if (value !== undefined) this.set(oldHash.keyAt(place), value)
    }
  }
}

const NO_HASH = new HashPart(0)

function hashPart(size: number): HashPart {
  return size === 0 ? NO_HASH : new HashPart(size)
}

/** Counts a key where it could be in an array: by the power of two that its index is not beyond. */
function countIndex(key: Value, counts: number[]): 0 | 1 {
  if (typeof key !== 'number' || !Number.isInteger(key) || key < 1 || key > LARGEST_INDEX) return 0
  const bits = bitsFor(key)
  counts[bits] = (counts[bits] ?? 0) + 1
  return 1
}

/** The largest array of which more than half would be in use, and how many would be. */
function bestArray(counts: readonly number[], indexes: number): { size: number; used: number } {
  const best = { size: 0, used: 0 }
  let used = 0
  let size = 1
  for (let bits = 0; bits < counts.length && size / 2 < indexes; bits++) {
    const count = counts[bits] ?? 0
    used += count
    if (count > 0 && used > size / 2) {
      best.size = size
      best.used = used
    }
    size *= 2
  }
  return best
}
