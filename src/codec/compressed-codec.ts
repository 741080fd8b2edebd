import { constants } from 'node:buffer'
import zlib from 'node:zlib'
import type { Codec, CompressedCodecOptions, Compression } from '../api/codec.js'
import { inspectShort, inspectWord } from '../util/inspect-short.js'
import { asBuffer } from './bytes.js'
import { cannotDecode, cannotEncode, isEncoded, notEncoded } from './codec-failure.js'
import { codecOf } from './codec-of.js'
import { demandNames } from './codec-options.js'
import { contentSizeOf } from './zstd-frame.js'

interface Algorithm {
  readonly compress: (bytes: Uint8Array | string) => Buffer
  readonly decompress: (bytes: Buffer, options: { readonly maxOutputLength: number }) => Buffer
}

/** What Redis holds in one value at most. */
const MAX_BYTES = 512 * 1024 * 1024

/**
 * Compresses what another codec writes. Redisson for Java has other frames around such values, so they are for Node alone.
 *
 * Other versions of Node may compress one value to other bytes, so it is for values, not for keys or members of sets.
 *
 * It is done at once, in the thread of the program: a megabyte takes some milliseconds.
 *
 * @param codec - the codec of what is compressed
 * @param compression - `zstd` is quicker than `gzip` and makes less of a value; Node has it from 22.15 on
 * @throws `TypeError` for an algorithm that is not known, or that this Node does not have, and for an unknown option; `RangeError` for a wrong `maxBytes`
 */
export function compressed<T>(
  codec: Codec<T>,
  compression: Compression,
  options: CompressedCodecOptions = {},
): Codec<T> {
  const inner = codecOf(codec, '`codec` of compressed()')
  const maxBytes = checkedMaxBytes(options)
  const { compress, decompress } = algorithmOf(compression)
  const name = `${inner.name} in ${compression}`
  const decompressed = (bytes: Uint8Array) => {
    try {
      return decompress(asBuffer(bytes), { maxOutputLength: maxBytes })
    } catch (cause) {
      const expected = isTooLong(cause) ? atMost(maxBytes) : `data in ${compression}`
      throw cannotDecode(name, expected, bytes, { cause })
    }
  }
  return Object.freeze({
    name,
    encode(value: T) {
      const encoded: unknown = inner.encode(value)
      // The error of zlib would cite what it is given.
      if (!isEncoded(encoded)) throw notEncoded(inner.name, encoded)
      const length = Buffer.byteLength(encoded)
      if (length > maxBytes) throw cannotEncode(name, atMost(maxBytes), String(length))
      return compress(encoded)
    },
    decode(bytes: Uint8Array) {
      return inner.decode(decompressed(bytes))
    },
  })
}

function checkedMaxBytes(options: CompressedCodecOptions): number {
  demandNames('compressed()', options, ['maxBytes'])
  const { maxBytes = MAX_BYTES } = options
  if (Number.isSafeInteger(maxBytes) && maxBytes >= 1 && maxBytes <= constants.MAX_LENGTH) return maxBytes
  throw new RangeError(
    `Expected \`maxBytes\` of compressed() to be a whole number from 1 to ${String(constants.MAX_LENGTH)}, got ${inspectShort(maxBytes)}`,
  )
}

function atMost(bytes: number): string {
  return `${String(bytes)} bytes or less without compression`
}

function isTooLong(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'ERR_BUFFER_TOO_LARGE'
}

function algorithmOf(compression: Compression): Algorithm {
  switch (compression) {
    case 'gzip':
      return { compress: zlib.gzipSync, decompress: zlib.gunzipSync }
    case 'brotli':
      return { compress: zlib.brotliCompressSync, decompress: zlib.brotliDecompressSync }
    case 'zstd':
      return zstd()
    default:
      throw new TypeError(
        `Expected the compression to be 'zstd', 'gzip' or 'brotli', got ${inspectWord(compression)}`,
      )
  }
}

function zstd(): Algorithm {
  const { zstdCompressSync, zstdDecompressSync } = zlib as Partial<typeof zlib>
  if (zstdCompressSync && zstdDecompressSync)
    return {
      compress: zstdCompressSync,
      decompress: (bytes, options) => demandWhole(bytes, zstdDecompressSync(bytes, options)),
    }
  throw new TypeError(
    `Expected a Node that has zstd, from 22.15 on, got ${process.version}: take 'gzip' or 'brotli'`,
  )
}

function demandWhole(frame: Buffer, content: Buffer): Buffer {
  const expected = contentSizeOf(frame) ?? content.length
  if (expected === content.length) return content
  throw new RangeError(`Expected ${String(expected)} bytes of content, got ${String(content.length)}`)
}
