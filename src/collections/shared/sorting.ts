import type { SortGetOptions, SortOptions } from '../../api/collections/sortable.js'
import { defineCommand } from '../../command/command.js'
import { bytes, integer, list, nullable } from '../../command/replies.js'
import type { Argument } from '../../connection/connection.js'
import { wholeNumber } from '../../core/arguments.js'
import { valuesOf } from '../../core/entries.js'
import { demandOptions, known } from '../../core/options.js'
import { inspectShort, inspectWord } from '../../util/inspect-short.js'

const SORT = known<SortGetOptions>({ order: true, by: true, offset: true, count: true, get: true })

/** What Redis takes for as many as there are. */
const ALL = -1

/** Sorted values, or what belongs to them. */
export const sort = defineCommand('SORT', {
  keys: ['object'],
  args: ['...clauses'],
  reply: list(nullable(bytes)),
  repeat: 'safe',
})

/** The length of the list. */
export const sortTo = defineCommand('SORT', {
  keys: ['object'],
  args: ['STORE', 'destination', '...clauses'],
  reply: integer,
  repeat: 'idempotent',
})

/** @throws `TypeError` or `RangeError` for options that are unknown or wrong */
export function sortClauses(options: SortOptions | SortGetOptions): Argument[] {
  demandOptions(options, SORT)
  const { order = 'ASC', by, offset = 0, count = ALL } = options
  if (!['ASC', 'DESC'].includes(order))
    throw new TypeError(`Expected \`order\` to be 'ASC' or 'DESC', got ${inspectWord(order)}`)
  const limit = [
    'LIMIT',
    wholeNumber('offset', offset, 0),
    count === ALL ? ALL : wholeNumber('count', count, 0),
  ]
  const get = 'get' in options ? valuesOf('get', options.get) : []
  return [
    ...(by === undefined ? [] : ['BY', checkedPattern('by', by)]),
    ...limit,
    ...get.flatMap((pattern) => ['GET', checkedPattern('get', pattern)]),
    order,
  ]
}

function checkedPattern(name: string, pattern: string): string {
  if (typeof pattern === 'string' && pattern.isWellFormed()) return pattern
  throw new TypeError(
    `Expected \`${name}\` to be a string without lone surrogates, got ${inspectShort(pattern)}`,
  )
}
