/** What a generator is seeded with. */
export type Seed = number | string

/** Numbers that look random and follow from the seed alone. */
export class Chance {
  readonly #origin: string
  #a: number
  #b: number
  #c: number
  #counter = 1

  constructor(seed: Seed) {
    this.#origin = String(seed)
    this.#a = hash(this.#origin, 1)
    this.#b = hash(this.#origin, 2)
    this.#c = hash(this.#origin, 3)
    for (let round = 0; round < WARM_UP_ROUNDS; round += 1) this.uint32()
  }

  /** A whole number of 32 bits (sfc32). */
  uint32(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0
    this.#counter = (this.#counter + 1) | 0
    this.#a = this.#b ^ (this.#b >>> 9)
    this.#b = (this.#c + (this.#c << 3)) | 0
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum
    return sum >>> 0
  }

  /** From 0 to below 1, with the 53 bits that a double has. */
  fraction(): number {
    const high = this.uint32() >>> 5
    const low = this.uint32() >>> 6
    return (high * 2 ** 26 + low) / 2 ** 53
  }

  /** A whole number from 0 to below `n`. */
  whole(n: number): number {
    return Math.floor(this.fraction() * n)
  }

  /** Whether something happens that has this probability. Draws one number for any probability, so that changing it shifts nothing. */
  chance(probability: number): boolean {
    return this.fraction() < probability
  }

  /** From `low` to below `high`. */
  between(low: number, high: number): number {
    return low + this.fraction() * (high - low)
  }

  /** @throws RangeError for an empty list */
  pick<T>(list: readonly T[]): T {
    if (list.length === 0) throw new RangeError('There is nothing to pick from')
    return list[this.whole(list.length)] as T
  }

  /** Fills a range of bytes. */
  fill(bytes: Uint8Array): void {
    for (let index = 0; index < bytes.length; index += 1) bytes[index] = this.uint32() & 0xff
  }

  /**
   * A generator of its own for one part of the simulation, so that one more draw there shifts no other part. The same label returns
   * the same numbers again, whatever was drawn before.
   */
  fork(label: Seed): Chance {
    return new Chance(`${this.#origin}/${label}`)
  }
}

/** Seeds that differ in one bit differ in all bits after these. */
const WARM_UP_ROUNDS = 15

/** FNV-1a, with a final mix, of a text and a variant. */
function hash(text: string, variant: number): number {
  let value = 0x811c9dc5 ^ variant
  for (let index = 0; index < text.length; index += 1)
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35)
  return (value ^ (value >>> 16)) | 0
}
