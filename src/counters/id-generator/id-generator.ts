import type { RIdGenerator } from './id-generator.api.js'
import type { CopyOptions } from '../../api/object.js'
import { demandTurns, type RunOptions } from '../../command/operation/command-executor.js'
import { idAllocation } from '../../core/context/names.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import { ObjectRequests } from '../../core/object-requests.js'
import { refuseSurplus } from '../../core/arguments/options.js'
import { sameOutage } from '../../core/holds/outage.js'
import { RedissonExpirable } from '../../core/redisson-expirable.js'
import type { ObjectKeys, ObjectKind } from '../../core/redisson-object.js'
import { AbortError } from '../../errors/client-errors.js'
import { Deadline } from '../../util/time/deadline.js'
import { inspectShort } from '../../util/inspect-short.js'
import { additionFailure } from '../shared/addition-failure.js'
import type { Integers } from '../../core/arguments/integers.js'
import type { IdBlocks } from './id-blocks.js'
import * as scripts from './id-generator.scripts.js'
import type { TakenIds } from './local-ids.js'

/** What an id generator is made of. */
interface IdGeneratorDeps<N extends number | bigint> {
  readonly context: ObjectContext
  readonly name: string
  readonly integers: Integers<N>
  readonly options: RunOptions
  /** The ids that the client has taken. */
  readonly blocks: IdBlocks
}

/** The start of the next block under one key, and the size of all under another. */
export class RedissonIdGenerator<N extends number | bigint>
  extends RedissonExpirable
  implements RIdGenerator<N>
{
  static {
    refuseSurplus(this, {
      nextId: 'each call returns one id',
      rename: 'it gets one new name',
      renamenx: 'it gets one new name',
      copy: '`replace` and `database` are options',
    })
  }

  readonly #integers: Integers<N>
  readonly #blocks: IdBlocks
  /** For all callers of the client. */
  readonly #takings: ObjectRequests

  constructor({ context, name, integers, options, blocks }: IdGeneratorDeps<N>) {
    super(context, name, { run: options })
    this.#integers = integers
    this.#blocks = blocks
    this.#takings = new ObjectRequests(() => blocks.executor, this.key, options)
  }

  async tryInit(value: N, allocationSize: N): Promise<boolean> {
    const args = {
      value: String(this.#integers.check('value', value)),
      size: String(this.#sizeOf(allocationSize)),
    }
    const isSet = await this.ask(scripts.tryInit, args, this.#others)
    if (isSet) this.#blocks.drop(this.key) // it is of a generator that was deleted
    return isSet
  }

  async nextId(): Promise<N> {
    demandTurns(this.requests, 'nextId()')
    const { signal } = this.requests
    if (signal?.aborted) throw new AbortError('nextId()', { cause: signal.reason })
    return this.#integers.of(await this.#next(signal))
  }

  override async delete(): Promise<boolean> {
    return await this.#dropping([this.key], super.delete())
  }

  override async unlink(): Promise<boolean> {
    return await this.#dropping([this.key], super.unlink())
  }

  override async rename(newName: string): Promise<void> {
    await this.#dropping([this.key, this.keyInSlot(newName)], super.rename(newName))
  }

  override async renamenx(newName: string): Promise<boolean> {
    return await this.#dropping([this.key, this.keyInSlot(newName)], super.renamenx(newName))
  }

  override async copy(to: string, options?: CopyOptions): Promise<boolean> {
    return await this.#dropping([this.keyInSlot(to)], super.copy(to, options))
  }

  override async move(database: number): Promise<boolean> {
    return await this.#dropping([this.key], super.move(database))
  }

  protected override keysOf(key: string): ObjectKeys {
    return [key, idAllocation(key)]
  }

  protected override get kind(): ObjectKind {
    return 'number'
  }

  get #others() {
    return { allocation: idAllocation(this.key) }
  }

  /** Several calls may wait for one request. Each gets an error of its own. */
  async #next(signal: AbortSignal | undefined): Promise<bigint> {
    try {
      return await this.#blocks.next(this.key, this.#take, signal)
    } catch (error) {
      throw additionFailure(error instanceof Error ? sameOutage(error) : error, this.name)
    }
  }

  readonly #take = async (wanted: number): Promise<TakenIds | undefined> => {
    // Ahead it is sent once: a caller that needs an id asks again, and a client that ends has less to wait for.
    const options = wanted === 0 ? { deadline: Deadline.after(0) } : undefined
    const taken = await this.#takings.ask(scripts.takeIds, { wanted }, this.#others, options)
    if (taken === undefined) return undefined
    const [first, count, blockSize] = taken
    return { first, count, blockSize }
  }

  #sizeOf(allocationSize: N): bigint {
    const size = this.#integers.check('allocationSize', allocationSize)
    if (size >= 1n) return size
    throw new RangeError(`Expected \`allocationSize\` to be 1 or more, got ${inspectShort(allocationSize)}`)
  }

  /** Drops the ids that were taken of these generators once a request has ended that may have removed or replaced them. */
  async #dropping<T>(keys: readonly string[], request: Promise<T>): Promise<T> {
    try {
      return await request
    } finally {
      for (const key of keys) this.#blocks.drop(key)
    }
  }
}
