import type { Readable, Writable } from 'node:stream'
import type { ReadableStream, WritableStream } from 'node:stream/web'
import type { ObjectEvent, ObjectListener } from '../../api/object.js'
import type { ListenOptions, Subscription } from '../../topics/shared/subscription.api.js'
import type { RBucket } from '../bucket/bucket.api.js'

/** What is read of a binary stream, and in which chunks. */
export interface BinaryReadOptions {
  /**
   * The position of the first byte.
   *
   * @defaultValue 0
   */
  readonly start?: number | undefined
  /**
   * The position of the last byte, which is included.
   *
   * @defaultValue Infinity: the end of the value
   */
  readonly end?: number | undefined
  /**
   * How many bytes a chunk has, which is what one request asks for. About one chunk is read ahead.
   *
   * @defaultValue 262 144
   */
  readonly highWaterMark?: number | undefined
  /** Ends the stream with an error when it aborts. */
  readonly signal?: AbortSignal | undefined
}

/** Where a stream writes, as `fs` calls it: `a` at the end of the value, `w` in place of it, `r+` into it. */
export type BinaryWriteFlags = 'a' | 'w' | 'r+'

/** Where a binary stream is written, and how much of that may wait. */
export interface BinaryWriteOptions {
  /**
   * - `a`: at the end of the value.
   * - `w`: in place of the value. What there was is removed before the first chunk is written; the time to live stays.
   * - `r+`: over what there is, from `start` on. Zeros fill the gap between the end of the value and a `start` beyond it.
   *
   * @defaultValue `r+` with a `start`, otherwise `a`
   */
  readonly flags?: BinaryWriteFlags | undefined
  /**
   * The position of the first byte that is written, with `r+` only.
   *
   * @defaultValue 0
   */
  readonly start?: number | undefined
  /**
   * How many bytes may wait before the program is asked to wait.
   *
   * @defaultValue 262 144
   */
  readonly highWaterMark?: number | undefined
  /** Ends the stream with an error when it aborts. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Bytes that all clients of the same servers share, in Node and in Java, to be read and written in parts:
 * Redisson's `RBinaryStream`.
 *
 * It is a {@link RBucket} of bytes, with a length of at most 512 MB (2²⁹ bytes), which is the limit of Redis.
 * Besides the methods of a bucket it has streams of Node, web streams, and methods that read and write at a
 * position.
 *
 * **Streams** read a chunk on demand, and write the next one when Redis has confirmed the previous one. So
 * they take the memory of one or two chunks, however long the value is. A chunk is one request, and O(n) for
 * its n bytes. A stream that is neither used up nor destroyed stays in memory, like any open file.
 *
 * **A stream writes each chunk once and in order.** Each chunk has an idempotency key, with or without
 * `exactlyOnce`: if a reply is lost, the request is sent again and takes effect once. Each chunk is written
 * only if the value still has the length that the stream expects. Otherwise the stream ends with a
 * {@link BinaryStreamChangedError}, and writes no more. Then another client has written or removed the value,
 * its time to live has ended, or a failover has lost the last chunk. Chunks written before stay. So only one
 * stream may write to a name at a time. If several clients add whole records, use
 * {@link RBinaryStream.append}.
 *
 * `append` and the methods of a bucket that change something "in one step" are not sent again when their
 * reply is lost. With `exactlyOnce` they are.
 *
 * All methods reject with a {@link WrongTypeError} if the name belongs to another kind of object, unless they replace it as those of a bucket do.
 *
 * @example
 * ```ts
 * import { createReadStream, createWriteStream } from 'node:fs'
 * import { pipeline } from 'node:stream/promises'
 *
 * const photo = client.getBinaryStream('photos:7')
 * await pipeline(createReadStream('photo.jpg'), photo.createWriteStream({ flags: 'w' }))
 * await pipeline(photo.createReadStream(), createWriteStream('copy.jpg'))
 * ```
 */
export interface RBinaryStream extends RBucket<Uint8Array> {
  /**
   * Reads the bytes in order, as a stream of Node. Nothing is sent before it is read.
   *
   * Each chunk is read at the master on demand, so the value may change in between. Bytes that are appended
   * before the stream has reached the end are read too. Overwritten bytes are read as they are by then. If
   * the value becomes shorter than the part that was read, for example when it is removed or expires, the
   * stream fails with a {@link BinaryStreamChangedError}. If the value does not exist when the stream begins,
   * or `start` is beyond its end, the stream is empty.
   *
   * One round trip for each chunk, and at most two more at the end. When the client is shut down, the stream fails with a {@link ClientClosedError}.
   *
   * @throws RangeError for a `start`, `end` or `highWaterMark` that is none; TypeError for other options
   * @throws {@link NotInBatchError} in a batch
   * @example
   * ```ts
   * const log = client.getBinaryStream('log')
   * await log.append(Buffer.from('one two three'))
   * for await (const chunk of log.createReadStream({ start: 4, end: 6 })) console.log(String(chunk)) // two
   * ```
   */
  createReadStream(options?: BinaryReadOptions): Readable

