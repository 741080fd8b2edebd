/** A place on earth, in degrees. */
export interface Place {
  readonly longitude: number
  readonly latitude: number
}

/** A cell of the map: a square at each step has four at the next one. */
export interface Cell {
  /** The bits of both places, in turns: those of the longitude have the higher one. */
  readonly bits: bigint
  readonly step: number
}

/** The bounds of a cell. */
export interface Bounds {
  readonly min: Place
  readonly max: Place
}

/** Cells of the last step have 52 bits, as many as a score can have. */
export const LAST_STEP = 26

const MERCATOR: Bounds = {
  min: { longitude: -180, latitude: -85.05112878 },
  max: { longitude: 180, latitude: 85.05112878 },
}

/** The bounds of geohashes as texts, which have no other projection. */
const POLES: Bounds = { min: { longitude: -180, latitude: -90 }, max: { longitude: 180, latitude: 90 } }

const ALPHABET = '0123456789bcdefghjkmnpqrstuvwxyz'

export function isOnMap({ longitude, latitude }: Place): boolean {
  return Math.abs(longitude) <= MERCATOR.max.longitude && Math.abs(latitude) <= MERCATOR.max.latitude
}

/** The score of a place. */
export function scoreOf(place: Place): number {
  return Number(cellOf(place, LAST_STEP).bits)
}

/** The center of the cell that a score is. */
export function placeOf(score: number): Place {
  const { min, max } = boundsOf({ bits: unsigned(score), step: LAST_STEP })
  return {
    longitude: within((min.longitude + max.longitude) / 2, MERCATOR.max.longitude),
    latitude: within((min.latitude + max.latitude) / 2, MERCATOR.max.latitude),
  }
}

/** The geohash as a text, of 50 bits and a zero. */
export function textOf(place: Place): string {
  const { bits } = cellOf(place, LAST_STEP, POLES)
  const letters = Array.from({ length: 10 }, (_, n) => {
    return ALPHABET[Number((bits >> BigInt(52 - 5 * (n + 1))) & 31n)]
  })
  return `${letters.join('')}0`
}

export function cellOf({ longitude, latitude }: Place, step: number, { min, max } = MERCATOR): Cell {
  const column = share(longitude, min.longitude, max.longitude) * 2 ** step
  const row = share(latitude, min.latitude, max.latitude) * 2 ** step
  return { bits: interleaved(Math.trunc(column), Math.trunc(row)), step }
}

export function boundsOf({ bits, step }: Cell): Bounds {
  const [column, row] = deinterleaved(bits)
  const placeAt = (x: number, y: number): Place => ({
    longitude: at((x % 2 ** 32) / 2 ** step, MERCATOR.min.longitude, MERCATOR.max.longitude),
    latitude: at((y % 2 ** 32) / 2 ** step, MERCATOR.min.latitude, MERCATOR.max.latitude),
  })
  return { min: placeAt(column, row), max: placeAt(column + 1, row + 1) }
}

/** The cell some columns to the east and rows to the north; the map has no edges. */
export function neighborOf({ bits, step }: Cell, east: number, north: number): Cell {
  const [column, row] = deinterleaved(bits)
  return { bits: interleaved(moved(column, east, step), moved(row, north, step)), step }
}

/** The scores of a cell: from the first one on, up to the second one, which is not in it. */
export function scoresOf({ bits, step }: Cell): readonly [from: number, to: number] {
  const shift = BigInt(52 - 2 * step)
  return [Number(bits << shift), Number((bits + 1n) << shift)]
}

/** What is not moved may be the upper bound itself, which is one more than there are. */
function moved(index: number, by: number, step: number): number {
  const size = 2 ** step
  return by === 0 ? index : (index + by + size) % size
}

function share(degrees: number, min: number, max: number): number {
  return (degrees - min) / (max - min)
}

function at(part: number, min: number, max: number): number {
  return min + part * (max - min)
}

function within(degrees: number, most: number): number {
  return Math.min(most, Math.max(-most, degrees))
}

/** As a processor of Intel makes a whole number of a double. */
function unsigned(score: number): bigint {
  if (score >= 2 ** 64) return 0n
  return BigInt.asUintN(64, score < -(2 ** 63) ? -(2n ** 63n) : BigInt(Math.trunc(score)))
}

/** Both numbers in turns, the first one with the higher bit. */
function interleaved(column: number, row: number): bigint {
  return (spread(column) << 1n) | spread(row)
}

function spread(number: number): bigint {
  const digits = number.toString(2).replaceAll(/\d/g, '0$&')
  return BigInt(`0b${digits}`)
}

function deinterleaved(bits: bigint): readonly [column: number, row: number] {
  const digits = bits.toString(2).padStart(64, '0')
  const every = (start: number) =>
    Number.parseInt(
      Array.from(digits)
        .filter((_, n) => n % 2 === start)
        .join(''),
      2,
    )
  return [every(0), every(1)]
}
