import type { AggregateOptions, SetNames } from './scored-sorted-set.api.js'
import type { Argument } from '../../connection/connection.js'
import { valuesOf } from '../../core/entries.js'
import { demandOptions, known } from '../../core/arguments/options.js'
import { inspectWord } from '../../util/inspect-short.js'
import { scoreText } from './scores.js'

const AGGREGATE = known<AggregateOptions>({ aggregate: true })
const AGGREGATES: readonly unknown[] = ['SUM', 'MIN', 'MAX']

/** One sorted set of several. */
export interface SetSource {
  readonly name: string
  readonly weight: number
}

/** @throws TypeError for what are no names, or no weights */
export function sourcesOf(names: SetNames): readonly SetSource[] {
  if (!(names instanceof Map)) return valuesOf('names', names as Iterable<string>).map(unweighted)
  return Array.from(names as ReadonlyMap<string, number>, ([name, weight]) => ({ name, weight }))
}

function unweighted(name: string): SetSource {
  return { name, weight: 1 }
}

/** @throws RangeError where there are none: a set cannot be made of them */
export function demandSources(sources: readonly unknown[]): void {
  if (sources.length === 0) throw new RangeError('Expected `names` to be one or more, got none')
}

/** @throws `TypeError` for weights that are no numbers, and for options that are unknown or wrong */
export function combiningClauses(
  sources: readonly Pick<SetSource, 'weight'>[],
  options: AggregateOptions,
): Argument[] {
  demandOptions(options, AGGREGATE)
  const { aggregate = 'SUM' } = options
  if (!AGGREGATES.includes(aggregate))
    throw new TypeError(`Expected \`aggregate\` to be 'SUM', 'MIN' or 'MAX', got ${inspectWord(aggregate)}`)
  const weights = sources.map(({ weight }) => scoreText('weight', weight))
  const weighted = weights.some((weight) => weight !== '1') ? ['WEIGHTS', ...weights] : []
  return [...weighted, 'AGGREGATE', aggregate]
}
