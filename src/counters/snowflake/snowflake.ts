import type { NextIdOptions, RSnowflake, SnowflakeParts } from './snowflake.api.js'
import { patienceOf, wholeNumber } from '../../core/arguments/arguments.js'
import { snowflakeBounds } from '../../core/context/names.js'
import type { LockContext } from '../../core/context/object-context.js'
import { demandOptions, known, refuseSurplus } from '../../core/arguments/options.js'
import { RedissonExpirable } from '../../core/redisson-expirable.js'
import type { ObjectKeys, ObjectKind } from '../../core/redisson-object.js'
import { inspectShort } from '../../util/inspect-short.js'
import { showOnly } from '../../util/show-only.js'
import type { Layout } from './layout.js'
import type { NodeIds } from './node-ids.js'
import { ofAllKeys, ofExpiry } from './snowflake.scripts.js'
import type { Snowflakes, SnowflakeUse } from './snowflakes.js'

const NEXT = known<NextIdOptions>({ waitMs: true, signal: true })

/** More ids take seconds, and much memory. */
const MOST_IDS = 1_000_000

/** What a snowflake is made of. */
interface SnowflakeDeps {
  readonly context: LockContext
  readonly name: string
  readonly layout: Layout
  /** Those of the client. */
  readonly snowflakes: Snowflakes
}

/** Ids of a node number, which all objects of the same name share. */
export class RedissonSnowflake extends RedissonExpirable implements RSnowflake {
  static {
    showOnly(this, 'RSnowflake', ({ name }) => ({ name }))
    refuseSurplus(this, {
      nextId: 'nextIds() returns many ids',
    })
  }

  readonly #layout: Layout
  readonly #snowflakes: Snowflakes
  readonly #usualWaitMs: number
  /** From the first id on, until it is disposed of. */
  #use: SnowflakeUse | undefined

  constructor({ context, name, layout, snowflakes }: SnowflakeDeps) {
    super(context, name)
    this.#layout = layout
    this.#snowflakes = snowflakes
    this.#usualWaitMs = 2 * context.config.lockWatchdogTimeoutMs
  }

  get node(): number | undefined {
    return this.#snowflakes.find(this.key, this.#layout)?.node
  }

  async nextId(options?: NextIdOptions): Promise<bigint> {
    const [id] = await this.#next(1, options)
    return id as bigint
  }

  async nextIds(count: number, options?: NextIdOptions): Promise<bigint[]> {
    if (wholeNumber('count', count, 1) > MOST_IDS)
      throw new RangeError(`Expected \`count\` to be ${MOST_IDS} at most, got ${inspectShort(count)}`)
    return await this.#next(count, options)
  }

  partsOf(id: bigint): SnowflakeParts {
    return this.#layout.partsOf(id)
  }

  override async delete(): Promise<boolean> {
    await this.#giveBack()
    return await super.delete()
  }

  override async unlink(): Promise<boolean> {
    await this.#giveBack()
    return await super.unlink()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const use = this.#use
    this.#use = undefined
    await use?.end()
  }

  protected override keysOf(key: string): ObjectKeys {
    return [key, snowflakeBounds(key)]
  }

  protected override get scripts(): typeof ofAllKeys {
    return ofAllKeys
  }

  protected override get expiryScripts(): typeof ofExpiry {
    return ofExpiry
  }

  protected override get kind(): ObjectKind {
    return 'hash layout'
  }

  #next(count: number, options: NextIdOptions = {}): bigint[] | Promise<bigint[]> {
    demandOptions(options, NEXT)
    const patience = patienceOf(options, this.#usualWaitMs)
    patience.signal?.throwIfAborted()
    return this.#ids().next(count, patience)
  }

  #ids(): NodeIds {
    this.#use ??= this.#snowflakes.use({ name: this.name, key: this.key, layout: this.#layout })
    return this.#use.ids
  }

  /** What the client itself has need not be waited for by those who begin anew. */
  async #giveBack(): Promise<void> {
    await this.#snowflakes.find(this.key, this.#layout)?.release()
  }
}
