import type { LuaHost } from '../host.js'

const MULTIPLIER = 0x5deece66dn
const INCREMENT = 0xbn
const MASK_OF_48_BITS = (1n << 48n) - 1n
const LOW_BITS_OF_SEED = 0x330en
const FIRST_STATE = 0x1234abcd330en
const LARGEST = 0x7fffffffn

/** Numbers as `math.random` of Redis draws them: the same ones in each server, one after another, whatever script asks. */
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

const ofHosts = new WeakMap<LuaHost, RandomNumbers>()

/** The numbers of a server. */
export function randomNumbersOf(host: LuaHost): RandomNumbers {
  const numbers = ofHosts.get(host) ?? new RandomNumbers()
  ofHosts.set(host, numbers)
  return numbers
}