  /**
   * Writes bytes in order, as a stream of Node. Nothing is sent before it is written to, or ended.
   *
   * The callback of a write is called when Redis has confirmed it. Small chunks that wait meanwhile are
   * joined up to 1 MiB; a chunk is never divided. Chunks that were waiting together get the same error, even
   * if the first of them were written.
   *
   * **The event `close` comes when no chunk is in progress any more**, even if the stream has failed or was
   * destroyed. A chunk without a reply is withdrawn before that: the stream writes its idempotency key, so
   * that the chunk has no effect if the network delivers it later. That lasts for a minute at least.
   * `mayHaveRun` of the error is false if the withdrawal was in time. If it is true, the chunk was written,
   * or Redis could not be reached for the withdrawal either, which is tried as often as any request. Then the
   * chunk may still arrive and overwrite later data. To rule that out, write under a fresh name, and rename
   * it at the end.
   *
   * While its slot of a cluster moves, a chunk waits. If that takes longer than requests are repeated, the
   * stream fails with a {@link ServerNotReadyError}. When the client is shut down, the stream fails with a
   * {@link ClientClosedError}; its `mayHaveRun` says whether a chunk was in progress.
   *
   * @throws RangeError for `start` or `highWaterMark`, and TypeError for other options that are wrong
   * @throws {@link NotInBatchError} in a batch
   * @example
   * ```ts
   * import { pipeline } from 'node:stream/promises'
   *
   * const upload = client.getBinaryStream('upload')
   * await pipeline(['one ', 'two'], upload.createWriteStream({ flags: 'w' }))
   * console.log(await upload.size()) // 7
   * ```
   */
  createWriteStream(options?: BinaryWriteOptions): Writable

  /**
   * Reads the bytes in order, as a web stream. See {@link RBinaryStream.createReadStream}. It is a stream of bytes, which a BYOB reader may read, and reads nothing ahead.
   *
   * @example
   * ```ts
   * const page = client.getBinaryStream('page')
   * await page.set(Buffer.from('<h1>hello</h1>'))
   * const response = new Response(page.readable())
   * console.log(await response.text()) // <h1>hello</h1>
   * ```
   */
  readable(options?: BinaryReadOptions): ReadableStream<Uint8Array>

  /**
   * Writes bytes in order, as a web stream. See {@link RBinaryStream.createWriteStream}. Each chunk is a request of its own, and its `write()` resolves when Redis has confirmed
   * it. The promises of `closed` and `abort()` settle when no chunk is in progress any more, as the event `close` does.
   *
   * @example
   * ```ts
   * const copy = client.getBinaryStream('copy')
   * await new Blob(['a text']).stream().pipeTo(copy.writable({ flags: 'w' }))
   * console.log(await copy.size()) // 6
   * ```
   */
  writable(options?: BinaryWriteOptions): WritableStream<Uint8Array>

  /**
   * Returns the bytes from a position on, as many as there are, which may be none. One round trip, O(n) for n bytes.
   *
   * @param position - 0 for the first byte
   * @param length - how many bytes at most
   * @throws RangeError for a position or a length that is negative, or no whole number
   */
  read(position: number, length: number): Promise<Uint8Array>

  /**
   * Writes bytes at a position, over those that are there. Returns how long the value is then. Zeros fill the gap where it was shorter than the position; no bytes change nothing. One
   * round trip, O(n) for n bytes. It is sent again if its reply is lost: what has been written there in between is overwritten then. With `exactlyOnce` it takes effect once.
   *
   * @param position - 0 for the first byte
   * @throws RangeError for a position that is negative or no whole number, and if the value would become longer than 512 MB; nothing is changed then
   * @throws {@link CodecError} for what is no `Uint8Array`, and for one whose buffer was transferred or made shorter
   */
  write(position: number, bytes: Uint8Array): Promise<number>

  /**
   * Adds bytes at the end in one step, and returns how long the value is then. Any number of clients may do so at once: the bytes of one call stay together. One round trip, O(n) for n
   * bytes.
   *
   * @throws RangeError if the value would become longer than 512 MB; nothing is changed then
   * @throws {@link CodecError} for what is no `Uint8Array`, and for one whose buffer was transferred or made shorter
   * @example
   * ```ts
   * const audit = client.getBinaryStream('audit', { exactlyOnce: true })
   * const end = await audit.append(Buffer.from('07:00 opened\n'))
   * console.log(Buffer.from(await audit.read(end - 7, 6)).toString()) // opened
   * ```
   */
  append(bytes: Uint8Array): Promise<number>

  /**
   * Removes all bytes but the first ones. A value that has no more than these stays as it is. The time to live stays, and a value of 0 bytes is left rather than none:
   * `delete()` removes it. One round trip, O(n) for the n bytes that stay. It is sent again if its reply is lost: what another client has appended in between is removed
   * then.
   *
   * @param size - how many bytes stay
   * @throws RangeError for a size that is negative, or no whole number
   */
  truncate(size: number): Promise<void>

  /**
   * Listens for the events of {@link RBucket.addListener}, and for `changed`, when bytes were set, appended or written at a position. Both need `K$` in
   * `notify-keyspace-events`.
   */
  addListener(
    event: ObjectEvent | 'set' | 'changed',
    listener: ObjectListener,
    options?: ListenOptions,
  ): Promise<Subscription>
}
