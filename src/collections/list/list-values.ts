import type { ListWalkOptions } from './list.api.js'
import { demandTurns, FROM_ANY_NODE, type RunOptions } from '../../command/operation/command-executor.js'
import type { Argument } from '../../connection/connection.js'
import { wholeNumber } from '../../core/arguments/arguments.js'
import type { ValueSettings } from '../../core/arguments/object-settings.js'
import { known, optionsOf, refuseSurplus } from '../../core/arguments/options.js'
import { checkedScan, MOST_ENTRIES } from '../../core/arguments/scan-settings.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import { IN_TURN, sendParts } from '../../core/context/parts.js'
import { OBJECT_EVENTS, type EventSources } from '../../core/object-events.js'
import { FIRST_CURSOR, walk, type Page } from '../../core/pages.js'
import { RedissonExpirable } from '../../core/redisson-expirable.js'
import type { ObjectKind } from '../../core/redisson-object.js'
import { demandSupported } from '../../core/unsupported.js'
import { chunk } from '../../util/collections/chunk.js'
import { identityOf } from '../shared/identity-of.js'
import { ValueCodec } from '../shared/value-codec.js'
import * as commands from './list.commands.js'
import { listPage } from './list-page.js'
import * as scripts from './list.scripts.js'

const EVENTS = {
  ...OBJECT_EVENTS,
  added: { names: ['rpush', 'lpush'], flag: 'l' },
  inserted: { names: ['linsert'], flag: 'l' },
  set: { names: ['lset'], flag: 'l' },
  removed: { names: ['lrem', 'lpop', 'rpop'], flag: 'l' },
  trimmed: { names: ['ltrim'], flag: 'l' },
} as const

const WALK = known<ListWalkOptions>({ count: true, onInvalid: true, signal: true })

const ONE_LIST = 'the values are one list'

/** What lists and queues have in common: the values of a list of Redis, wherever they are added and removed. */
export abstract class RedissonListValues<V> extends RedissonExpirable implements AsyncIterable<V> {
  static {
    refuseSurplus(this, {
      removeAll: ONE_LIST,
      retainAll: ONE_LIST,
      contains: 'containsAll() looks for several values',
      containsAll: ONE_LIST,
      indexOf: 'it looks at the whole list',
      readAll: 'range() reads a part',
      values: 'a signal is an option',
    })
  }

  /** Is not shown with the object: a codec of the program may have a key. */
  readonly #codec: ValueCodec<V>

  /** @param values - what a program may have meant by `undefined`; or what makes elements of values, where they are not the encoded bytes */
  constructor(
    context: ObjectContext,
    name: string,
    { codec, run }: ValueSettings<V>,
    values: string | ValueCodec<V>,
  ) {
    super(context, name, { codec, run })
    this.#codec = typeof values === 'string' ? new ValueCodec(name, codec, values) : values
  }

