import type { CopyOptions, ObjectListener, RDumpable, RObject } from '../api/object.js'
import type { ListenOptions, Subscription } from '../topics/shared/subscription.api.js'
import { FROM_MASTER, type CommandExecutor, type RunOptions } from '../command/operation/command-executor.js'
import type { Runnable } from '../command/operation/script.js'
import { CrossSlotError } from '../errors/client-errors.js'
import { NoSuchObjectError, ObjectExistsError } from '../errors/object-errors.js'
import { repliedWords } from '../errors/lasting-failure.js'
import { inspectShort, inspectWord } from '../util/inspect-short.js'
import { CLIENTS } from '../util/refused-calls.js'
import {
  demandFunction,
  flag,
  hasSlots,
  keyOf,
  lifeTime,
  stateBytes,
  wholeNumber,
} from './arguments/arguments.js'
import { checkedListening } from './arguments/listening.js'
import { databaseOf } from './context/database.js'
import { keysOfEnds, nothing } from './context/names.js'
import type { ObjectContext } from './context/object-context.js'
import { listenToObject, OBJECT_EVENTS, type EventSources } from './object-events.js'
import { ObjectRequests, type Given } from './object-requests.js'
import { known, optionsOf, refuseSurplus } from './arguments/options.js'
import * as scripts from './redisson-object.scripts.js'

/** How the values of an object are stored, if it has any, and how its requests are made. */
export interface ObjectSettings {
  readonly codec?: RObject['codec']
  readonly run?: RunOptions | undefined
}

/** The keys of an object: the first is that without which it is not there. */
export type ObjectKeys = readonly [string, ...string[]]

/**
 * What is at the first key of an object: a whole number; any string; a hash, or one that has a field; a list; a set; a sorted set; a stream; nothing
 * ever; or whatever there is. Behind a slash there is what is at the other key of an object that has two: only where the first one may be missing although the name
 * belongs to another object.
 *
 * What is known not to be such an object is refused with a {@link WrongTypeError}, and stays as it is.
 */
export type ObjectKind =
  | 'number'
  | 'string'
  | 'hash'
  | 'list'
  | 'set'
  | 'zset'
  | 'stream'
  | `hash ${string}`
  | 'hash size/string'
  | 'none'
  | ''

/** How waiters for an object are notified of a change. */
export interface WakeUp {
  readonly channel: string
  /** Empty for the number that the object is, which is published if it is more than 0. */
  readonly message: string
}

const UNHEARD: WakeUp = { channel: '', message: '' }

/** What {@link scripts.rename} returns if the object is not there. */
const ABSENT = -1

/** For any kind of object, each operation on its keys takes effect once. */
export const EXACTLY_ONCE = { exactlyOnce: true }

/** What a program may have meant by an argument of a call that removes all. */
const WHOLE = 'the whole object is removed'

/** The last one that Redis could have. */
const LAST_DATABASE = 2 ** 31 - 1

/** What Redis says of arguments that only it can judge, and what it had expected. */
const REFUSALS = [
  ['DB index', '`database` to be one of those that the server has'],
  ['out of range', '`database` to be one of those that the server has'],
  ['DUMP payload', '`state` to be the bytes of dump(), at a server of this version or an earlier one'],
  ['state of an object of another kind', '`state` to be the bytes of dump() of an object of this kind'],
  ['Bad data format', '`state` to be the bytes of dump(), at a server of this version or an earlier one'],
] as const

const COPY = known<CopyOptions>({ replace: true, database: true })

/** The keys of an object, and those that it would have under another name. */
interface KeysUnderNewName {
  readonly object: string
  readonly target: string
  /** Every other key, each followed by the one that it becomes. */
  readonly others: readonly string[]
}

/** An object in Redis: the operations on its keys, for any kind. It has no state. */
export abstract class RedissonObject implements RObject, RDumpable {
  static {
    refuseSurplus(this, {
      delete: WHOLE,
      unlink: WHOLE,
      copy: '`replace` and `database` are options',
      rename: 'it gets one new name',
      renamenx: 'it gets one new name',
      move: 'it keeps its name',
    })
  }

  readonly name: string
  /** Is not shown with the object: a codec of the program may have a key. */
  readonly #codec: RObject['codec']
  readonly #context: ObjectContext
  readonly #requests: ObjectRequests

  constructor(context: ObjectContext, name: string, { codec, run }: ObjectSettings = {}) {
    this.name = name
    this.#codec = codec
    this.#context = context
    const key = this.keyNamed(context, name)
    this.#requests = new ObjectRequests(() => this.executor, key, { ...run, ...this.reading })
  }

  get codec(): RObject['codec'] {
    return this.#codec
  }

