import type { Readable, Writable } from 'node:stream'
import type { ReadableStream, WritableStream } from 'node:stream/web'
import type { BinaryReadOptions, BinaryWriteOptions, RBinaryStream } from '../../api/objects/binary-stream.js'
import { encodeBytesAt } from '../../codec/encoding.js'
import { demandTurns, type RunOptions } from '../../command/command-executor.js'
import { wholeNumber } from '../../core/arguments.js'
import type { ObjectContext } from '../../core/object-context.js'
import type { EventSources } from '../../core/object-events.js'
import { refuseSurplus } from '../../core/options.js'
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

  readonly #options: RunOptions
  /** Aborts when the client closes. */
  readonly #closing: AbortSignal

  constructor(context: ObjectContext, name: string, run: RunOptions) {
    super(context, name, { codec: limitedBytes, run })
    this.#options = run
    this.#closing = context.closing
  }

  createReadStream(options?: BinaryReadOptions): Readable {
    demandTurns(this.executor, 'createReadStream()')
    const settings = readSettings(options)
    const end = new StreamEnd(this.#closing)
    return nodeReadable(new ChunkReader(this.#sourceUntil(end), settings), end, settings)
  }

  createWriteStream(options?: BinaryWriteOptions): Writable {
    demandTurns(this.executor, 'createWriteStream()')
    const settings = writeSettings(options)
    const end = new StreamEnd(this.#closing)
    const writer = new ChunkWriter(this.#targetUntil(end), settings)
    return nodeWritable({ writer, end, encode: this.#encode, settings })
  }

  readable(options?: BinaryReadOptions): ReadableStream<Uint8Array> {
    demandTurns(this.executor, 'readable()')
    const settings = readSettings(options)
    const end = new StreamEnd(this.#closing, settings.signal)
    return webReadable(new ChunkReader(this.#sourceUntil(end), settings), end)
  }

  writable(options?: BinaryWriteOptions): WritableStream<Uint8Array> {
    demandTurns(this.executor, 'writable()')
    const settings = writeSettings(options)
    const end = new StreamEnd(this.#closing, settings.signal)
    const writer = new ChunkWriter(this.#targetUntil(end), settings)
    return webWritable({ writer, end, encode: this.#encode, highWaterMark: settings.highWaterMark })
  }

  async read(position: number, length: number): Promise<Uint8Array> {
    wholeNumber('position', position, 0)
    if (wholeNumber('length', length, 0) === 0) return new Uint8Array() // no range of Redis is empty
    return ownBytes(await this.#read(position, length, this.reading))
  }

  async write(position: number, bytes: Uint8Array): Promise<number> {
    const chunk = this.#encode(bytes)
    demandWithinLimit(this.name, wholeNumber('position', position, 0) + chunk.length)
    const call = { keys: this.#keys, args: { position, chunk } }
    return await withinLimit(this.name, this.executor.run(commands.write, call, this.#options))
  }

  async append(bytes: Uint8Array): Promise<number> {
    const call = { keys: this.#keys, args: { chunk: this.#encode(bytes) } }
    return await withinLimit(this.name, this.executor.run(commands.append, call, this.#options))
  }

  async truncate(size: number): Promise<void> {
    const args = { size: wholeNumber('size', size, 0) }
    await this.executor.run(scripts.truncate, { keys: this.#keys, args }, this.#options)
  }

  protected override get events(): EventSources {
    return { ...super.events, changed: CHANGED }
  }

  protected override get kind(): ObjectKind {
    return 'string'
  }

  get #keys() {
    return { bytes: this.key }
  }

  /** One replica may have what others do not have yet, and chunks of several would not fit together. So all come from the master. */
  #sourceUntil(end: StreamEnd): BytesSource {
    const options = { endOfWaiting: end.signal }
    return {
      name: this.name,
      read: (position, length) => this.#read(position, length, options),
      size: () => this.executor.run(size, { keys: { bucket: this.key }, args: {} }, options),
    }
  }

  #targetUntil(end: StreamEnd): BytesTarget {
    const { executor, name } = this
    const keys = this.#keys
    const options = { ...EXACTLY_ONCE, withdrawable: true, endOfWaiting: end.signal }
    return {
      name,
      appendAt: (chunk, position) => {
        const call = { keys, args: { chunk, position: position ?? '' } }
        return withinLimit(name, executor.run(scripts.appendAt, call, options))
      },
      writeAt: (chunk, position, least) =>
        withinLimit(name, executor.run(scripts.writeAt, { keys, args: { chunk, position, least } }, options)),
      clear: async () => {
        await executor.run(scripts.truncate, { keys, args: { size: 0 } }, options)
      },
    }
  }

  async #read(position: number, length: number, options: RunOptions): Promise<Buffer> {
    const args = { first: position, last: position + length - 1 }
    return await this.executor.run(commands.read, { keys: this.#keys, args }, options)
  }

  readonly #encode = (bytes: Uint8Array): Buffer => encodeBytesAt(limitedBytes, bytes, { object: this.name })
}
