import type { Codec } from '../../api/codec.js'
import type { RBuckets, SetOptions } from './buckets.api.js'
import { decodeAt, encodeAt } from '../../codec/encoding.js'
import { FROM_ANY_NODE, type RunOptions } from '../../command/operation/command-executor.js'
import type { Argument } from '../../connection/connection.js'
import { demandValue, flag, keyOf } from '../../core/arguments/arguments.js'
import { askBySlot } from '../../core/context/by-slot.js'
import { entriesOf, type Entries } from '../../core/entries.js'
import { expiryTime } from '../../core/arguments/expiry-time.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import type { ValueSettings } from '../../core/arguments/object-settings.js'
import { demandOptions, known, refuseSurplus, ANY_NUMBER } from '../../core/arguments/options.js'
import { inspectWord } from '../../util/inspect-short.js'
import { mapInTurns } from '../../util/map-in-turns.js'
import * as commands from './buckets.commands.js'
import * as scripts from './buckets.scripts.js'
import { CLIENTS } from '../../util/refused-calls.js'

/** How many buckets one request is about at most. */
const MOST_BUCKETS = 5_000

const SET = known<SetOptions>({ expire: true, keepTTL: true })

const BY_OTHERS = 'setIfAllKeysAbsent() and setIfAllKeysExist() take a time to live'

type Values<V> = Entries<string, V>

/** A bucket by its key, and what is to be sent of it. */
interface Place {
  readonly name: string
  readonly key: string
}

interface Entry extends Place {
  readonly value: Argument
}

/** Values under several keys. */
export class RedissonBuckets<V> implements RBuckets<V> {
  static {
    refuseSurplus(this, {
      get: ANY_NUMBER,
      set: BY_OTHERS,
      trySet: BY_OTHERS,
    })
  }

  readonly #context: ObjectContext
  readonly #codec: Codec<V>
  readonly #options: RunOptions

  constructor(context: ObjectContext, { codec, run }: ValueSettings<V>) {
    this.#context = context
    this.#codec = codec
    this.#options = run
  }

  get [CLIENTS](): readonly AbortSignal[] {
    return [this.#context.closing]
  }

  async get(...names: string[]): Promise<Map<string, V>> {
    const places = [...new Set(names)].map((name) => ({ name, key: keyOf(this.#context, name) }))
    const found = new Map<string, Buffer>()
    await this.#inParts('read', places, async (part) => {
      const call = { keys: { buckets: part.map(({ key }) => key) }, args: {} }
      const values = await this.#context.executor.run(commands.get, call, FROM_ANY_NODE)
      for (const [index, { name }] of part.entries()) {
        const value = values[index]
        if (value !== undefined) found.set(name, value)
      }
    })
    return await this.#decoded(places, found)
  }

  async set(values: Values<V>): Promise<void> {
    await this.#inParts('write', this.#entriesOf(values), async (part) => {
      await this.#context.executor.run(scripts.set, callOf(part), this.#options)
    })
  }

  async trySet(values: Values<V>): Promise<boolean> {
    const outcomes = await this.#inParts('write', this.#entriesOf(values), (part) =>
      this.#context.executor.run(scripts.trySet, callOf(part), this.#options),
    )
    return !outcomes.includes(false)
  }

  async setIfAllKeysAbsent(values: Values<V>, options?: SetOptions): Promise<boolean> {
    return await this.#setIfAll(0, values, options)
  }

  async setIfAllKeysExist(values: Values<V>, options?: SetOptions): Promise<boolean> {
    return await this.#setIfAll(1, values, options)
  }

  async #setIfAll(exist: 0 | 1, values: Values<V>, options: SetOptions = {}): Promise<boolean> {
    const script = exist === 1 ? scripts.setIfAllExist : scripts.setIfAllAbsent
    const how = { exist, ...expiryOf(options) }
    const outcomes = await this.#inParts('write', this.#entriesOf(values), (part) => {
      const { keys, args } = callOf(part)
      return this.#context.executor.run(script, { keys, args: { ...how, ...args } }, this.#options)
    })
    return !outcomes.includes(false)
  }

  /** In the order of the names, whichever slot was faster. */
  async #decoded(places: readonly Place[], found: ReadonlyMap<string, Buffer>): Promise<Map<string, V>> {
    const values = new Map<string, V>()
    await mapInTurns(places, ({ name }) => {
      const value = found.get(name)
      if (value !== undefined) values.set(name, decodeAt(this.#codec, value, { object: name }))
    })
    return values
  }

  /** Everything is written before anything is sent. */
  #entriesOf(values: Values<V>): readonly Entry[] {
    const entries = new Map<string, Entry>() // a name that comes twice has its last value
    for (const [name, value] of entriesOf<string, V>('values', values)) {
      const key = keyOf(this.#context, name)
      demandValue(value, `delete() of the bucket ${inspectWord(name)} removes a value`)
      entries.set(key, { name, key, value: encodeAt(this.#codec, value, { object: name }) })
    }
    return [...entries.values()]
  }

  /** Asks for those of each slot by themselves, at the same time. */
  async #inParts<P extends Place, R>(
    how: 'read' | 'write',
    places: readonly P[],
    ask: (part: readonly P[]) => Promise<R>,
  ): Promise<R[]> {
    const { topology } = this.#context
    const division = {
      topology,
      keyOf: ({ key }: P) => key,
      most: MOST_BUCKETS,
      changes: how === 'write' ? 'perhaps' : 'never',
    } as const
    return await askBySlot(places, division, ask)
  }
}

function callOf(part: readonly Entry[]) {
  return {
    keys: { buckets: part.map(({ key }) => key) },
    args: { values: part.map(({ value }) => value) },
  }
}

/** What becomes of the times to live, as scripts take it. */
function expiryOf(options: SetOptions): { readonly expiry: string; readonly time: number } {
  demandOptions(options, SET)
  const { expire, keepTTL } = options
  const keeps = flag('keepTTL', keepTTL)
  if (keeps && expire !== undefined) throw new TypeError('Expected one of `expire` and `keepTTL`, got both')
  if (expire === undefined) return { expiry: keeps ? 'KEEPTTL' : '', time: 0 }
  const { ttlMs, moment } = expiryTime(expire)
  return ttlMs === undefined ? { expiry: 'PXAT', time: moment } : { expiry: 'PX', time: ttlMs }
}
