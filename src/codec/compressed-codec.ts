import zlib from 'node:zlib'
import type { Codec, Compression } from '../api/codec.js'
import { inspectWord } from '../util/inspect-short.js'
import { asBuffer } from './bytes.js'
import { cannotDecode, isEncoded, notEncoded } from './codec-failure.js'
import { codecOf } from './codec-of.js'
import { contentSizeOf } from './zstd-frame.js'

interface Algorithm {
  readonly compress: (bytes: Uint8Array | string) => Buffer
  readonly decompress: (bytes: Buffer, options: { readonly maxOutputLength: number }) => Buffer
}

/** What Redis holds in one value at most, so that a few bytes cannot fill the memory. */
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
 * @throws `TypeError` for an algorithm that is not known, or that this Node does not have
 */
export function compressed<T>(codec: Codec<T>, compression: Compression): Codec<T> {
  const inner = codecOf(codec, '`codec` of compressed()')
  const { compress, decompress } = algorithmOf(compression)
  const name = `${inner.name} in ${compression}`
  return Object.freeze({
    name,
    encode(value: T) {
      const encoded: unknown = inner.encode(value)
      // The error of zlib would cite what it is given.
      if (!isEncoded(encoded)) throw notEncoded(inner.name, encoded)
      return compress(encoded)
    },
    decode(bytes: Uint8Array) {
      return inner.decode(decompressed(name, compression, bytes, decompress))
    },
  })
}

function decompressed(
  name: string,
  compression: Compression,
  bytes: Uint8Array,
  decompress: Algorithm['decompress'],
): Buffer {
  try {
    return decompress(asBuffer(bytes), { maxOutputLength: MAX_BYTES })
  } catch (cause) {
    throw cannotDecode(name, `data in ${compression}`, bytes, { cause })
  }
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
