import { RedissonError } from '../../errors/redisson-error.js'

/**
 * A binary stream does not have the length any more that its reader or writer expects. Another client has
 * written, shortened or removed it, its time to live has ended, or a failover has lost the last write. The
 * chunk was not written; earlier chunks stay as they are.
 */
export class BinaryStreamChangedError extends RedissonError {
  override readonly name = 'BinaryStreamChangedError'
  override readonly code = 'BINARY_STREAM_CHANGED'
  /** The name of the binary stream, as the program gave it. */
  readonly object: string
  /** How many bytes it had when it was read or written last. */
  readonly expectedSize: number
  /** How many bytes it has now. */
  readonly size: number

  constructor({ object, expectedSize, size }: BinaryStreamSizes) {
    super(
      `The binary stream ${object} was ${String(expectedSize)} bytes long, and is ${String(size)} now: ` +
        'another client has changed it, or it has expired, or a failover has lost the last write',
    )
    this.object = object
    this.expectedSize = expectedSize
    this.size = size
  }
}

/** The facts of a {@link BinaryStreamChangedError}. */
export type BinaryStreamSizes = Pick<BinaryStreamChangedError, 'object' | 'expectedSize' | 'size'>
