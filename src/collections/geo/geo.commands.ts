import type { GeoPosition } from './geo.api.js'
import { defineCommand } from '../../command/operation/command.js'
import {
  boolean,
  bytes,
  double,
  integer,
  list,
  nullable,
  text,
  tuple,
  type Decoder,
} from '../../command/operation/replies.js'

const geo = ['geo'] as const
const stored = ['target', 'geo'] as const

const coordinates = tuple(double, double)

const position: Decoder<GeoPosition> = (reply) => {
  const [longitude, latitude] = coordinates(reply)
  return { longitude, latitude }
}

/** How many are new. A copy of it would count less. A longitude, its latitude and its member belong together. */
const many = { keys: geo, reply: integer, repeat: 'counting', addsUp: true } as const

/** Whether the member is new. A copy of it that finds the member cannot know which client has added it. */
export const add = defineCommand('GEOADD', {
  keys: geo,
  args: ['longitude', 'latitude', 'member'],
  reply: boolean,
  repeat: 'idempotent',
  unchanged: false,
})

/** Whether the member was added. A copy of it would add it again where another client has removed it meanwhile. */
export const tryAdd = defineCommand('GEOADD', {
  keys: geo,
  args: ['NX', 'longitude', 'latitude', 'member'],
  reply: boolean,
  repeat: 'counting',
})

export const addAll = defineCommand('GEOADD', { ...many, args: ['...entries'] })
export const tryAddAll = defineCommand('GEOADD', { ...many, args: ['NX', '...entries'] })

export const distance = defineCommand('GEODIST', {
  keys: geo,
  args: ['first', 'second', 'unit'],
  reply: nullable(double),
  repeat: 'safe',
})

export const hashes = defineCommand('GEOHASH', {
  keys: geo,
  args: ['...members'],
  reply: list(nullable(text)),
  repeat: 'safe',
})

export const positions = defineCommand('GEOPOS', {
  keys: geo,
  args: ['...members'],
  reply: list(nullable(position)),
  repeat: 'safe',
})

const searching = { keys: geo, repeat: 'safe' } as const

export const search = defineCommand('GEOSEARCH', { ...searching, args: ['...clauses'], reply: list(bytes) })

export const searchWithDistance = defineCommand('GEOSEARCH', {
  ...searching,
  args: ['WITHDIST', '...clauses'],
  reply: list(tuple(bytes, double)),
})

export const searchWithPosition = defineCommand('GEOSEARCH', {
  ...searching,
  args: ['WITHCOORD', '...clauses'],
  reply: list(tuple(bytes, position)),
})

const storing = { keys: stored, args: ['...clauses'], reply: integer } as const
const storingDistances = { keys: stored, args: ['STOREDIST', '...clauses'], reply: integer } as const

/** The size of what was stored. */
export const storeSearch = defineCommand('GEOSEARCHSTORE', { ...storing, repeat: 'idempotent' })
export const storeSortedSearch = defineCommand('GEOSEARCHSTORE', {
  ...storingDistances,
  repeat: 'idempotent',
})

/** The same in the place of what is searched. A copy of it may lack the member at the center, or take distances for places. */
export const replaceBySearch = defineCommand('GEOSEARCHSTORE', { ...storing, repeat: 'counting' })
export const replaceBySortedSearch = defineCommand('GEOSEARCHSTORE', {
  ...storingDistances,
  repeat: 'counting',
})
