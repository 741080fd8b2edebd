import type { RPriorityQueue } from './priority-queue.api.js'
import type { QueueMoveOptions } from '../queue/queue.api.js'
import * as list from '../../collections/list/list.commands.js'
import { listPage } from '../../collections/list/list-page.js'
import { RedissonListValues } from '../../collections/list/list-values.js'
import type { EntryRooms } from '../../collections/shared/entry-objects.js'
import { identityOf } from '../../collections/shared/identity-of.js'
import { pollCount } from '../../collections/shared/polling.js'
import { Changes, type Change } from '../../collections/sorted-set/changes.js'
import {
  demandComparable,
  ElementCodec,
  isNoneOf,
  type Elements,
  type Form,
} from '../../collections/sorted-set/elements.js'
import type { SortedValue } from '../../collections/sorted-set/sorted-set.api.js'
import { demandTurns } from '../../command/operation/command-executor.js'
import type { ValueSettings } from '../../core/arguments/object-settings.js'
import { ANY_NUMBER, demandNoMore, refuseSurplus } from '../../core/arguments/options.js'
import { MOST_ENTRIES } from '../../core/arguments/scan-settings.js'
import { priorityQueueComparator, sortedSetLock } from '../../core/context/names.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import { valuesOf } from '../../core/entries.js'
import { OBJECT_EVENTS, type EventSources } from '../../core/object-events.js'
import { pagesOf } from '../../core/pages.js'
import type { ObjectKeys } from '../../core/redisson-object.js'
import type { End } from '../blocking-queue/elements.js'
import { queueMove } from '../queue/queue.js'
import { NoSuchElementError } from '../shared/queue.errors.js'
import { PriorityEnds, type JavaLock } from './priority-ends.js'
import * as scripts from './priority-queue.scripts.js'

const EVENTS = {
  ...OBJECT_EVENTS,
  added: { names: ['rpush', 'linsert', 'lpush'], flag: 'l' },
  removed: { names: ['lrem', 'lpop', 'rpop', 'ltrim'], flag: 'l' },
} as const

const ONE_VALUE = 'addAll() adds several values'

const adding: Change = (requests, args, keys) => requests.ask(scripts.add, args, keys)

/** Removes the first or the last of equal elements, or every one of them. */
export function removing(which: End | 'every'): Change {
  return (requests, args, keys) => requests.ask(scripts.remove, { ...args, which }, keys)
}

