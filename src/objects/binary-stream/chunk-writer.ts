import { BinaryStreamChangedError } from './binary-stream.errors.js'
import { ClientClosedError } from '../../errors/client-errors.js'
import { isRedissonError } from '../../errors/redisson-error.js'
import { demandWithinLimit } from './size-limit.js'
import type { WriteSettings } from './stream-settings.js'

/** How many bytes of small chunks are joined to one. */
const MOST_JOINED = 2 ** 20

/** Where the bytes go. Each call takes effect once. */
export interface BytesTarget {
  readonly name: string
  /**
   * Appends a chunk if there are as many bytes as expected.
   *
   * @param position - undefined for any number
   * @returns how many there were
   */
  appendAt(chunk: Buffer, position: number | undefined): Promise<number>
  /**
   * Writes a chunk at a position if there are as many bytes as demanded, or more.
   *
   * @returns how many there were
   */
  writeAt(chunk: Buffer, position: number, least: number): Promise<number>
  /** Removes all bytes. */
  clear(): Promise<void>
}

/** Writes bytes in order, and none where others have come in between. A call is made when the one before has settled. */
export class ChunkWriter {
  readonly #target: BytesTarget
  readonly #settings: WriteSettings
  /** Where the next chunk belongs; undefined for wherever the end is. */
  #position: number | undefined
  /** How many bytes there are at least, as far as this writer knows. */
  #least = 0
  #isOpen: boolean
  /** Resolves when the last call has settled, whatever becomes of it. */
  #settled: Promise<unknown> = Promise.resolve()
  #isWriting = false

  constructor(target: BytesTarget, settings: WriteSettings) {
    this.#target = target
    this.#settings = settings
    this.#position = settings.flags === 'a' ? undefined : settings.start
    this.#isOpen = settings.flags !== 'w'
  }

  /** Writes chunks, the small ones joined. */
  write(chunks: readonly Buffer[]): Promise<void> {
    return this.#noted(this.#writeAll(chunks))
  }

  /** Replaces the value even if no chunk has come. */
  end(): Promise<void> {
    return this.#noted(this.#open())
  }

  /** The error of a stream that is ended by its client. What is under way then may be written all the same. */
  failureBy(reason: Error): Error {
    const isOpen = this.#isWriting && isRedissonError(reason, 'CLOSED')
    return isOpen ? new ClientClosedError(reason.message, { mayHaveRun: true }) : reason
  }

  /** Resolves when nothing is under way any more. */
  async settled(): Promise<void> {
    await this.#settled
  }

  #noted(call: Promise<void>): Promise<void> {
    const settle = () => {
      this.#isWriting = false
    }
    this.#isWriting = true
    this.#settled = call.then(settle, settle)
    return call
  }

  async #writeAll(chunks: readonly Buffer[]): Promise<void> {
    await this.#open()
    for (const joined of joinedUpTo(MOST_JOINED, chunks)) await this.#write(joined)
  }

  async #open(): Promise<void> {
    if (this.#isOpen) return
    await this.#target.clear()
    this.#isOpen = true
  }

  async #write(chunk: Buffer): Promise<void> {
    demandWithinLimit(this.#target.name, (this.#position ?? 0) + chunk.length)
    const position = this.#settings.flags === 'r+' ? await this.#writeAt(chunk) : await this.#appendAt(chunk)
    this.#position = position + chunk.length
    this.#least = this.#position
  }

  /** Returns where the chunk is. */
  async #appendAt(chunk: Buffer): Promise<number> {
    const expected = this.#position
    const size = await this.#target.appendAt(chunk, expected)
    if (expected !== undefined && size !== expected) throw this.#changed(expected, size)
    return size
  }

  async #writeAt(chunk: Buffer): Promise<number> {
    const position = this.#position ?? 0
    const size = await this.#target.writeAt(chunk, position, this.#least)
    if (size < this.#least) throw this.#changed(this.#least, size)
    return position
  }

  #changed(expectedSize: number, size: number): BinaryStreamChangedError {
    return new BinaryStreamChangedError({ object: this.#target.name, expectedSize, size })
  }
}

/** Joins chunks that are next to each other and come to no more bytes than these, without those that are empty. None is divided. */
function* joinedUpTo(most: number, chunks: readonly Buffer[]): Generator<Buffer> {
  let waiting: Buffer[] = []
  let length = 0
  for (const chunk of chunks) {
    if (length > 0 && length + chunk.length > most) {
      yield joined(waiting)
      waiting = []
      length = 0
    }
    if (chunk.length > 0) waiting.push(chunk)
    length += chunk.length
  }
  if (length > 0) yield joined(waiting)
}

/** One chunk is not copied. */
function joined(chunks: readonly Buffer[]): Buffer {
  const [only, second] = chunks
  return only !== undefined && second === undefined ? only : Buffer.concat(chunks)
}
