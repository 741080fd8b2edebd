import type { RScoredSortedSet } from '../scored-sorted-set/scored-sorted-set.api.js'

/** A unit of lengths: meters, kilometers, miles or feet. */
export type GeoUnit = 'm' | 'km' | 'mi' | 'ft'

/** A place on earth, in degrees. */
export interface GeoPosition {
  /** From −180 to 180; to the east of Greenwich it is positive. 180 is stored as −180, which is the same meridian. */
  readonly longitude: number
  /** From −85.05112878 to 85.05112878; to the north of the equator it is positive. Redis has no places nearer to the poles. */
  readonly latitude: number
}

/** A member and where it is. */
export interface GeoEntry<V> extends GeoPosition {
  /** Anything that the codec can write. */
  readonly member: V
}

/** A member by which a place is meant: the one where it is. */
export interface GeoMember<V> {
  /** A member of the geo that is searched. The search also finds it. */
  readonly member: V
}

/** A rectangle around the center of a search, whose sides run along meridians and parallels. */
export interface GeoBox {
  /** From west to east, in the unit of the search. */
  readonly width: number
  /** From south to north, in the unit of the search. */
  readonly height: number
}

/** The area of a search: a circle or a rectangle. */
export type GeoArea =
  | {
      /** How far from the center members may be, in the unit of the search. */
      readonly radius: number
      /** Left out: the area is a circle. */
      readonly box?: undefined
    }
  | {
      /** Left out: the area is a rectangle. */
      readonly radius?: undefined
      /** The rectangle in which members are found. */
      readonly box: GeoBox
    }

/** How many members are found at most. */
export type GeoCount =
  | {
      /**
       * How many members there are at most: the nearest, or the farthest if `order` is `DESC`.
       *
       * @defaultValue as many as there are
       */
      readonly count?: number | undefined
      /** Left out: the nearest or the farthest are wanted. */
      readonly countAny?: undefined
    }
  | {
      /** Left out: any are wanted. */
      readonly count?: undefined
      /**
       * How many members there are at most: any of them. Redis ends the search as soon as it has found this number of them, which is faster in
       * an area that has a great many. `order` is that of those which were found.
       *
       * @defaultValue as many as there are
       */
      readonly countAny?: number | undefined
    }

/**
 * Options of a search.
 *
 * @example
 * ```ts
 * const near: GeoSearchOptions<string> = { from: { longitude: 15, latitude: 37 }, radius: 200, unit: 'km', order: 'ASC' }
 * const around: GeoSearchOptions<string> = { from: { member: 'Palermo' }, box: { width: 300, height: 200 }, unit: 'mi', count: 10 }
 * ```
 */
export type GeoSearchOptions<V> = GeoArea &
  GeoCount & {
    /** Where the area has its center: at a place, or where a member is. */
    readonly from:
      | (GeoPosition & Partial<Record<'member', never>>)
      | (GeoMember<V> & Partial<Record<keyof GeoPosition, never>>)
    /** The unit of all lengths: of the radius, of the box and of the distances that come back. */
    readonly unit: GeoUnit
    /**
     * Whether the nearest or the farthest comes first.
     *
     * @defaultValue none; `ASC` with `count`
     */
    readonly order?: 'ASC' | 'DESC' | undefined
  }

