import type { Readable, Writable } from 'node:stream'
import type { ReadableStream, WritableStream } from 'node:stream/web'
import type { BinaryReadOptions, BinaryWriteOptions, RBinaryStream } from './binary-stream.api.js'
import { encodeBytesAt } from '../../codec/encoding.js'
import { demandTurns, FROM_MASTER, type RunOptions } from '../../command/operation/command-executor.js'
import { wholeNumber } from '../../core/arguments/arguments.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import type { EventSources } from '../../core/object-events.js'
import { refuseSurplus } from '../../core/arguments/options.js'
import { EXACTLY_ONCE, type ObjectKind } from '../../core/redisson-object.js'
import { ownBytes } from '../../util/own-bytes.js'
import { size } from '../bucket/bucket.commands.js'
import { RedissonBucket } from '../bucket/bucket.js'
import * as commands from './binary-stream.commands.js'
import * as scripts from './binary-stream.scripts.js'
import { ChunkReader, type BytesSource } from './chunk-reader.js'
import { ChunkWriter, type BytesTarget } from './chunk-writer.js'
import { nodeReadable, nodeWritable } from './node-streams.js'
import { demandWithinLimit, limitedBytes, withinLimit } from './size-limit.js'
import { StreamEnd } from './stream-end.js'
import { readSettings, writeSettings } from './stream-settings.js'
import { webReadable, webWritable } from './web-streams.js'

const CHANGED = { names: ['set', 'append', 'setrange'], flag: '$' } as const

/** Bytes under one key, which are read and written in parts. */
export class RedissonBinaryStream extends RedissonBucket<Uint8Array> implements RBinaryStream {
  static {
    refuseSurplus(this, {
      append: 'the bytes are one chunk',
    })
  }

  /** Aborts when the client closes. */
  readonly #closing: AbortSignal

  constructor(context: ObjectContext, name: string, run: RunOptions) {
    super(context, name, { codec: limitedBytes, run })
    this.#closing = context.closing
  }

  createReadStream(options?: BinaryReadOptions): Readable {
    demandTurns(this.requests, 'createReadStream()')
    const settings = readSettings(options)
    const end = new StreamEnd(this.#closing)
    return nodeReadable(new ChunkReader(this.#sourceUntil(end), settings), end, settings)
  }

  createWriteStream(options?: BinaryWriteOptions): Writable {
    demandTurns(this.requests, 'createWriteStream()')
    const settings = writeSettings(options)
    const end = new StreamEnd(this.#closing)
    const writer = new ChunkWriter(this.#targetUntil(end), settings)
    return nodeWritable({ writer, end, encode: this.#encode, settings })
  }

  readable(options?: BinaryReadOptions): ReadableStream<Uint8Array> {
    demandTurns(this.requests, 'readable()')
    const settings = readSettings(options)
    const end = new StreamEnd(this.#closing, settings.signal)
    return webReadable(new ChunkReader(this.#sourceUntil(end), settings), end)
  }

  writable(options?: BinaryWriteOptions): WritableStream<Uint8Array> {
    demandTurns(this.requests, 'writable()')
    const settings = writeSettings(options)
    const end = new StreamEnd(this.#closing, settings.signal)
    const writer = new ChunkWriter(this.#targetUntil(end), settings)
    return webWritable({ writer, end, encode: this.#encode, highWaterMark: settings.highWaterMark })
  }

  async read(position: number, length: number): Promise<Uint8Array> {
    wholeNumber('position', position, 0)
    if (wholeNumber('length', length, 0) === 0) return new Uint8Array() // no range of Redis is empty
    return ownBytes(await this.#read(position, length))
  }

  async write(position: number, bytes: Uint8Array): Promise<number> {
    const chunk = this.#encode(bytes)
    demandWithinLimit(this.name, wholeNumber('position', position, 0) + chunk.length)
    return await withinLimit(this.name, this.ask(commands.write, { position, chunk }))
  }

  async append(bytes: Uint8Array): Promise<number> {
    return await withinLimit(this.name, this.ask(commands.append, { chunk: this.#encode(bytes) }))
  }

  async truncate(size: number): Promise<void> {
    const args = { size: wholeNumber('size', size, 0) }
    await this.ask(scripts.truncate, args)
  }

  protected override get events(): EventSources {
    return { ...super.events, changed: CHANGED }
  }

  protected override get kind(): ObjectKind {
    return 'string'
  }

  /** One replica may have what others do not have yet, and chunks of several would not fit together. So all come from the master. */
  #sourceUntil(end: StreamEnd): BytesSource {
    const options = { ...FROM_MASTER, endOfWaiting: end.signal }
    return {
      name: this.name,
      read: (position, length) => this.#read(position, length, options),
      size: () => this.ask(size, {}, {}, options),
    }
  }

  #targetUntil(end: StreamEnd): BytesTarget {
    const { name } = this
    const options = { ...EXACTLY_ONCE, withdrawable: true, endOfWaiting: end.signal }
    return {
      name,
      appendAt: (chunk, position) =>
        withinLimit(name, this.ask(scripts.appendAt, { chunk, position: position ?? '' }, {}, options)),
      writeAt: (chunk, position, least) =>
        withinLimit(name, this.ask(scripts.writeAt, { chunk, position, least }, {}, options)),
      clear: async () => {
        await this.ask(scripts.truncate, { size: 0 }, {}, options)
      },
    }
  }

  async #read(position: number, length: number, options?: RunOptions): Promise<Buffer> {
    const args = { first: position, last: position + length - 1 }
    return await this.ask(commands.read, args, {}, options)
  }

  readonly #encode = (bytes: Uint8Array): Buffer => encodeBytesAt(limitedBytes, bytes, { object: this.name })
}