  async remove(value: V, count?: number): Promise<boolean> {
    return (await this.removeEqual(occurrences(count), this.#codec.encode(value))) > 0
  }

  async removeAll(values: Iterable<V>): Promise<boolean> {
    return await this.#removeAll(this.inRequests('removeAll()', values))
  }

  async retainAll(values: Iterable<V>): Promise<boolean> {
    const wanted = this.#codec.encodeAll(values)
    if (wanted.length === 0) return await this.removeElements()
    if (wanted.length > MOST_ENTRIES) return await this.#retainMany(wanted)
    return await this.retainSome(wanted)
  }

  async contains(value: V): Promise<boolean> {
    return (await this.indexBy(1, value)) >= 0
  }

  async containsAll(values: Iterable<V>): Promise<boolean> {
    const found = await Promise.all(
      chunk(this.#codec.encodeAll(values), MOST_ENTRIES).map((part) =>
        this.ask(this.searches.containsAll, { values: part }),
      ),
    )
    return !found.includes(false)
  }

  async indexOf(value: V): Promise<number> {
    return await this.indexBy(1, value)
  }

  async size(): Promise<number> {
    return await this.ask(commands.size)
  }

  async isEmpty(): Promise<boolean> {
    return (await this.size()) === 0
  }

  async clear(): Promise<void> {
    await this.removeElements()
  }

  async readAll(): Promise<V[]> {
    return await this.rangeOf(0, -1)
  }

  values(options?: ListWalkOptions): AsyncIterable<V> {
    const settings = checkedScan(optionsOf(options, WALK))
    return walk(
      (cursor) => this.#pageAt(Number(cursor), settings.count),
      (element) => this.#codec.decode(element),
      settings,
    )
  }

  [Symbol.asyncIterator](): AsyncIterator<V> {
    return this.values()[Symbol.asyncIterator]()
  }

  protected override get reading(): RunOptions {
    return FROM_ANY_NODE
  }

  protected override get events(): EventSources {
    return EVENTS
  }

  protected override get kind(): ObjectKind {
    return 'list'
  }

  /** What looks for many values. */
  protected get searches(): Pick<typeof scripts, 'containsAll' | 'removeAll' | 'retainAll'> {
    return scripts
  }

  protected get valueCodec(): ValueCodec<V> {
    return this.#codec
  }

  /** The values between two indexes, which are included. */
  protected async rangeOf(from: number, to: number): Promise<V[]> {
    return await this.#codec.decodeAll(await this.ask(commands.range, { from, to }))
  }

  /** Removes all values, and nothing else that belongs to the object. Returns whether there were any. */
  protected async removeElements(): Promise<boolean> {
    return await this.delete()
  }

  /** Removes that many elements which have a value, from the back for a number below zero. Returns how many there were. */
  protected async removeEqual(count: number, value: Argument): Promise<number> {
    return await this.ask(commands.remove, { count, value })
  }

  /** Removes all elements that have one of the values of one request. Returns whether there were any. */
  protected async removeSome(values: readonly Argument[]): Promise<boolean> {
    return await this.ask(this.searches.removeAll, { values })
  }

  /** Removes all elements that have none of the values of one request. Returns whether there were any. */
  protected async retainSome(values: readonly Argument[]): Promise<boolean> {
    return await this.ask(this.searches.retainAll, { values })
  }

  /** Adds values at the end, by as many requests as they need. Returns whether there were any. */
  protected async appendAll(values: Iterable<V>): Promise<boolean> {
    const parts = this.inRequests('addAll()', values)
    await sendParts(parts, (part) => this.ask(commands.add, { values: part }), IN_TURN)
    return parts.length > 0
  }

  /** The values as they are sent, in as many requests as they need. */
  protected inRequests(what: string, values: Iterable<V>): Argument[][] {
    const parts = chunk(this.#codec.encodeAll(values), MOST_ENTRIES)
    if (parts.length > 1) demandTurns(this.requests, `${what} of more than ${MOST_ENTRIES} values`)
    return parts
  }

  /** The index of the first element that has the value, for rank 1, or of the last, for rank -1; -1 if there is none. */
  protected async indexBy(rank: 1 | -1, value: V): Promise<number> {
    const found = this.ask(commands.indexOf, { value: this.#codec.encode(value), rank })
    return (await demandSupported(found, 'Looking for an element', 'Redis 6.0.6')) ?? -1
  }

  async #removeAll(parts: readonly (readonly Argument[])[]): Promise<boolean> {
    return (await sendParts(parts, (values) => this.removeSome(values), IN_TURN)).includes(true)
  }

  /** One request cannot be given all that is wanted, but several can be given all that is not. */
  async #retainMany(wanted: readonly Argument[]): Promise<boolean> {
    demandTurns(this.requests, `retainAll() of more than ${MOST_ENTRIES} values`)
    const unwanted = new Map<string, Buffer>()
    let from = 0
    let next: string
    do {
      const [cursor, elements] = await this.#pageAt(from, MOST_ENTRIES)
      for (const value of elements.map((element) => this.#codec.comparedBy(element)))
        unwanted.set(identityOf(value), value)
      next = cursor
      from = Number(cursor)
    } while (next !== FIRST_CURSOR)
    for (const value of wanted) unwanted.delete(identityOf(value))
    return await this.#removeAll(chunk([...unwanted.values()], MOST_ENTRIES))
  }

  #pageAt(from: number, count: number): Promise<Page<Buffer>> {
    return listPage(this.requests, { from, count })
  }
}

/** @throws RangeError also for 0: Redis removes all then, and a program that has computed it means none */
function occurrences(count = 1): number {
  if (wholeNumber('count', count) !== 0) return count
  throw new RangeError('Expected `count` not to be 0: removeAll() removes all that have a value')
}
