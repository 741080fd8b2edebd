import type { RMapsImport } from './maps.api.js'
import type { KeyAndValue } from '../../codec/codecs.js'
import type { Argument } from '../../connection/connection.js'
import { keyOf } from '../../core/arguments/arguments.js'
import { refuseSurplus } from '../../core/arguments/options.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import { valuesOf } from '../../core/entries.js'
import { afterEffect, mayHaveTakenEffect } from '../../errors/after-effect.js'
import { CLIENTS } from '../../util/refused-calls.js'
import { EntryCodec } from '../map/entry-codec.js'
import type { EncodedMap, MapWrites } from './map-writes.js'

/** What its errors call the map whose keys are read: it is none of them yet. */
const FIELDS = 'fields'

/** What an import is made with. */
interface ImportSettings<K, V> {
  readonly fields: readonly K[]
  readonly batchSize: number
  readonly codec: KeyAndValue<K, V>
}

/** Maps with the same keys, which are written in parts. */
export class RedissonMapsImport<K, V> implements RMapsImport<V> {
  static {
    refuseSurplus(this, { add: 'the values are one list' })
  }

  readonly #context: ObjectContext
  readonly #settings: ImportSettings<K, V>
  readonly #writes: MapWrites
  readonly #fields: readonly Argument[]
  /** Those that are not written yet, by their keys. */
  readonly #waiting = new Map<string, EncodedMap>()
  #importedCount = 0
  /** Settles when all parts so far are written, or have failed. */
  #last: Promise<unknown> = Promise.resolve()
  #isOver = false

  constructor(context: ObjectContext, settings: ImportSettings<K, V>, writes: MapWrites) {
    this.#context = context
    this.#settings = settings
    this.#writes = writes
    this.#fields = encodedFields(settings)
  }

  get [CLIENTS](): readonly AbortSignal[] {
    return [this.#context.closing]
  }

  get importedCount(): number {
    return this.#importedCount
  }

  async add(name: string, values: Iterable<V>): Promise<void> {
    if (this.#isOver) throw new TypeError('Expected an import that goes on, got one that was disposed of')
    const map = this.#encoded(name, values)
    this.#waiting.set(map.key, map)
    if (this.#waiting.size >= this.#settings.batchSize) await this.flush()
  }

  /** One part after the other, so that of two maps of one name the later one is written last. */
  async flush(): Promise<void> {
    const flushing = this.#last.then(() => this.#writeAll())
    this.#last = flushing.catch(() => undefined)
    await flushing
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true
    await this.flush()
  }

  async #writeAll(): Promise<void> {
    const { batchSize } = this.#settings
    while (this.#waiting.size > 0) await this.#writePart([...this.#waiting.values()].slice(0, batchSize))
  }

  async #writePart(part: readonly EncodedMap[]): Promise<void> {
    for (const { key } of part) this.#waiting.delete(key)
    const outcomes = await Promise.allSettled(part.map((map) => this.#writes.write(map)))
    const errors: unknown[] = []
    for (const [place, map] of part.entries()) {
      const outcome = outcomes[place]
      if (outcome?.status === 'rejected') {
        errors.push(outcome.reason)
        if (!this.#waiting.has(map.key)) this.#waiting.set(map.key, map) // unless a later one has taken its place
      } else this.#importedCount += 1
    }
    if (errors.length === 0) return
    const hasChanged = errors.length < part.length || errors.some(mayHaveTakenEffect)
    throw hasChanged ? afterEffect(errors[0]) : errors[0]
  }

  #encoded(name: string, values: Iterable<V>): EncodedMap {
    const { fields, codec } = this.#settings
    const key = keyOf(this.#context, name)
    const given = valuesOf('values', values)
    if (given.length !== fields.length)
      throw new RangeError(
        `Expected \`values\` to be ${String(fields.length)}, as many as there are fields, got ${String(given.length)}`,
      )
    const entryCodec = new EntryCodec(name, codec)
    const entries = given.flatMap((value, place) => [
      this.#fields[place] as Argument,
      entryCodec.encodeValue(value, fields[place]),
    ])
    return { key, entries }
  }
}

/** @throws TypeError for no fields, and for two that are the same by their bytes */
function encodedFields<K, V>({ fields, codec }: ImportSettings<K, V>): readonly Argument[] {
  if (fields.length === 0) throw new TypeError('Expected `fields` to have at least one, got none')
  const keys = new EntryCodec(FIELDS, codec)
  if (new Set(fields.map((field) => keys.identityOf(field))).size < fields.length)
    throw new TypeError('Expected `fields` to be different, got one that comes twice')
  return fields.map((field) => keys.encodeKey(field))
}
