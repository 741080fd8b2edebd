import { boundsOf, cellOf, neighborOf, type Bounds, type Cell, type Place } from './geohash.js'

/** What is searched: a circle, or a rectangle. Lengths are in meters. */
export interface Area {
  readonly center: Place
  readonly shape: { readonly radius: number } | { readonly width: number; readonly height: number }
}

const EARTH_RADIUS = 6_372_797.560856
const RADIANS = Math.PI / 180

/** Half of the equator in the projection of Mercator. */
const HALF_OF_THE_MAP = 20_037_726.37

/** Where the cells around one stand, to the east and to the north of it, in the order in which they are searched. */
const AROUND = [
  [0, 0],
  [0, 1],
  [0, -1],
  [1, 0],
  [-1, 0],
  [1, 1],
  [-1, 1],
  [1, -1],
  [-1, -1],
] as const

/** The distance of two places on a sphere, in meters. */
export function distanceOf(one: Place, other: Place): number {
  const byLongitude = Math.sin((radians(other.longitude) - radians(one.longitude)) / 2)
  if (byLongitude === 0) return distanceAlongMeridian(one, other)
  const [from, to] = [radians(one.latitude), radians(other.latitude)]
  const byLatitude = Math.sin((to - from) / 2)
  const share = byLatitude * byLatitude + Math.cos(from) * Math.cos(to) * byLongitude * byLongitude
  return 2 * EARTH_RADIUS * Math.asin(Math.sqrt(share))
}

/** The distance of a place from the center; undefined if it is not in the area. */
export function distanceWithin({ center, shape }: Area, place: Place): number | undefined {
  const distance = distanceOf(center, place)
  if ('radius' in shape) return distance <= shape.radius ? distance : undefined
  if (distanceAlongMeridian(center, place) > shape.height / 2) return undefined
  const onParallel = { longitude: center.longitude, latitude: place.latitude }
  return distanceOf(place, onParallel) > shape.width / 2 ? undefined : distance
}

/** The cells that are searched, in their order. */
export function cellsOf(area: Area): readonly Cell[] {
  const box = boxAround(area)
  const estimated = cellOf(area.center, stepOf(area))
  const isTooSmall = estimated.step > 1 && !covers(estimated, box)
  const middle = isTooSmall ? cellOf(area.center, estimated.step - 1) : estimated
  const { min, max } = boundsOf(middle)
  const isNeeded = (east: number, north: number) =>
    !(north < 0 && min.latitude < box.min.latitude) &&
    !(north > 0 && max.latitude > box.max.latitude) &&
    !(east < 0 && min.longitude < box.min.longitude) &&
    !(east > 0 && max.longitude > box.max.longitude)
  const needed = middle.step < 2 ? AROUND : AROUND.filter(([east, north]) => isNeeded(east, north))
  return withoutRepeated(needed.map(([east, north]) => neighborOf(middle, east, north)))
}

/** Where the map has few columns or rows, both neighbors are one cell. Redis leaves out what repeats the one before it, but for the middle. */
function withoutRepeated(cells: readonly Cell[]): readonly Cell[] {
  return cells.filter((cell, n) => n < 2 || cell.bits !== cells[n - 1]?.bits)
}

/** Whether a cell and those around it reach to the edges of a box. */
function covers(middle: Cell, { min, max }: Bounds): boolean {
  return (
    boundsOf(neighborOf(middle, 0, 1)).max.latitude >= max.latitude &&
    boundsOf(neighborOf(middle, 0, -1)).min.latitude <= min.latitude &&
    boundsOf(neighborOf(middle, 1, 0)).max.longitude >= max.longitude &&
    boundsOf(neighborOf(middle, -1, 0)).min.longitude <= min.longitude
  )
}

/** The step whose cells are about as large as the area; larger ones near the poles. */
function stepOf({ center, shape }: Area): number {
  const reach = 'radius' in shape ? shape.radius : Math.sqrt((shape.width / 2) ** 2 + (shape.height / 2) ** 2)
  if (reach === 0) return 26
  let step = 1
  for (let length = reach; length < HALF_OF_THE_MAP; length *= 2) step += 1
  step -= 2
  const latitude = Math.abs(center.latitude)
  if (latitude > 66) step -= 1
  if (latitude > 80) step -= 1
  return Math.min(26, Math.max(1, step))
}

function boxAround({ center, shape }: Area): Bounds {
  const [width, height] =
    'radius' in shape ? [shape.radius, shape.radius] : [shape.width / 2, shape.height / 2]
  const north = degrees(height / EARTH_RADIUS)
  const narrow = center.latitude + (center.latitude < 0 ? -north : north)
  const east = degrees(width / EARTH_RADIUS / Math.cos(radians(narrow)))
  return {
    min: { longitude: center.longitude - east, latitude: center.latitude - north },
    max: { longitude: center.longitude + east, latitude: center.latitude + north },
  }
}

function distanceAlongMeridian(one: Place, other: Place): number {
  return EARTH_RADIUS * Math.abs(radians(other.latitude) - radians(one.latitude))
}

function radians(degrees: number): number {
  return degrees * RADIANS
}

function degrees(radians: number): number {
  return radians / RADIANS
}
