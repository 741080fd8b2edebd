import { plainJavaDouble } from '../../codec/java-double.js'
import { fractions, integers } from './sums.js'
import type { AdderKind } from './tally.js'

/** Adders of integers. */
export const ofIntegers: AdderKind<bigint, bigint> = { sums: integers, command: 'incrby' }

/** Adders of numbers with a fraction. */
export const ofFractions: AdderKind<number, readonly number[]> = {
  sums: fractions(plainJavaDouble),
  command: 'incrbyfloat',
}