/** Texts or numbers in their natural order, equal ones in the order in which they were added: a list that is kept sorted. */
export class RedissonPriorityQueue<V extends SortedValue>
  extends RedissonListValues<V>
  implements RPriorityQueue<V>
{
  static {
    refuseSurplus(this, {
      add: ONE_VALUE,
      addAll: 'the values are one list',
      offer: ONE_VALUE,
      poll: 'it has one count',
      remove: ANY_NUMBER,
      pollLastAndOfferFirstTo: 'it is one other queue',
      move: 'a move has one object of options',
    })
  }

  readonly #elements: ElementCodec<V>
  readonly #changes: Changes
  readonly #ends: PriorityEnds

  constructor(context: ObjectContext, name: string, settings: ValueSettings<V>, rooms: EntryRooms) {
    super(context, name, settings, 'poll() removes the head')
    const { requests } = this
    const comparator = priorityQueueComparator(this.key)
    const lock = this.#javaLock(context)
    const elements = new ElementCodec(settings.codec, name)
    const formOf = (values: readonly Buffer[]) => formIn(elements, values)
    const ends = new PriorityEnds({ requests, rooms, lock, comparator, formOf })
    this.#elements = elements
    this.#ends = ends
    this.#changes = new Changes({ requests, name, turns: ends.turns, comparator, lock: lock.key })
  }

  async add(value: V): Promise<boolean> {
    return (await this.#changes.make(adding, this.#elements.encode([value]))) > 0
  }

  async addAll(values: Iterable<V>): Promise<boolean> {
    return (await this.#changes.makeInParts(adding, 'addAll()', this.#encodeAll(values))) > 0
  }

  async offer(value: V): Promise<boolean> {
    return await this.add(value)
  }

  poll(): Promise<V | undefined>
  poll(count: number): Promise<V[]>
  async poll(count?: number): Promise<V | undefined | V[]> {
    return await this.pollAt('first', count)
  }

  async peek(): Promise<V | undefined> {
    return await this.elementAt(0)
  }

  async element(): Promise<V> {
    return this.demanded(await this.peek())
  }

  override remove(): Promise<V>
  override remove(value: V): Promise<boolean>
  override async remove(...args: readonly [] | readonly [V]): Promise<unknown> {
    demandNoMore((args as readonly unknown[])[1], 'removeAll() removes several values')
    if (args.length > 0) return await this.removeOneEqual('first', args[0] as V)
    return this.demanded((await this.pollAt('first')) as V | undefined)
  }

  override async removeAll(values: Iterable<V>): Promise<boolean> {
    const elements = this.#encodeAll(values)
    return (await this.#changes.makeInParts(removing('every'), 'removeAll()', elements)) > 0
  }

  override async retainAll(values: Iterable<V>): Promise<boolean> {
    const kept = valuesOf('values', values)
    this.#elements.encode(kept)
    if (kept.length === 0) return await this.delete()
    demandTurns(this.requests, 'retainAll()')
    const others = this.#elements.asRead(await this.#all(isNoneOf(kept, this.name)))
    return (await this.#changes.makeInParts(removing('every'), 'retainAll()', others)) > 0
  }

  override async contains(value: V): Promise<boolean> {
    return (await this.#changes.countThere(this.#elements.encode([value]))) > 0
  }

  override async containsAll(values: Iterable<V>): Promise<boolean> {
    const elements = this.#encodeAll(values)
    return (await this.#changes.countThere(elements)) === elements.bytes.length
  }

  override async indexOf(value: V): Promise<number> {
    const { form, bytes } = this.#elements.encode([value])
    const [element] = bytes as [Buffer]
    const index = this.ask(scripts.indexOf, { form, element }, { comparator: this.#comparator })
    return demandComparable(this.name, await index)
  }

  async pollLastAndOfferFirstTo(name: string): Promise<V | undefined> {
    const move = { target: this.otherKey(name), end: 'last', targetEnd: 'first' } as const
    return this.valueCodec.decodeTaken(await this.#ends.move({ ...move, count: 1, exactly: 0 }))[0]
  }

  override move(database: number): Promise<boolean>
  override move(options: QueueMoveOptions): Promise<V[]>
  override async move(where: number | QueueMoveOptions): Promise<boolean | V[]> {
    return typeof where === 'number' ? await super.move(where) : await this.#moveSome(where)
  }

  protected override get events(): EventSources {
    return EVENTS
  }

  protected override keysOf(key: string): ObjectKeys {
    return [key, priorityQueueComparator(key)]
  }

  /** How elements are removed at the ends. */
  protected get ends(): PriorityEnds {
    return this.#ends
  }

  /** Removes the first or the last of the elements that are equal to a value. */
  protected async removeOneEqual(which: End, value: V): Promise<boolean> {
    return (await this.#changes.make(removing(which), this.#elements.encode([value]))) > 0
  }

  /** In the order in which they are removed. */
  protected async pollAt(end: End, count?: number): Promise<V | undefined | V[]> {
    if (count !== undefined && pollCount(count) === 0) return []
    const removed = await this.#ends.removeAt({ end, count: count ?? 1 })
    const values = this.valueCodec.decodeTaken(removed)
    return count === undefined ? values[0] : values
  }

  protected async elementAt(index: 0 | -1): Promise<V | undefined> {
    return this.valueCodec.decodeIfAny(await this.ask(list.get, { index }))
  }

  /** @throws {@link NoSuchElementError} if there is none */
  protected demanded(element: V | undefined): V {
    if (element === undefined) throw new NoSuchElementError(this.name)
    return element
  }

  /** The key of a queue to which elements are moved. With this one they would lose their order. */
  protected otherKey(name: string): string {
    const key = this.keyInSlot(name)
    if (key === this.key) throw new TypeError(`Expected the name of another queue than ${name}`)
    return key
  }

  async #moveSome(options: QueueMoveOptions): Promise<V[]> {
    const { to, count, exactly } = queueMove(options)
    const move = { target: this.otherKey(to), end: 'first', targetEnd: 'last' } as const
    return this.valueCodec.decodeTaken(await this.#ends.move({ ...move, count, exactly }))
  }

  /** The elements that have another value, each of them once. */
  async #all(isWanted: (element: V) => boolean): Promise<readonly Buffer[]> {
    const others = new Map<string, Buffer>()
    const next = (cursor: string) => listPage(this.requests, { from: Number(cursor), count: MOST_ENTRIES })
    for await (const page of pagesOf(next)) {
      for (const bytes of page)
        if (isWanted(this.valueCodec.decode(bytes))) others.set(identityOf(bytes), bytes)
    }
    return [...others.values()]
  }

  #encodeAll(values: Iterable<V>): Elements {
    return this.#elements.encode(valuesOf('values', values))
  }

  get #comparator(): string {
    return priorityQueueComparator(this.key)
  }

  /** Java maps the name of the lock, and not the name in it. So the lock may be in another slot of a cluster. */
  #javaLock(context: ObjectContext): JavaLock {
    const name = sortedSetLock(this.name)
    const key = this.keyNamed(context, name)
    const { topology } = context
    const isElsewhere = topology.slotOf(key) !== topology.slotOf(this.key)
    return { name, key: isElsewhere ? sortedSetLock(this.key) : key, isElsewhere }
  }
}

/** Where the codec cannot read the elements, it does not matter. */
function formIn<V extends SortedValue>(elements: ElementCodec<V>, values: readonly Buffer[]): Form {
  try {
    return elements.asRead(values).form
  } catch {
    return 'json'
  }
}
