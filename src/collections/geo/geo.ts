import type { GeoEntry, GeoPosition, GeoSearchOptions, GeoUnit, RGeo } from './geo.api.js'
import type { PlainCommand } from '../../command/operation/command.js'
import type { Argument } from '../../connection/connection.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import type { ValueSettings } from '../../core/arguments/object-settings.js'
import { ANY_NUMBER, demandNoMore, refuseSurplus } from '../../core/arguments/options.js'
import { sendInTurn } from '../../core/context/parts.js'
import { MOST_ENTRIES } from '../../core/arguments/scan-settings.js'
import { demandSupported } from '../../core/unsupported.js'
import { repliedWords } from '../../errors/lasting-failure.js'
import { CommandError } from '../../errors/reply-errors.js'
import { NoSuchMemberError } from './geo.errors.js'
import { chunk } from '../../util/collections/chunk.js'
import { mapInTurns } from '../../util/map-in-turns.js'
import { sumOf } from '../../util/collections/sum-of.js'
import type { KeyWaiters } from '../../waiting/key-waiters.js'
import { RedissonScoredSortedSet } from '../scored-sorted-set/scored-sorted-set.js'
import { ValueCodec } from '../shared/value-codec.js'
import { checkedUnit, entryArguments, positionArguments, type EntryArguments } from './geo-entries.js'
import { searchClauses } from './geo-search.js'
import * as commands from './geo.commands.js'
import * as scripts from './geo.scripts.js'

/** What a program may have meant by a further argument. */
const ONE_MEMBER = 'several members are entries with longitude, latitude and member'
const BY_OPTIONS = 'everything about a search is an option'

/** What Redis says where the center of an area is a member that is not there. */
const NO_SUCH_MEMBER = 'could not decode requested zset member'

/** The commands that put one member at a place, and those that put many at theirs. */
type AddCommand = (typeof commands)['add' | 'tryAdd']
type AddAllCommand = (typeof commands)['addAll' | 'tryAddAll']

/** What a method was given that adds: entries, a place and its member, or a score and its value. */
type Given = readonly unknown[]

/** Members and where they are: a scored sorted set whose scores are geohashes. */
export class RedissonGeo<V> extends RedissonScoredSortedSet<V> implements RGeo<V> {
  static {
    refuseSurplus(this, {
      add: ANY_NUMBER,
      tryAdd: ANY_NUMBER,
      addIfExists: ANY_NUMBER,
      dist: 'it is about two members',
      hash: ANY_NUMBER,
      pos: ANY_NUMBER,
      search: BY_OPTIONS,
      searchWithDistance: BY_OPTIONS,
      searchWithPosition: BY_OPTIONS,
      storeSearchTo: BY_OPTIONS,
      storeSortedSearchTo: BY_OPTIONS,
    })
  }

  readonly #codec: ValueCodec<V>
  readonly #encode = (member: V): Argument => this.#codec.encode(member)

  constructor(context: ObjectContext, name: string, settings: ValueSettings<V>, waiters: KeyWaiters) {
    super(context, name, settings, waiters)
    this.#codec = new ValueCodec(name, settings.codec, 'remove() removes a member')
  }

  override add(longitude: number, latitude: number, member: V): Promise<boolean>
  override add(score: number, value: V): Promise<boolean>
  override add(...entries: readonly GeoEntry<V>[]): Promise<number>
  override async add(...given: Given): Promise<boolean | number> {
    if (areEntries(given)) return await this.#addAll(commands.addAll, given)
    if (isScored(given)) return await super.add(...(given as [number, V]))
    return await this.#add(commands.add, given)
  }

  tryAdd(longitude: number, latitude: number, member: V): Promise<boolean>
  tryAdd(...entries: readonly GeoEntry<V>[]): Promise<number>
  async tryAdd(...given: Given): Promise<boolean | number> {
    if (areEntries(given)) return await this.#addAll(commands.tryAddAll, given)
    return await this.#add(commands.tryAdd, given)
  }

  override addIfExists(longitude: number, latitude: number, member: V): Promise<boolean>
  override addIfExists(score: number, value: V): Promise<boolean>
  override addIfExists(...entries: readonly GeoEntry<V>[]): Promise<number>
  override async addIfExists(...given: Given): Promise<boolean | number> {
    if (areEntries(given)) return await this.#addAllIfExist(given)
    if (isScored(given)) return await super.addIfExists(...(given as [number, V]))
    const entry = this.#entryOf(given)
    return await this.ask(scripts.addIfExists, { entries: entry })
  }

