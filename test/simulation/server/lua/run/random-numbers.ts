const MULTIPLIER = 0x5deece66dn
const INCREMENT = 0xbn
const MASK_OF_48_BITS = (1n << 48n) - 1n
const LOW_BITS_OF_SEED = 0x330en
const FIRST_STATE = 0x1234abcd330en
const LARGEST = 0x7fffffffn

/**
 * The numbers of `math.random`, as Redis 7.0 draws them: the same sequence in every server. A script goes on where the one before has
 * stopped, also after `SCRIPT FLUSH`; only `math.randomseed` starts over.
 */
export class RandomNumbers {
  #state = FIRST_STATE

  seed(seed: number): void {
    this.#state = (BigInt.asUintN(32, BigInt(seed)) << 16n) | LOW_BITS_OF_SEED
  }

  /** From 0 up to, but not including, 1. */
  next(): number {
    this.#state = (this.#state * MULTIPLIER + INCREMENT) & MASK_OF_48_BITS
    return Number((this.#state >> 17n) % LARGEST) / Number(LARGEST)
  }
}
