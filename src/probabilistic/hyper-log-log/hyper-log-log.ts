import type { RHyperLogLog } from './hyper-log-log.api.js'
import type { Codec } from '../../api/codec.js'
import { encodeAt } from '../../codec/encoding.js'
import { demandTurns, FROM_ANY_NODE, type RunOptions } from '../../command/operation/command-executor.js'
import type { Argument } from '../../connection/connection.js'
import { demandValue } from '../../core/arguments/arguments.js'
import { valuesOf } from '../../core/entries.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import { OBJECT_EVENTS, type EventSources } from '../../core/object-events.js'
import type { ValueSettings } from '../../core/arguments/object-settings.js'
import { refuseSurplus } from '../../core/arguments/options.js'
import { IN_TURN, sendParts } from '../../core/context/parts.js'
import { RedissonExpirable } from '../../core/redisson-expirable.js'
import type { ObjectKind } from '../../core/redisson-object.js'
import { MOST_ENTRIES } from '../../core/arguments/scan-settings.js'
import { chunk } from '../../util/collections/chunk.js'
import * as commands from './hyper-log-log.commands.js'

const EVENTS = { ...OBJECT_EVENTS, changed: { names: ['pfadd'], flag: '$' } } as const

/** A HyperLogLog of Redis, which is a string. */
export class RedissonHyperLogLog<V> extends RedissonExpirable implements RHyperLogLog<V> {
  static {
    refuseSurplus(this, {
      add: 'addAll() takes several values',
      addAll: 'the values are one list',
      count: 'countWith() counts several',
      countWith: 'the names are one list',
      mergeWith: 'the names are one list',
    })
  }

  readonly #codec: Codec<V>

  constructor(context: ObjectContext, name: string, { codec, run }: ValueSettings<V>) {
    super(context, name, { codec, run })
    this.#codec = codec
  }

  async add(value: V): Promise<boolean> {
    return await this.#add([this.#encode(value)])
  }

  async addAll(values: Iterable<V>): Promise<boolean> {
    const encoded = valuesOf('values', values).map((value) => this.#encode(value))
    if (encoded.length > MOST_ENTRIES)
      demandTurns(this.requests, `addAll() of more than ${String(MOST_ENTRIES)} values`)
    const parts = chunk(encoded, MOST_ENTRIES)
    const added = await sendParts(parts, (part) => this.#add(part), IN_TURN)
    return added.includes(true)
  }

  async count(): Promise<number> {
    return await this.#count([])
  }

  async countWith(names: Iterable<string>): Promise<number> {
    return await this.#count(this.#keysOf(names))
  }

  async mergeWith(names: Iterable<string>): Promise<void> {
    const others = this.#keysOf(names)
    if (others.length === 0) throw new RangeError('Expected `names` to have one name or more, got none')
    await this.ask(commands.merge, {}, { others })
  }

  protected override get reading(): RunOptions {
    return FROM_ANY_NODE
  }

  protected override get events(): EventSources {
    return EVENTS
  }

  protected override get kind(): ObjectKind {
    return 'string'
  }

  async #add(values: readonly Argument[]): Promise<boolean> {
    return await this.ask(commands.add, { values })
  }

  async #count(others: readonly string[]): Promise<number> {
    return await this.ask(commands.count, {}, { others })
  }

  #keysOf(names: Iterable<string>): string[] {
    return valuesOf('names', names).map((name) => this.keyInSlot(name))
  }

  #encode(value: V): Argument {
    demandValue(value, 'there is nothing to count')
    return encodeAt(this.#codec, value, { object: this.name })
  }
}