  async dist(firstMember: V, secondMember: V, unit: GeoUnit): Promise<number | undefined> {
    const [first, second] = [this.#codec.encode(firstMember), this.#codec.encode(secondMember)]
    return await this.ask(commands.distance, { first, second, unit: checkedUnit(unit) })
  }

  async hash(...members: readonly V[]): Promise<Map<V, string>> {
    return await this.#ofEach(commands.hashes, members)
  }

  async pos(...members: readonly V[]): Promise<Map<V, GeoPosition>> {
    return await this.#ofEach(commands.positions, members)
  }

  async search(options: GeoSearchOptions<V>): Promise<V[]> {
    return await this.#codec.decodeAll(await this.#search(commands.search, options))
  }

  async searchWithDistance(options: GeoSearchOptions<V>): Promise<Map<V, number>> {
    return await this.#byMember(await this.#search(commands.searchWithDistance, options))
  }

  async searchWithPosition(options: GeoSearchOptions<V>): Promise<Map<V, GeoPosition>> {
    return await this.#byMember(await this.#search(commands.searchWithPosition, options))
  }

  async storeSearchTo(destination: string, options: GeoSearchOptions<V>): Promise<number> {
    const target = this.keyInSlot(destination)
    const command = target === this.key ? commands.replaceBySearch : commands.storeSearch
    return await this.#store(command, target, options)
  }

  async storeSortedSearchTo(destination: string, options: GeoSearchOptions<V>): Promise<number> {
    const target = this.keyInSlot(destination)
    const command = target === this.key ? commands.replaceBySortedSearch : commands.storeSortedSearch
    return await this.#store(command, target, options)
  }

  async #add(command: AddCommand, given: Given): Promise<boolean> {
    const [longitude, latitude, member] = this.#entryOf(given)
    return await this.ask(command, { longitude, latitude, member })
  }

  async #addAll(command: AddAllCommand, entries: Given): Promise<number> {
    return await this.#inParts(entries, (part) => this.ask(command, { entries: part }))
  }

  async #addAllIfExist(entries: Given): Promise<number> {
    return await this.#inParts(entries, (part) => this.ask(scripts.addAllIfExist, { entries: part }))
  }

  /** Sends some entries at a time, one part after the other. Returns the sum of the replies. */
  async #inParts(entries: Given, send: (part: readonly Argument[]) => Promise<number>): Promise<number> {
    const parts = chunk(
      entries.map((entry) => entryArguments(entry as GeoEntry<V>, this.#encode)),
      MOST_ENTRIES,
    )
    const what = `Adding more than ${String(MOST_ENTRIES)} members`
    return sumOf(await sendInTurn(this.requests, what, parts, (part) => send(part.flat()), 'always'))
  }

  /** What is known of each member; without those of which nothing is. */
  async #ofEach<R>(
    command: PlainCommand<'geo', '...members', (R | undefined)[]>,
    members: readonly V[],
  ): Promise<Map<V, R>> {
    const parts = chunk(this.#codec.encodeAll(members), MOST_ENTRIES)
    const found = await Promise.all(parts.map((part) => this.ask(command, { members: part })))
    const known = found.flat()
    return new Map(
      members.flatMap((member, place) => {
        const each = known[place]
        return each === undefined ? [] : [[member, each] as const]
      }),
    )
  }

  async #search<R>(
    command: PlainCommand<'geo', '...clauses' | 'WITHDIST' | 'WITHCOORD', R>,
    options: GeoSearchOptions<V>,
  ): Promise<R> {
    return await this.#found(this.ask(command, { clauses: searchClauses(options, this.#encode) }))
  }

  async #store(
    command: PlainCommand<'target' | 'geo', '...clauses' | 'STOREDIST', number>,
    target: string,
    options: GeoSearchOptions<V>,
  ): Promise<number> {
    const call = { keys: { target, geo: this.key }, args: { clauses: searchClauses(options, this.#encode) } }
    return await this.#found(this.requests.run(command, call))
  }

  /** @throws {@link NoSuchMemberError} where the center is a member that is not there */
  async #found<R>(searched: Promise<R>): Promise<R> {
    try {
      return await demandSupported(searched, 'Searching', 'Redis 6.2')
    } catch (error) {
      if (error instanceof CommandError && repliedWords(error).includes(NO_SUCH_MEMBER))
        throw new NoSuchMemberError(this.name, { cause: error, mayHaveRun: error.mayHaveRun })
      throw error
    }
  }

  #entryOf([longitude, latitude, member, surplus]: Given): EntryArguments {
    demandNoMore(surplus, ONE_MEMBER)
    const position = positionArguments({ longitude: longitude as number, latitude: latitude as number })
    return [position.longitude, position.latitude, this.#encode(member as V)]
  }

  async #byMember<R>(found: readonly (readonly [Buffer, R])[]): Promise<Map<V, R>> {
    return new Map(await mapInTurns(found, ([member, each]) => [this.#codec.decode(member), each] as const))
  }
}

/** None are entries, too: there is nothing to do. */
function areEntries(given: Given): boolean {
  return given.length === 0 || typeof given[0] === 'object'
}

/** Whether it is a score and a value, as a scored sorted set takes them. */
function isScored(given: Given): boolean {
  return given.length < 3
}
