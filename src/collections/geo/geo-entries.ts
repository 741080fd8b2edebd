import type { GeoEntry, GeoPosition, GeoUnit } from './geo.api.js'
import type { Argument } from '../../connection/connection.js'
import { inspectShort } from '../../util/inspect-short.js'
import { isPlain } from '../../util/is-plain.js'

/** The bounds that Redis has: those of a map in the projection of Mercator, which is a square. */
const MOST = { longitude: 180, latitude: 85.05112878 } as const

/**
 * What is sent of the last degrees of the map. At these Redis leaves the map, and does not find what it has stored there: the meridian is the same
 * on both sides, and the parallel is a hundredth of a millimeter away.
 */
const LAST = { longitude: '-180', latitude: '85.0511287799' } as const

const UNITS: readonly unknown[] = ['m', 'km', 'mi', 'ft']

/** A place as it is sent. */
export interface PositionArguments {
  readonly longitude: string
  readonly latitude: string
}

/** A place and its member, as they are sent. */
export type EntryArguments = readonly [longitude: string, latitude: string, member: Argument]

/** @throws `TypeError` for what is no number; `RangeError` for a place that Redis does not have */
export function positionArguments({ longitude, latitude }: GeoPosition): PositionArguments {
  return { longitude: coordinate('longitude', longitude), latitude: coordinate('latitude', latitude) }
}

/** @throws `TypeError` and `RangeError` for what is no entry */
export function entryArguments<V>(entry: GeoEntry<V>, encode: (member: V) => Argument): EntryArguments {
  if (!isPlain(entry))
    throw new TypeError(
      `Expected each entry to be an object with longitude, latitude and member, got ${inspectShort(entry)}`,
    )
  const { longitude, latitude } = positionArguments(entry)
  return [longitude, latitude, encode(entry.member)]
}

/** @throws TypeError for what is no unit */
export function checkedUnit(unit: GeoUnit): GeoUnit {
  if (UNITS.includes(unit)) return unit
  throw new TypeError(`Expected \`unit\` to be 'm', 'km', 'mi' or 'ft', got ${inspectShort(unit)}`)
}

function coordinate(name: keyof typeof MOST, degrees: number): string {
  if (typeof degrees !== 'number' || Number.isNaN(degrees))
    throw new TypeError(`Expected \`${name}\` to be a number, got ${inspectShort(degrees)}`)
  const most = MOST[name]
  if (Math.abs(degrees) > most)
    throw new RangeError(
      `Expected \`${name}\` to be from ${String(-most)} to ${String(most)}, got ${String(degrees)}`,
    )
  return degrees === most ? LAST[name] : String(degrees)
}
