import type { SortGetOptions, SortOptions } from './sortable.api.js'
import { demandTurns, FROM_MASTER } from '../../command/operation/command-executor.js'
import { defineCommand } from '../../command/operation/command.js'
import { bytes, integer, list, nullable } from '../../command/operation/replies.js'
import type { Argument } from '../../connection/connection.js'
import { wholeNumber } from '../../core/arguments/arguments.js'
import { valuesOf } from '../../core/entries.js'
import { demandOptions, known } from '../../core/arguments/options.js'
import { inspectShort, inspectWord } from '../../util/inspect-short.js'
import { mapInTurns } from '../../util/map-in-turns.js'
import type { ObjectRequests } from '../../core/object-requests.js'
import type { ValueCodec } from './value-codec.js'

const SORT = known<SortGetOptions>({ order: true, by: true, offset: true, count: true, get: true })

/** What Redis takes for as many as there are. */
const ALL = -1

/** Sorted values, or what belongs to them. */
const sort = defineCommand('SORT', {
  keys: ['object'],
  args: ['...clauses'],
  reply: list(nullable(bytes)),
  repeat: 'safe',
})

/** The length of the list. */
const sortTo = defineCommand('SORT', {
  keys: ['object', 'STORE', 'destination'],
  args: ['...clauses'],
  reply: integer,
  repeat: 'idempotent',
})

/** Which texts are compared: as numbers, or as they are. */
type Ordering = 'numeric' | 'ALPHA'

/** Reads the values of one object in order, or stores them. */
export class Sorting<V> {
  readonly #requests: ObjectRequests
  readonly #codec: ValueCodec<V>

  constructor(requests: ObjectRequests, codec: ValueCodec<V>) {
    this.#requests = requests
    this.#codec = codec
  }

  async read(ordering: Ordering, options: SortOptions | SortGetOptions = {}): Promise<(V | undefined)[]> {
    const alpha = ordering === 'ALPHA' ? [ordering] : []
    const args = { clauses: [...sortClauses(this.#requests, options), ...alpha] }
    const found = await this.#requests.ask(sort, args, {}, FROM_MASTER)
    return await mapInTurns(found, (value) => this.#codec.decodeIfAny(value))
  }

  /**
   * Returns the length of the list.
   *
   * @param destination - its key
   * @param name - what the program calls it
   */
  async store(
    destination: string,
    name: string,
    options: SortOptions | SortGetOptions = {},
  ): Promise<number> {
    if (destination === this.#requests.key)
      throw new RangeError(`Expected \`destination\` to be another name, got ${inspectWord(name)}`)
    const clauses = sortClauses(this.#requests, options)
    return await this.#requests.ask(sortTo, { clauses }, { destination })
  }
}

/**
 * @throws `TypeError` or `RangeError` for options that are unknown or wrong; {@link NotInBatchError} for patterns of other keys, where nothing says
 * whether another call of the batch changes them
 */
function sortClauses(requests: ObjectRequests, options: SortOptions | SortGetOptions): Argument[] {
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
  const clauses = [
    ...(by === undefined ? [] : ['BY', checkedPattern('by', by)]),
    ...limit,
    ...get.flatMap((pattern) => ['GET', checkedPattern('get', pattern)]),
    order,
  ]
  if (clauses.some((clause) => String(clause).includes('*')))
    demandTurns(requests, 'Sorting by what other keys have')
  return clauses
}

function checkedPattern(name: string, pattern: string): string {
  if (typeof pattern === 'string' && pattern.isWellFormed()) return pattern
  throw new TypeError(
    `Expected \`${name}\` to be a string without lone surrogates, got ${inspectShort(pattern)}`,
  )
}
