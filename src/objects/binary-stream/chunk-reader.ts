import { BinaryStreamChangedError } from './binary-stream.errors.js'
import type { ReadSettings } from './stream-settings.js'

/** Where the bytes are. */
export interface BytesSource {
  readonly name: string
  read(position: number, length: number): Promise<Buffer>
  size(): Promise<number>
}

/** Reads bytes in order, one chunk for each call. */
export class ChunkReader {
  readonly #source: BytesSource
  readonly #settings: ReadSettings
  #position: number
  /** Whether fewer bytes have come than were asked for. */
  #isOver = false

  constructor(source: BytesSource, settings: ReadSettings) {
    this.#source = source
    this.#settings = settings
    this.#position = settings.start
  }

  /**
   * The next chunk; undefined at the end.
   *
   * @throws {@link BinaryStreamChangedError} if there is less than was read already
   */
  async next(): Promise<Buffer | undefined> {
    const { highWaterMark, start, end } = this.#settings
    const length = Math.min(highWaterMark, end - this.#position)
    while (!this.#isOver && length > 0) {
      const chunk = await this.#source.read(this.#position, length)
      this.#position += chunk.length
      if (chunk.length > 0) {
        this.#isOver = chunk.length < length
        return chunk
      }
      this.#isOver = this.#position === start || (await this.#isAtEnd())
    }
    return undefined
  }

  /** What is at its end looks like what has become shorter; and that may have become longer again before it is asked. */
  async #isAtEnd(): Promise<boolean> {
    const { name } = this.#source
    const size = await this.#source.size()
    if (size >= this.#position) return size === this.#position
    throw new BinaryStreamChangedError({ object: name, expectedSize: this.#position, size })
  }
}
