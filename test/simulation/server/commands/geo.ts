import { CommandError, syntaxError } from '../command-error.js'
import { cellsOf, distanceOf, distanceWithin, type Area } from '../geo-areas.js'
import { isOnMap, placeOf, scoreOf, scoresOf, textOf, type Place } from '../geohash.js'
import { compact, demandCount, demandDouble } from '../numbers.js'
import type { Bytes, Reply } from '../reply.js'
import { SortedSet } from '../sorted-set.js'
import { command, word, type Command, type Context } from './command.js'
import { sortedSetAt, zadd } from './sorted-sets.js'
import { storeSet } from './sorted-set-algebra.js'

/** Members and where they are: sorted sets whose scores are geohashes. */
export const geo: readonly Command[] = [
  command('geoadd', -5, 'grow', geoadd),
  command('geodist', -4, 'read', geodist),
  command('geohash', -2, 'read', (context, args) => ofEach(context, args, textOf)),
  command('geopos', -2, 'read', (context, args) => ofEach(context, args, coordinates)),
  command('geosearch', -7, 'read', geosearch),
  command('geosearchstore', -8, 'grow', geosearchstore),
]

const METERS: ReadonlyMap<Bytes, number> = new Map([
  ['m', 1],
  ['km', 1000],
  ['ft', 0.3048],
  ['mi', 1609.34],
])

function geoadd(context: Context, args: readonly Bytes[]): Reply {
  let at = 1
  while (['NX', 'XX', 'CH'].includes(word(args, at).toUpperCase())) at += 1
  const flags = args.slice(1, at).map((each) => each.toUpperCase())
  const words = args.slice(at)
  if (words.length % 3 > 0 || (flags.includes('NX') && flags.includes('XX'))) throw syntaxError()
  const scored: Bytes[] = []
  for (let n = 0; n < words.length; n += 3)
    scored.push(String(scoreOf(demandPlace(word(words, n), word(words, n + 1)))), word(words, n + 2))
  return zadd(context, [word(args, 0), ...flags, ...scored])
}

function geodist(context: Context, args: readonly Bytes[]): Reply {
  if (args.length > 4) throw syntaxError()
  const meters = args.length === 4 ? metersOf(word(args, 3)) : 1
  const set = sortedSetAt(context, args)
  const [one, other] = [set.scoreOf(word(args, 1)), set.scoreOf(word(args, 2))]
  if (one === undefined || other === undefined) return null
  return distanceText(distanceOf(placeOf(one), placeOf(other)) / meters)
}

function ofEach(context: Context, args: readonly Bytes[], show: (place: Place) => Reply): Reply {
  const set = sortedSetAt(context, args)
  return args.slice(1).map((member) => {
    const score = set.scoreOf(member)
    return score === undefined ? null : show(placeOf(score))
  })
}

/** A member that a search has found, and its distance in meters. */
interface Found {
  readonly member: Bytes
  readonly score: number
  readonly distance: number
}

/** What a search is asked for. */
interface Search {
  center: Place | 'nowhere' | undefined
  shape: Area['shape'] | undefined
  /** How many meters the unit has. */
  unit: number
  order: 'ASC' | 'DESC' | undefined
  count: number
  any: boolean
  /** `WITHDIST`, `WITHHASH`, `WITHCOORD` or `STOREDIST`. */
  readonly wanted: Set<Bytes>
}

function geosearch(context: Context, args: readonly Bytes[]): Reply {
  const search = searchOf(context, 'GEOSEARCH', args, args.slice(1))
  const { wanted, unit } = search
  return found(context, args, search).map(({ member, score, distance }) => {
    const more = [
      ...(wanted.has('WITHDIST') ? [distanceText(distance / unit)] : []),
      ...(wanted.has('WITHHASH') ? [compact(BigInt(Math.trunc(score)))] : []),
      ...(wanted.has('WITHCOORD') ? [coordinates(placeOf(score))] : []),
    ]
    return more.length === 0 ? member : [member, ...more]
  })
}

function geosearchstore(context: Context, args: readonly Bytes[]): Reply {
  const source = args.slice(1)
  const search = searchOf(context, 'GEOSEARCHSTORE', source, source.slice(1))
  const set = new SortedSet()
  for (const { member, score, distance } of found(context, source, search))
    set.set(member, search.wanted.has('STOREDIST') ? distance / search.unit : score)
  return storeSet(context, word(args, 0), 'geosearchstore', set)
}

