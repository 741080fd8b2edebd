import { hashOf } from './string-hash.js'
import type { Value } from './values.js'

/** Where no key is. */
export const NOWHERE = -1

/** The least number of bits that hold a number of different values. */
export function bitsFor(count: number): number {
  return count <= 1 ? 0 : 32 - Math.clz32(count - 1)
}

/**
 * The part of a table that is hashed. Keys that collide are chained, and one that is out of its own place makes room for one that belongs
 * there. Lua 5.1 does it in the same way, so that keys are in the same order here: scripts can see it by `pairs` and in JSON.
 */
export class HashPart {
  /** A power of two, or 0. */
  readonly size: number
  readonly #keys: Value[]
  readonly #values: Value[]
  readonly #next: number[]
  #lastFree: number

  constructor(atLeast: number) {
    this.size = atLeast === 0 ? 0 : 1 << bitsFor(atLeast)
    this.#keys = new Array<Value>(this.size).fill(undefined)
    this.#values = new Array<Value>(this.size).fill(undefined)
    this.#next = new Array<number>(this.size).fill(NOWHERE)
    this.#lastFree = this.size
  }

  keyAt(place: number): Value {
    return this.#keys[place]
  }

  valueAt(place: number): Value {
    return this.#values[place]
  }

  setAt(place: number, value: Value): void {
    this.#values[place] = value
  }

  /** Where a key is, even if its value is nil by now. */
  find(key: Value): number {
    return this.size === 0 ? NOWHERE : this.#follow(this.#mainPlaceOf(key), key)
  }

  /** The same for a string whose hash is known. */
  findHashed(key: string, hash: number): number {
    return this.size === 0 ? NOWHERE : this.#follow(hash & (this.size - 1), key)
  }

  /** Adds a key that is not there, and says where; {@link NOWHERE} if there is no room. */
  add(key: Value): number {
    if (this.size === 0) return NOWHERE
    const place = this.#mainPlaceOf(key)
    if (this.#values[place] === undefined) {
      this.#keys[place] = key
      return place
    }
    const free = this.#takeFree()
    return free === NOWHERE ? NOWHERE : this.#addColliding(key, place, free)
  }

  #follow(start: number, key: Value): number {
    let place = start
    while (place !== NOWHERE && this.#keys[place] !== key) place = this.#nextOf(place)
    return place
  }

  #addColliding(key: Value, place: number, free: number): number {
    const ownPlace = this.#mainPlaceOf(this.#keys[place])
    if (ownPlace === place) {
      this.#next[free] = this.#nextOf(place)
      this.#next[place] = free
      this.#keys[free] = key
      return free
    }
    this.#moveAway(place, ownPlace, free)
    this.#keys[place] = key
    return place
  }

  #moveAway(place: number, ownPlace: number, free: number): void {
    let before = ownPlace
    while (this.#nextOf(before) !== place) before = this.#nextOf(before)
    this.#next[before] = free
    this.#keys[free] = this.#keys[place]
    this.#values[free] = this.#values[place]
    this.#next[free] = this.#nextOf(place)
    this.#next[place] = NOWHERE
    this.#values[place] = undefined
  }

  /** A place that never had a key. Those that have been passed are not looked at again, as in Lua. */
  #takeFree(): number {
    while (this.#lastFree > 0) {
      this.#lastFree -= 1
      if (this.#keys[this.#lastFree] === undefined) return this.#lastFree
    }
    return NOWHERE
  }

  #nextOf(place: number): number {
    return this.#next[place] ?? NOWHERE
  }

  #mainPlaceOf(key: Value): number {
    switch (typeof key) {
      case 'string':
        return hashOf(key) & (this.size - 1)
      case 'number':
        return key === 0 ? 0 : hashOfNumber(key) % this.#divisor
      case 'boolean':
        return key ? 1 & (this.size - 1) : 0
      case 'object':
        return key.identity % this.#divisor
      default:
        return 0
    }
  }

  get #divisor(): number {
    return (this.size - 1) | 1
  }
}

const bits = new DataView(new ArrayBuffer(8))

function hashOfNumber(number: number): number {
  bits.setFloat64(0, number)
  return (bits.getUint32(0) + bits.getUint32(4)) >>> 0
}
