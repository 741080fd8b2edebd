import type { ScoreRange, ScoreRangePage } from './scored-sorted-set.api.js'
import type { Argument } from '../../connection/connection.js'
import { flag, wholeNumber } from '../../core/arguments/arguments.js'
import { demandNoMore, demandOptions, known } from '../../core/arguments/options.js'
import { inspectShort } from '../../util/inspect-short.js'

const RANGE = known<ScoreRange>({ min: true, minInclusive: true, max: true, maxInclusive: true })
const PAGE = known<ScoreRangePage>({
  min: true,
  minInclusive: true,
  max: true,
  maxInclusive: true,
  offset: true,
  count: true,
})

/** What Redis takes for as many as there are. */
const ALL = -1

/**
 * A score as it is sent: the fewest digits that read as the same number, or an infinity.
 *
 * @throws TypeError for what is no number
 */
export function scoreText(name: string, score: number): string {
  if (typeof score !== 'number' || Number.isNaN(score))
    throw new TypeError(`Expected \`${name}\` to be a number, got ${inspectShort(score)}`)
  if (score === Infinity) return '+inf'
  if (score === -Infinity) return '-inf'
  return String(score) // −0 as 0, which is the same score
}

/** The bounds of a range of scores, as they are sent. */
export interface Bounds {
  readonly min: string
  readonly max: string
}

/** @throws TypeError for options that are unknown or wrong */
export function boundsOf(range: ScoreRange): Bounds {
  demandOptions(range, RANGE)
  return checkedBounds(range)
}

/** A range as `ZRANGE` takes it. */
export interface RangeArguments {
  readonly start: Argument
  readonly stop: Argument
  readonly clauses: readonly Argument[]
}

/** What a method was given as a range: two ranks, or a range of scores; and what it was given besides, which is too much. */
export type GivenRange =
  | readonly [startIndex: number, endIndex: number, ...surplus: readonly unknown[]]
  | readonly [range: ScoreRangePage, ...surplus: readonly unknown[]]

/** Which end a range begins at. */
export type Direction = 'forward' | 'reversed'

/** @throws `TypeError` or `RangeError` for what is no range */
export function rangeArguments(given: GivenRange, direction: Direction): RangeArguments {
  const [first, second, surplus] = given as readonly unknown[]
  const reversing = direction === 'reversed' ? ['REV'] : []
  if (typeof first === 'object') {
    demandNoMore(second, 'the bounds are options')
    return byScore(first as ScoreRangePage, reversing)
  }
  demandNoMore(surplus, 'an offset and a count are options of a range of scores')
  const start = wholeNumber('startIndex', first as number)
  const stop = wholeNumber('endIndex', second as number)
  return { start, stop, clauses: reversing }
}

function byScore(page: ScoreRangePage, reversing: readonly string[]): RangeArguments {
  demandOptions(page, PAGE)
  const { offset = 0, count = ALL } = page
  const { min, max } = checkedBounds(page)
  wholeNumber('offset', offset, 0)
  if (page.count !== undefined) wholeNumber('count', count, 0)
  const limit = offset === 0 && count === ALL ? [] : ['LIMIT', offset, count]
  const [start, stop] = reversing.length === 0 ? [min, max] : [max, min]
  return { start, stop, clauses: ['BYSCORE', ...reversing, ...limit] }
}

function checkedBounds({ min = -Infinity, minInclusive, max = Infinity, maxInclusive }: ScoreRange): Bounds {
  const open = (name: string, inclusive: boolean | undefined) => (flag(name, inclusive, true) ? '' : '(')
  return {
    min: open('minInclusive', minInclusive) + scoreText('min', min),
    max: open('maxInclusive', maxInclusive) + scoreText('max', max),
  }
}