function searchOf(
  context: Context,
  name: 'GEOSEARCH' | 'GEOSEARCHSTORE',
  source: readonly Bytes[],
  words: readonly Bytes[],
): Search {
  const set = sortedSetAt(context, source)
  const search: Search = {
    center: undefined,
    shape: undefined,
    unit: 1,
    order: undefined,
    count: 0,
    any: false,
    wanted: new Set(),
  }
  let from: Bytes | undefined
  let by: Bytes | undefined
  for (let at = 0; at < words.length; at += 1) {
    const left = words.length - at - 1
    const next = () => words[(at += 1)] ?? ''
    const option = word(words, at).toUpperCase()
    if (['WITHDIST', 'WITHHASH', 'WITHCOORD'].includes(option)) search.wanted.add(option)
    else if (option === 'STOREDIST' && name === 'GEOSEARCHSTORE') search.wanted.add(option)
    else if (option === 'ANY') search.any = true
    else if (option === 'ASC' || option === 'DESC') search.order = option
    else if (option === 'COUNT' && left >= 1) search.count = positive(next())
    else if (option === 'FROMMEMBER' && left >= 1 && from !== 'FROMLONLAT')
      [from, search.center] = [option, placeOfMember(set, next())]
    else if (option === 'FROMLONLAT' && left >= 2 && from !== 'FROMMEMBER')
      [from, search.center] = [option, demandPlace(next(), next())]
    else if (option === 'BYRADIUS' && left >= 2 && by !== 'BYBOX') {
      const radius = length(next(), 'radius')
      if (radius < 0) throw new CommandError('ERR radius cannot be negative')
      ;[by, search.unit] = [option, metersOf(next())]
      search.shape = { radius: radius * search.unit }
    } else if (option === 'BYBOX' && left >= 3 && by !== 'BYRADIUS') {
      const [width, height] = [length(next(), 'width'), length(next(), 'height')]
      if (width < 0 || height < 0) throw new CommandError('ERR height or width cannot be negative')
      ;[by, search.unit] = [option, metersOf(next())]
      search.shape = { width: width * search.unit, height: height * search.unit }
    } else throw syntaxError()
  }
  demandWhole(search, name)
  return search
}

function demandWhole({ center, shape, count, any, wanted }: Search, name: Bytes): void {
  if (name === 'GEOSEARCHSTORE' && [...wanted].some((each) => each.startsWith('WITH')))
    throw new CommandError(
      'ERR GEOSEARCHSTORE is not compatible with WITHDIST, WITHHASH and WITHCOORD options',
    )
  if (center === undefined)
    throw new CommandError(`ERR exactly one of FROMMEMBER or FROMLONLAT can be specified for ${name}`)
  if (shape === undefined)
    throw new CommandError(`ERR exactly one of BYRADIUS and BYBOX can be specified for ${name}`)
  if (any && count === 0) throw new CommandError('ERR the ANY argument requires COUNT argument')
}

/** Searches one cell after the other, and orders what is there. */
function found(context: Context, source: readonly Bytes[], search: Search): readonly Found[] {
  const { center, shape, count, any } = search
  if (center === undefined || center === 'nowhere' || shape === undefined) return []
  const set = sortedSetAt(context, source)
  const area: Area = { center, shape }
  const all = cellsOf(area).flatMap((cell) => {
    const [min, max] = scoresOf(cell)
    return set.within({ min, max, minExclusive: false, maxExclusive: true }).flatMap(({ member, score }) => {
      const distance = distanceWithin(area, placeOf(score))
      return distance === undefined ? [] : [{ member, score, distance }]
    })
  })
  const some = any ? all.slice(0, count) : all
  const ordered = inOrder(some, search)
  return count === 0 ? ordered : ordered.slice(0, count)
}

/** The nearest are wanted where it is said how many. */
function inOrder(all: readonly Found[], { order, count, any }: Search): readonly Found[] {
  const wanted = order ?? (count > 0 && !any ? 'ASC' : undefined)
  if (wanted === undefined) return all
  const sign = wanted === 'ASC' ? 1 : -1
  return all.toSorted((one, other) => sign * (one.distance - other.distance))
}

/** Without the set, every member is nowhere. */
function placeOfMember(set: SortedSet, member: Bytes): Place | 'nowhere' {
  if (set.size === 0) return 'nowhere'
  const score = set.scoreOf(member)
  if (score === undefined) throw new CommandError('ERR could not decode requested zset member')
  return placeOf(score)
}

function demandPlace(longitude: Bytes, latitude: Bytes): Place {
  const place = { longitude: demandDouble(longitude), latitude: demandDouble(latitude) }
  if (isOnMap(place)) return place
  const shown = [place.longitude, place.latitude].map(sixDigits).join(',')
  throw new CommandError(`ERR invalid longitude,latitude pair ${shown}`)
}

function length(text: Bytes, name: Bytes): number {
  return demandDouble(text, `ERR need numeric ${name}`)
}

function positive(text: Bytes): number {
  const count = demandCount(text)
  if (count <= 0) throw new CommandError('ERR COUNT must be > 0')
  return count
}

function metersOf(unit: Bytes): number {
  const meters = METERS.get(unit.toLowerCase())
  if (meters === undefined) throw new CommandError('ERR unsupported unit provided. please use M, KM, FT, MI')
  return meters
}

function coordinates({ longitude, latitude }: Place): Reply {
  return [longitude, latitude].map((degrees) => degrees.toFixed(17).replace(/\.?0+$/, ''))
}

/** Four digits of a fraction, rounded to the even one. */
function distanceText(distance: number): Bytes {
  const scaled = distance * 10_000
  const below = Math.floor(scaled)
  const isHalf = scaled - below === 0.5
  const rounded = isHalf ? below + (below % 2) : Math.round(scaled)
  const digits = String(rounded).padStart(5, '0')
  return `${digits.slice(0, -4)}.${digits.slice(-4)}`
}

function sixDigits(degrees: number): Bytes {
  if (Number.isFinite(degrees)) return degrees.toFixed(6)
  return degrees > 0 ? 'inf' : '-inf'
}