/**
 * Members and their places, shared by all clients of the same servers, in Node and in Java. It finds nearby
 * members: shops, couriers, players.
 *
 * In Redis it is a sorted set. The score of a member is its place, as a geohash of 52 bits. It also has all
 * methods of {@link RScoredSortedSet}; a score that they set is read as some place.
 *
 * A place loses precision when it is stored: reads return the center of a cell, up to 35 cm away from the
 * stored place. Distances are those on a sphere (haversine), with an error of up to 0.5 %, as the earth is
 * not a sphere.
 *
 * Members are compared by their encoded bytes. `undefined` is no member: it means that there is none.
 *
 * Each method takes one round trip and O(log n) for each member, unless it says something else. Reads may be
 * sent to replicas, if `readMode` says so, and are sent again if their reply is lost. So are `add` and
 * `addIfExists` of one member, and searches that are stored under another name, which have the same effect if
 * they run twice. They may then overwrite what another client has written in between. A call rejects if its
 * result no longer shows which client has made the change. `tryAdd`, calls with several entries, and searches
 * that are stored under the name of the geo itself are not sent again. Such a call rejects, and its error has
 * `mayHaveRun`. With `exactlyOnce` all of them are sent again, and each takes effect once.
 *
 * All methods reject with a {@link WrongTypeError} if the name belongs to another kind of object. They reject
 * with a {@link CodecError} if the codec cannot write a value (then nothing was sent) or read one.
 *
 * @example
 * ```ts
 * const cities = client.getGeo<string>('cities')
 * await cities.add(13.361389, 38.115556, 'Palermo')
 * await cities.add(15.087269, 37.502669, 'Catania')
 * console.log(await cities.dist('Palermo', 'Catania', 'km')) // 166.2742
 * console.log(await cities.search({ from: { longitude: 15, latitude: 37 }, radius: 100, unit: 'km' })) // [ 'Catania' ]
 * ```
 */
export interface RGeo<V> extends RScoredSortedSet<V> {
  /**
   * Puts a member at a place, or moves it there. Returns whether it is new.
   *
   * If its reply is lost, a copy adds the member again that another client has removed meanwhile, unless the geo was made with `exactlyOnce`.
   *
   * @param longitude - comes first, as in Redis and in Redisson: from −180 to 180
   * @param latitude - from −85.05112878 to 85.05112878
   * @throws RangeError for what is outside of that, and TypeError for what is no number, and for `undefined` as member; nothing is sent then
   */
  add(longitude: number, latitude: number, member: V): Promise<boolean>

  /** Gives the value a score: see {@link RScoredSortedSet.add}. */
  add(score: number, value: V): Promise<boolean>

  /**
   * Puts members at places. Returns how many are new. Of a member that comes twice, the last place counts.
   *
   * One request for each 5 000 entries, one after the other: each of them takes effect as one step, but not
   * all of them together. Everything is checked and written by the codec before the first is sent. If the
   * call rejects, the requests before the failed one have taken effect, and its error has `mayHaveRun` if
   * they have changed something.
   *
   * @param entries - JavaScript hands over some 100 000 of them at a time
   * @throws `TypeError` and `RangeError` as for one member; nothing is sent then
   * @example
   * ```ts
   * const shops = client.getGeo<string>('shops')
   * await shops.add(
   *   { longitude: 13.4, latitude: 52.5, member: 'Berlin' },
   *   { longitude: 9.99, latitude: 53.55, member: 'Hamburg' },
   * )
   * ```
   */
  add(...entries: readonly GeoEntry<V>[]): Promise<number>

  /** Puts a member at a place if it is not there; one that is there stays where it is. Returns whether it was added. It is not sent again. */
  tryAdd(longitude: number, latitude: number, member: V): Promise<boolean>

  /** Puts those members at their places that are not there. Returns how many. Requests are as those of `add`. */
  tryAdd(...entries: readonly GeoEntry<V>[]): Promise<number>

  /**
   * Moves a member to a place if it is there. Returns whether it is there, even if it was already at that
   * place.
   */
  addIfExists(longitude: number, latitude: number, member: V): Promise<boolean>

  /** Gives the value this score if it is there. Returns whether its score has changed: see {@link RScoredSortedSet.addIfExists}. */
  addIfExists(score: number, value: V): Promise<boolean>

  /** Moves those members to their places that are there. Returns how many are there; one that comes twice counts twice. Requests are as those of `add`. */
  addIfExists(...entries: readonly GeoEntry<V>[]): Promise<number>