  get [CLIENTS](): readonly AbortSignal[] {
    return [this.#context.closing]
  }

  async delete(): Promise<boolean> {
    return await this.#remove('del')
  }

  async unlink(): Promise<boolean> {
    return await this.#remove('unlink')
  }

  async isExists(): Promise<boolean> {
    return (
      (await this.requests.run(scripts.exists, { keys: this.objectKeys(), args: { kind: this.kind } })) === 1
    )
  }

  async touch(): Promise<boolean> {
    return (
      (await this.requests.run(this.scripts.touch, {
        keys: this.objectKeys(),
        args: { kind: this.kind },
      })) === 1
    )
  }

  async rename(newName: string): Promise<void> {
    await this.#rename(newName, 0)
  }

  async renamenx(newName: string): Promise<boolean> {
    return await this.#rename(newName, 1)
  }

  async copy(to: string, options?: CopyOptions): Promise<boolean> {
    const { database: otherDatabase, replace: isReplacing } = optionsOf(options, COPY)
    const replace = flag('replace', isReplacing)
    const key = this.keyInSlot(to)
    const own = this.#keysUnder(key)
    const database = this.#otherDatabase(otherDatabase)
    if (database === undefined) demandNoSharedKey(own, to)
    const keys = this.#withoutEnds(key, own)
    const { channel: newChannel, message } = database === undefined ? this.#wakeUpOf(key) : UNHEARD
    const args = {
      database: database ?? '',
      home: databaseOf(this.#context.config),
      replace: replace ? 1 : 0,
      kind: this.kind,
      newChannel,
      message,
    }
    return (await explained(this.requests.run(this.scripts.copy, { keys, args }, EXACTLY_ONCE))) === 1
  }

  async move(database: number): Promise<boolean> {
    if (this.#otherDatabase(database) === undefined)
      throw new RangeError(
        `Expected \`database\` to be another than that of the client, got ${inspectShort(database)}`,
      )
    const args = {
      database,
      home: databaseOf(this.#context.config),
      kind: this.kind,
      ...this.#wakeUpOf(this.key),
    }
    return (
      (await explained(
        this.requests.run(this.scripts.move, { keys: this.objectKeys(), args }, EXACTLY_ONCE),
      )) === 1
    )
  }

  async sizeInMemory(): Promise<number> {
    return await this.requests.run(this.scripts.size, { keys: this.objectKeys(), args: { kind: this.kind } })
  }

  async dump(): Promise<Uint8Array | undefined> {
    this.#demandOneKey()
    return await this.ask(scripts.dump, { kind: this.kind })
  }

  async restore(state: Uint8Array, ttlMs?: number): Promise<void> {
    if (!(await this.#restore(state, ttlMs, 0))) throw new ObjectExistsError(this.name)
  }

  async restoreAndReplace(state: Uint8Array, ttlMs?: number): Promise<void> {
    await this.#restore(state, ttlMs, 1)
  }

  async getIdleTime(): Promise<number | undefined> {
    this.#demandOneKey()
    const seconds = await this.ask(scripts.idleTime, { kind: this.kind }, {}, FROM_MASTER) // replicas do not know when the master was asked
    return seconds === undefined ? undefined : seconds * 1000
  }

  async addListener(event: string, listener: ObjectListener, options?: ListenOptions): Promise<Subscription> {
    demandFunction(listener, 'listener')
    const [key] = this.keysOf(this.key)
    const object = { name: this.name, key, event, sources: this.events }
    return await listenToObject(this.#context, object, listener, checkedListening(options))
  }

  /** The events that can be listened to. */
  protected get events(): EventSources {
    return OBJECT_EVENTS
  }

  /**
   * The key of an object with this name.
   *
   * @throws {@link CrossSlotError} if a cluster would have to look for the object's keys in several places
   */
  protected keyNamed(context: ObjectContext, name: string): string {
    return keyOf(context, name)
  }

  /** The keys of an object that has this key. */
  protected keysOf(key: string): ObjectKeys {
    return [key]
  }

  /** What is done with all keys. */
  protected get scripts(): scripts.ScriptsOfAllKeys {
    return scripts.ofAllKeys
  }

  /** What is at the first key. */
  protected get kind(): ObjectKind {
    return ''
  }

  /** How waiters for an object with this key are notified; undefined where there are none. */
  protected wakeUpOf(_key: string): WakeUp | undefined {
    return undefined
  }

  /** How it is asked what nothing is written by. Only objects that are mere values let a replica reply. */
  protected get reading(): RunOptions {
    return FROM_MASTER
  }

  /**
   * What runs the requests about this object. The rest of the context is not to be had here, because it leads to passwords: who logs an
   * object may look at everything that can be read.
   */
  protected get executor(): CommandExecutor {
    return this.#context.executor
  }

  /** Sends the requests about this object, also for its parts. */
  protected get requests(): ObjectRequests {
    return this.#requests
  }

  /** Runs an operation at this object: see {@link ObjectRequests.ask}. */
  protected ask<K extends string, A extends string, R, Own extends K>(
    operation: Runnable<K, A, R, Own>,
    ...given: Given<A, Exclude<K, Own>>
  ): Promise<R> {
    return this.requests.ask(operation, ...given)
  }

  /** The name in Redis. */
  protected get key(): string {
    return this.#requests.key
  }

  /**
   * The key of another object that one request can be about together with this one.
   *
   * @throws {@link CrossSlotError} if it belongs to another slot of the cluster
   */
  protected keyInSlot(name: string): string {
    const key = this.keyNamed(this.#context, name)
    const { topology } = this.#context
    if (topology.slotOf(key) !== topology.slotOf(this.key)) throw new CrossSlotError(name, key, this.key)
    return key
  }

  /** The keys, as scripts take them. */
  protected objectKeys(): { readonly object: string; readonly others: readonly string[] } {
    const [object, ...others] = this.keysOf(this.key)
    return { object, others }
  }

  async #remove(command: 'del' | 'unlink'): Promise<boolean> {
    const args = { command, kind: this.kind, ...this.#wakeUpOf(this.key) }
    return (
      (await this.requests.run(this.scripts.remove, { keys: this.objectKeys(), args }, EXACTLY_ONCE)) === 1
    )
  }

  async #rename(newName: string, onlyIfFree: 0 | 1): Promise<boolean> {
    const newKey = this.keyInSlot(newName)
    const own = this.#keysUnder(newKey)
    demandSamePlaces(own, newName)
    const keys = this.#withoutEnds(newKey, own)
    const { channel, message } = this.#wakeUpOf(this.key)
    const { channel: newChannel } = this.#wakeUpOf(newKey)
    const args = { onlyIfFree, kind: this.kind, channel, newChannel, message }
    const renamed = await this.requests.run(this.scripts.rename, { keys, args }, EXACTLY_ONCE)
    if (renamed === ABSENT) throw new NoSuchObjectError(this.name)
    return renamed === 1
  }

  async #restore(state: Uint8Array, ttlMs: number | undefined, replace: 0 | 1): Promise<boolean> {
    const args = {
      state: stateBytes(state),
      ttlMs: ttlMs === undefined ? 0 : lifeTime(ttlMs),
      replace,
      kind: this.kind,
      ...this.#wakeUpOf(this.key),
    }
    this.#demandOneKey()
    return (
      (await explained(this.ask(scripts.restore, args, { ends: keysOfEnds(this.key) }, EXACTLY_ONCE))) === 1
    )
  }

  #keysUnder(newKey: string): KeysUnderNewName {
    const { object, others } = this.objectKeys()
    const [target, ...targets] = this.keysOf(newKey)
    return { object, target, others: others.flatMap((key, index) => [key, targets[index] ?? key]) }
  }

  /** The same keys, where nothing becomes of the ends of what is replaced: other clients would still remove what they say. */
  #withoutEnds(newKey: string, keys: KeysUnderNewName): KeysUnderNewName {
    const { object, target, others } = keys
    const own = [object, target, ...others]
    if (newKey === this.key || !own.includes(newKey)) return keys
    const ends = keysOfEnds(newKey).filter((key) => !own.includes(key))
    return { object, target, others: [...others, ...ends.flatMap((key) => [nothing(newKey), key])] }
  }

  #wakeUpOf(key: string): WakeUp {
    return this.wakeUpOf(key) ?? UNHEARD
  }

  #demandOneKey(): void {
    if (this.objectKeys().others.length === 0) return
    throw new TypeError(`Expected an object of one key, got ${inspectWord(this.name)}, which has several`)
  }

  /** Reads the number of a database; undefined for that of the client. */
  #otherDatabase(database: number | undefined): number | undefined {
    if (database === undefined) return undefined
    const { topology } = this.#context
    if (wholeNumber('database', database, 0) > LAST_DATABASE)
      throw new RangeError(`Expected \`database\` to be at most ${LAST_DATABASE}, got ${database}`)
    if (hasSlots(topology)) throw new RangeError('Expected no `database`: a cluster has only one')
    return database === databaseOf(this.#context.config) ? undefined : database
  }
}

/** Says in the words of this library why the server refused what it was given. */
async function explained<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    const words = repliedWords(error)
    const refusal = REFUSALS.find(([said]) => words.includes(said))
    throw refusal === undefined ? error : new RangeError(`Expected ${refusal[1]}`, { cause: error })
  }
}

/** The new name may be another way to write the same keys. */
function demandSamePlaces({ object, target, others }: KeysUnderNewName, newName: string): void {
  const from = [object, ...others.filter((_, index) => index % 2 === 0)]
  const to = [target, ...others.filter((_, index) => index % 2 === 1)]
  if (to.some((key, index) => from.includes(key) && from[index] !== key)) throw sharesKeys(newName)
}

function demandNoSharedKey({ object, target, others }: KeysUnderNewName, name: string): void {
  const all = [object, target, ...others]
  if (new Set(all).size < all.length) throw sharesKeys(name)
}

function sharesKeys(name: string): RangeError {
  return new RangeError(
    `Expected the name of an object with keys of its own, got ${inspectWord(name)}: keys of this object would be among them`,
  )
}
