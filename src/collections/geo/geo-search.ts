import type { GeoBox, GeoSearchOptions } from './geo.api.js'
import type { Argument } from '../../connection/connection.js'
import { wholeNumber } from '../../core/arguments/arguments.js'
import { demandOptions, known } from '../../core/arguments/options.js'
import { inspectShort } from '../../util/inspect-short.js'
import { isPlain } from '../../util/is-plain.js'
import { checkedUnit, positionArguments } from './geo-entries.js'

const SEARCH = known<GeoSearchOptions<unknown>>({
  from: true,
  radius: true,
  box: true,
  unit: true,
  order: true,
  count: true,
  countAny: true,
})
const PLACE = known<Place<unknown>>({ longitude: true, latitude: true, member: true })
const BOX = known<GeoBox>({ width: true, height: true })
const ORDERS: readonly unknown[] = ['ASC', 'DESC']

/** What may be said of the center of an area. */
interface Place<V> {
  readonly longitude?: number
  readonly latitude?: number
  readonly member?: V
}

/** What may be said of how many members are found. */
interface Count {
  readonly count?: number | undefined
  readonly countAny?: number | undefined
}

/**
 * Reads what is searched for, as `GEOSEARCH` takes it.
 *
 * @throws `TypeError` and `RangeError` for options that are unknown or wrong
 */
export function searchClauses<V>(
  options: GeoSearchOptions<V>,
  encode: (member: V) => Argument,
): readonly Argument[] {
  demandOptions(options, SEARCH)
  return [...centerOf(options, encode), ...areaOf(options), ...orderOf(options), ...countOf(options)]
}

function centerOf<V>({ from }: GeoSearchOptions<V>, encode: (member: V) => Argument): Argument[] {
  if (!isPlain(from))
    throw new TypeError(
      `Expected \`from\` to be an object with longitude and latitude, or with a member, got ${inspectShort(from)}`,
    )
  demandOptions(from, PLACE)
  const { longitude, latitude, member }: Place<V> = from
  if (!('member' in from)) {
    const position = positionArguments({ longitude: longitude as number, latitude: latitude as number })
    return ['FROMLONLAT', position.longitude, position.latitude]
  }
  if (longitude !== undefined || latitude !== undefined)
    throw new TypeError('Expected `from` to have longitude and latitude, or a member, got both')
  return ['FROMMEMBER', encode(member as V)]
}

function areaOf({ radius, box, unit }: GeoSearchOptions<unknown>): Argument[] {
  if ((radius === undefined) === (box === undefined))
    throw new TypeError(`Expected either \`radius\` or \`box\`, got ${inspectShort({ radius, box })}`)
  if (radius !== undefined) return ['BYRADIUS', length('radius', radius), checkedUnit(unit)]
  if (!isPlain(box))
    throw new TypeError(`Expected \`box\` to be an object with width and height, got ${inspectShort(box)}`)
  demandOptions(box, BOX)
  return ['BYBOX', length('width', box.width), length('height', box.height), checkedUnit(unit)]
}

function orderOf({ order }: GeoSearchOptions<unknown>): Argument[] {
  if (order === undefined) return []
  if (ORDERS.includes(order)) return [order]
  throw new TypeError(`Expected \`order\` to be 'ASC' or 'DESC', got ${inspectShort(order)}`)
}

function countOf({ count, countAny }: Count): Argument[] {
  if (count !== undefined && countAny !== undefined)
    throw new TypeError(`Expected either \`count\` or \`countAny\`, got ${inspectShort({ count, countAny })}`)
  if (count !== undefined) return ['COUNT', wholeNumber('count', count, 1)]
  return countAny === undefined ? [] : ['COUNT', wholeNumber('countAny', countAny, 1), 'ANY']
}

function length(name: string, value: number): string {
  if (typeof value !== 'number' || Number.isNaN(value))
    throw new TypeError(`Expected \`${name}\` to be a number, got ${inspectShort(value)}`)
  if (value < 0 || value === Infinity)
    throw new RangeError(`Expected \`${name}\` to be a finite number, 0 or more, got ${String(value)}`)
  return String(value)
}