  /**
   * Returns the distance of two members, with four digits of a fraction; undefined if one of them is not
   * there. O(1).
   *
   * @throws TypeError for what is no unit
   */
  dist(firstMember: V, secondMember: V, unit: GeoUnit): Promise<number | undefined>

  /**
   * The [geohashes](https://en.wikipedia.org/wiki/Geohash) of members, of 11 characters, by member; without those that are not there. The last one is always `0`, as there are 52 bits. O(1) for each, one request for
   * each 5 000.
   */
  hash(...members: readonly V[]): Promise<Map<V, string>>

  /**
   * Returns the places of members, by member; without those that are not there. O(1) for each, one request
   * for each 5 000.
   *
   * What comes back is up to 35 cm away from what was given.
   *
   * @example
   * ```ts
   * const shops = client.getGeo<string>('shops')
   * await shops.add(13.4, 52.5, 'Berlin')
   * console.log(await shops.pos('Berlin', 'none')) // Map(1) { 'Berlin' => { longitude: 13.400002419948578, latitude: 52.50000012061963 } }
   * ```
   */
  pos(...members: readonly V[]): Promise<Map<V, GeoPosition>>

  /**
   * Returns the members in an area. They come in no order, unless `order` or `count` is given.
   *
   * One request, however many there are. O(n + log m) for n members in the squares around the area, which Redis looks at, and m in the area. Without a geo of that name there are none.
   *
   * @throws {@link NoSuchMemberError} if the center is a member that is not there, and others are
   * @throws {@link UnsupportedCommandError} before Redis 6.2
   * @throws `TypeError` or `RangeError` for options that are unknown or wrong, or for a place that there is not; nothing is sent then
   * @example
   * ```ts
   * const couriers = client.getGeo<string>('couriers')
   * await couriers.add(13.4, 52.5, 'Ada')
   * const nearest = await couriers.search({ from: { longitude: 13.38, latitude: 52.52 }, radius: 5, unit: 'km', count: 3 })
   * ```
   */
  search(options: GeoSearchOptions<V>): Promise<V[]>

  /** Returns the result of {@link RGeo.search}, with the distance of each member from the center, with four digits of a fraction. The map has the order of the search. */
  searchWithDistance(options: GeoSearchOptions<V>): Promise<Map<V, number>>

  /** Returns the result of {@link RGeo.search}, with the place of each member. The map has the order of the search. */
  searchWithPosition(options: GeoSearchOptions<V>): Promise<Map<V, GeoPosition>>

  /**
   * Stores the members in an area under another name, as a geo, and replaces what is there. Returns how many there are; without any, nothing is there afterwards.
   *
   * O(n log m) for n members in the squares around the area and m in the area.
   *
   * Under the name of this geo it replaces its members, and is not sent again.
   *
   * @param destination - may be the name of this geo
   * @throws {@link CrossSlotError} if the name belongs to another slot of the cluster; nothing is sent then
   * @throws {@link NoSuchMemberError} as for {@link RGeo.search}; nothing was changed then, unless it has `mayHaveRun`
   * @example
   * ```ts
   * const couriers = client.getGeo<string>('{couriers}:all')
   * await couriers.add(13.4, 52.5, 'Ada')
   * await couriers.storeSearchTo('{couriers}:north', { from: { longitude: 13.4, latitude: 52.6 }, box: { width: 40, height: 25 }, unit: 'km' })
   * ```
   */
  storeSearchTo(destination: string, options: GeoSearchOptions<V>): Promise<number>

  /**
   * The same, but what is stored are the distances from the center, in the unit of the search: a {@link RScoredSortedSet} that begins with the nearest. See {@link RGeo.storeSearchTo}.
   *
   * Under the name of this geo it replaces the places by distances.
   */
  storeSortedSearchTo(destination: string, options: GeoSearchOptions<V>): Promise<number>
}
