import type { StreamFields } from './stream.api.js'
import type { StreamInfo, StreamMessage } from './stream-data.api.js'
import type {
  StreamAddOptions,
  StreamRangeOptions,
  StreamReadOptions,
  StreamTrim,
} from './stream-options.api.js'
import { EntryCodec } from '../../collections/map/entry-codec.js'
import { FROM_ANY_NODE, FROM_MASTER, type RunOptions } from '../../command/operation/command-executor.js'
import type { Argument } from '../../connection/connection.js'
import { MOST_ENTRIES } from '../../core/arguments/scan-settings.js'
import { ANY_NUMBER, refuseSurplus } from '../../core/arguments/options.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import { IN_TURN, sendParts } from '../../core/context/parts.js'
import { entriesOf } from '../../core/entries.js'
import { isMissingKey } from './stream-failures.js'
import { OBJECT_EVENTS, type EventSources } from '../../core/object-events.js'
import { RedissonExpirable } from '../../core/redisson-expirable.js'
import type { ObjectKind } from '../../core/redisson-object.js'
import { raceAbort } from '../../util/abort/race-abort.js'
import { chunk } from '../../util/collections/chunk.js'
import { mapInTurns } from '../../util/map-in-turns.js'
import type { KeyWaiters } from '../../waiting/key-waiters.js'
import {
  addWords,
  checkedIds,
  countWords,
  rangeBounds,
  reading,
  trimWords,
  type StreamSettings,
} from './stream-arguments.js'
import * as commands from './stream.commands.js'
import type { MessageBytes } from './stream-replies.js'
import { StreamWaits } from './stream-waits.js'

const EVENTS: EventSources = {
  ...OBJECT_EVENTS,
  added: { names: ['xadd'], flag: 't' },
  removed: { names: ['xdel'], flag: 't' },
  trimmed: { names: ['xtrim'], flag: 't' },
  groupCreated: { names: ['xgroup-create'], flag: 't' },
  groupRemoved: { names: ['xgroup-destroy'], flag: 't' },
  consumerCreated: { names: ['xgroup-createconsumer'], flag: 't' },
  consumerRemoved: { names: ['xgroup-delconsumer'], flag: 't' },
}

const ONE_RANGE = 'a range is one object of options'
const ONE_TRIM = 'a trim is one object of options'

/** The messages of a stream, without its groups. */
export abstract class RedissonStreamMessages<K, V> extends RedissonExpirable {
  static {
    refuseSurplus(this, {
      add: '`id` is an option',
      range: ONE_RANGE,
      rangeReversed: ONE_RANGE,
      read: ONE_RANGE,
      trim: ONE_TRIM,
      trimNonStrict: ONE_TRIM,
      remove: ANY_NUMBER,
    })
  }

  readonly #codec: EntryCodec<K, V>
  readonly #waits: StreamWaits

  constructor(
    context: ObjectContext,
    name: string,
    { codec, run }: StreamSettings<K, V>,
    waiters: KeyWaiters,
  ) {
    super(context, name, { codec: codec.value, run })
    this.#codec = new EntryCodec(name, codec)
    this.#waits = new StreamWaits(this.requests, waiters, context.config)
  }

