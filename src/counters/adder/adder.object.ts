import type { AdderObjects, LongAdderOptions, RLongAdder } from './adder.api.js'
import { double } from '../../command/operation/replies.js'
import { flag } from '../../core/arguments/arguments.js'
import type { Factory, FactoryContext } from '../../core/context/factories.js'
import { bigints, numbers, type Integers } from '../../core/arguments/integers.js'
import type { LockContext } from '../../core/context/object-context.js'
import { known, optionsOf } from '../../core/arguments/options.js'
import { finite } from '../shared/finite.js'
import { RedissonAdder } from './adder.js'
import { ofFractions, ofIntegers } from './adder-kinds.js'
import { Tallies } from './tallies.js'

const LONG = known<LongAdderOptions>({ bigint: true })

/** How a client makes one. */
export const getLongAdder: Factory<AdderObjects['getLongAdder'], LockContext> = (given, name, options) => {
  const made = flag('bigint', optionsOf<LongAdderOptions>(options, LONG).bigint)
    ? longAdder(given, name, bigints)
    : longAdder(given, name, numbers)
  return made as RLongAdder // the type of the method says which it is
}

/** How a client makes one. */
export const getDoubleAdder: Factory<AdderObjects['getDoubleAdder'], LockContext> = (
  { context, shared },
  name,
) =>
  new RedissonAdder<number, number, readonly number[]>({
    context,
    tallies: shared.get(Tallies),
    name,
    kind: ofFractions,
    check: finite,
    one: 1,
    minusOne: -1,
    read: double,
  })

function longAdder<N extends number | bigint>(
  { context, shared }: FactoryContext<LockContext>,
  name: string,
  of: Integers<N>,
): RLongAdder<N> {
  return new RedissonAdder<N, bigint, bigint>({
    context,
    tallies: shared.get(Tallies),
    name,
    kind: ofIntegers,
    check: (what, value) => of.check(what, value),
    one: 1n,
    minusOne: -1n,
    read: of.read,
  })
}
