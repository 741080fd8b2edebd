import type { AdderObjects, LongAdderOptions, RDoubleAdder, RLongAdder } from '../api/counters/adder.js'
import { plainJavaDouble } from '../codec/java-double.js'
import { double } from '../command/replies.js'
import type { LockContext } from '../core/object-context.js'
import { flag } from '../core/arguments.js'
import { demandOptions, known } from '../core/options.js'
import { RedissonAdder } from './adder/adder.js'
import { fractions, integers } from './adder/sums.js'
import { Tallies } from './adder/tallies.js'
import type { AdderKind } from './adder/tally.js'
import { finite } from './shared/finite.js'
import { bigints, numbers, type Integers } from '../core/integers.js'

const LONG = known<LongAdderOptions>({ bigint: true })

const ofIntegers: AdderKind<bigint, bigint> = { sums: integers, command: 'incrby' }

const ofFractions: AdderKind<number, readonly number[]> = {
  sums: fractions(plainJavaDouble),
  command: 'incrbyfloat',
}

/** Makes the adders of a client. What those of one name have added is kept here. */
export class Adders implements AdderObjects {
  readonly #context: LockContext
  readonly #tallies: Tallies

  constructor(context: LockContext) {
    this.#context = context
    this.#tallies = new Tallies(context)
  }

  getLongAdder(name: string, options: LongAdderOptions & { readonly bigint: true }): RLongAdder<bigint>
  getLongAdder(name: string, options?: LongAdderOptions & { readonly bigint?: false }): RLongAdder
  getLongAdder(name: string, options?: LongAdderOptions): RLongAdder | RLongAdder<bigint>
  getLongAdder(name: string, options: LongAdderOptions = {}): RLongAdder | RLongAdder<bigint> {
    demandOptions(options, LONG)
    return flag('bigint', options.bigint) ? this.#long(name, bigints) : this.#long(name, numbers)
  }

  getDoubleAdder(name: string): RDoubleAdder {
    const numbers = { kind: ofFractions, check: finite, one: 1, minusOne: -1, read: double }
    return new RedissonAdder<number, number, readonly number[]>({ ...this.#named(name), ...numbers })
  }

  #long<N extends number | bigint>(name: string, integers: Integers<N>): RLongAdder<N> {
    return new RedissonAdder<N, bigint, bigint>({
      ...this.#named(name),
      kind: ofIntegers,
      check: (what, value) => integers.check(what, value),
      one: 1n,
      minusOne: -1n,
      read: integers.read,
    })
  }

  #named(name: string) {
    return { context: this.#context, tallies: this.#tallies, name }
  }
}