  add(
    fields: StreamFields<K, V>,
    options?: StreamAddOptions & { readonly noMakeStream?: false },
  ): Promise<string>
  add(fields: StreamFields<K, V>, options?: StreamAddOptions): Promise<string | undefined>
  async add(fields: StreamFields<K, V>, options?: StreamAddOptions): Promise<string | undefined> {
    const words = addWords(options)
    const count = words.length
    for (const [key, value] of entriesOf<K, V>('fields', fields))
      words.push(this.#codec.encodeKey(key), this.#codec.encodeValue(value, key))
    if (words.length === count) throw new TypeError('Expected `fields` to have one field at least, got none')
    return await this.ask(commands.add, { words })
  }

  async size(): Promise<number> {
    return await this.ask(commands.size)
  }

  async range(options?: StreamRangeOptions): Promise<StreamMessage<K, V>[]> {
    const { from, to, count } = rangeBounds(options)
    if (count === 0) return []
    return await this.decodeAll(await this.ask(commands.range, { from, to, count: countWords(count) }))
  }

  async rangeReversed(options?: StreamRangeOptions): Promise<StreamMessage<K, V>[]> {
    const { from, to, count } = rangeBounds(options)
    if (count === 0) return []
    return await this.decodeAll(
      await this.ask(commands.rangeReversed, { from, to, count: countWords(count) }),
    )
  }

  async read(options?: StreamReadOptions): Promise<StreamMessage<K, V>[]> {
    const { after, count, patience } = reading(options)
    this.waits.demandMayWait(patience)
    if (count === 0) return []
    const last = after === '$' ? await this.#newestId() : after
    const how = patience.waitMs > 0 ? FROM_MASTER : {}
    const read = () =>
      raceAbort(this.ask(commands.read, { after: last, count: countWords(count) }, {}, how), patience.signal)
    const line = JSON.stringify([this.key, last])
    return await this.decodeAll(await this.waits.until(read, patience, line))
  }

  async trim(trim: Omit<StreamTrim, 'limit'>): Promise<number> {
    return await this.ask(commands.trim, { words: trimWords(trim, true) })
  }

  async trimNonStrict(trim: StreamTrim): Promise<number> {
    return await this.ask(commands.trim, { words: trimWords(trim, false) })
  }

  async remove(...ids: readonly string[]): Promise<number> {
    return await this.inParts(checkedIds(ids), (part) => this.ask(commands.remove, { ids: part }))
  }

  async getInfo(): Promise<StreamInfo<K, V> | undefined> {
    const info = await this.ask(commands.getInfo, {}, {}, FROM_MASTER).catch((error: unknown) => {
      if (isMissingKey(error)) return undefined
      throw error
    })
    if (info === undefined) return undefined
    const { firstEntry, lastEntry, ...rest } = info
    return { ...rest, firstEntry: this.#ifAny(firstEntry), lastEntry: this.#ifAny(lastEntry) }
  }

  protected override get reading(): RunOptions {
    return FROM_ANY_NODE
  }

  protected override get events(): EventSources {
    return EVENTS
  }

  protected override get kind(): ObjectKind {
    return 'stream'
  }

  /** Waits for messages. */
  protected get waits(): StreamWaits {
    return this.#waits
  }

  /** Makes bytes of fields, and the other way round. */
  protected get entryCodec(): EntryCodec<K, V> {
    return this.#codec
  }

  protected decodeAll(all: readonly MessageBytes[]): StreamMessage<K, V>[] | Promise<StreamMessage<K, V>[]> {
    return mapInTurns(all, (message) => this.#decode(message))
  }

  /** Sends a request for each part of a list of ids. Returns the sum of what they return. */
  protected async inParts(
    ids: readonly string[],
    send: (part: readonly Argument[]) => Promise<number>,
  ): Promise<number> {
    const counts = await sendParts([...chunk(ids, MOST_ENTRIES)], send, IN_TURN)
    return counts.reduce((sum, count) => sum + count, 0)
  }

  #decode({ id, fields }: MessageBytes): StreamMessage<K, V> {
    return { id, fields: decodedFields(this.#codec, fields) }
  }

  #ifAny(message: MessageBytes | undefined): StreamMessage<K, V> | undefined {
    return message && this.#decode(message)
  }

  async #newestId(): Promise<string> {
    const newest = { from: '-', to: '+', count: countWords(1) }
    const [message] = await this.ask(commands.rangeReversed, newest, {}, FROM_MASTER)
    return message?.id ?? '0'
  }
}

/** @throws {@link CodecError} for fields that the codec cannot read */
export function decodedFields<K, V>(codec: EntryCodec<K, V>, fields: MessageBytes['fields']): Map<K, V> {
  const read = new Map<K, V>()
  for (const field of fields) {
    const [key, value] = codec.decodeEntry(field)
    read.set(key, value)
  }
  return read
}
