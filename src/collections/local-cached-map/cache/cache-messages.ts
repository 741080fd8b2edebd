/**
 * What local caches of one map tell each other, as Redisson for Java does, but for evictions, which only local cached map caches of this library
 * have. All integers are big-endian.
 */
export type CacheMessage =
  | {
      readonly type: 'clear'
      readonly sender: string
      readonly requestId: string
      readonly isConfirmed: boolean
    }
  | { readonly type: 'invalidate'; readonly sender: string; readonly hashes: readonly string[] }
  | {
      readonly type: 'update'
      readonly sender: string
      readonly entries: readonly (readonly [key: Buffer, value: Buffer])[]
    }
  | { readonly type: 'evict'; readonly keys: readonly Buffer[] }
  | {
      readonly type: 'disable'
      readonly requestId: string
      readonly timeoutMs: number
      readonly isWhole: boolean
      readonly hashes: readonly string[]
    }
  | {
      readonly type: 'enable'
      readonly requestId: string
      readonly isWhole: boolean
      readonly hashes: readonly string[]
    }

/** How long an id is, and the hash of a key. */
export const ID_BYTES = 16

/** The number of a message: its first byte. */
const CLEAR = 0
const INVALIDATE = 1
const UPDATE = 2
const DISABLE = 3
const DISABLED = 4
const ENABLE = 5

/** One of this library alone: `evicted.lua` makes it. */
const EVICT = 0x80

/** Confirms that nothing is cached of what a transaction changes. */
export const DISABLED_MESSAGE = Buffer.of(DISABLED)

/** @param isConfirmed - whether each client releases a permit of the semaphore of this request */
export function clearMessage(sender: Buffer, requestId: Buffer, isConfirmed: boolean): Buffer {
  return Buffer.concat([Buffer.of(CLEAR), sender, requestId, Buffer.of(isConfirmed ? 1 : 0)])
}

export function invalidateMessage(sender: Buffer, hashes: readonly Buffer[]): Buffer {
  return Buffer.concat([Buffer.of(INVALIDATE), sender, int32(hashes.length), ...hashes])
}

export function updateMessage(sender: Buffer, entries: readonly (readonly [Buffer, Buffer])[]): Buffer {
  const parts = entries.flatMap(([key, value]) => [int32(key.length), key, int32(value.length), value])
  return Buffer.concat([Buffer.of(UPDATE), sender, ...parts])
}

/**
 * Reads a message. Returns undefined for one that no local cache is meant to receive.
 *
 * @throws RangeError for what is no message
 */
export function readCacheMessage(payload: Buffer): CacheMessage | undefined {
  const reader = new MessageReader(payload)
  switch (reader.byte()) {
    case CLEAR:
      return {
        type: 'clear',
        sender: reader.id(),
        requestId: reader.bytes(ID_BYTES).toString('hex'),
        isConfirmed: reader.byte() !== 0,
      }
    case INVALIDATE:
      return { type: 'invalidate', sender: reader.id(), hashes: reader.hashes() }
    case UPDATE:
      return { type: 'update', sender: reader.id(), entries: reader.entries() }
    case EVICT:
      return { type: 'evict', keys: reader.keys() }
    case DISABLE:
      return {
        type: 'disable',
        requestId: reader.text(),
        timeoutMs: reader.int64(),
        isWhole: reader.byte() !== 0,
        hashes: reader.hashes(),
      }
    case ENABLE:
      return {
        type: 'enable',
        requestId: reader.text(),
        isWhole: reader.byte() !== 0,
        hashes: reader.hashes(),
      }
    case DISABLED:
      return undefined
    default:
      throw new RangeError('Expected a message of a local cache, got one of an unknown type')
  }
}

/** Reads one part of a message after the other. */
class MessageReader {
  readonly #payload: Buffer
  #at = 0

  constructor(payload: Buffer) {
    this.#payload = payload
  }

  bytes(length: number): Buffer {
    const end = this.#at + length
    if (length < 0 || end > this.#payload.length)
      throw new RangeError('Expected a message of a local cache, got a part of one')
    const part = this.#payload.subarray(this.#at, end)
    this.#at = end
    return part
  }

  byte(): number {
    return this.bytes(1).readUInt8()
  }

  int64(): number {
    return Number(this.bytes(8).readBigInt64BE())
  }

  /** An id or a hash, as a text that is the same for the same bytes. */
  id(): string {
    return this.bytes(ID_BYTES).toString('latin1')
  }

  text(): string {
    return this.bytes(this.byte()).toString('latin1')
  }

  hashes(): string[] {
    const count = this.#int32()
    if (count < 0 || count * ID_BYTES > this.#payload.length)
      throw new RangeError('Expected a message of a local cache, got a part of one')
    return Array.from({ length: count }, () => this.id())
  }

  entries(): (readonly [Buffer, Buffer])[] {
    const entries: (readonly [Buffer, Buffer])[] = []
    while (this.#at < this.#payload.length)
      entries.push([this.bytes(this.#int32()), this.bytes(this.#int32())])
    return entries
  }

  keys(): Buffer[] {
    const keys: Buffer[] = []
    while (this.#at < this.#payload.length) keys.push(this.bytes(this.#int32()))
    return keys
  }

  #int32(): number {
    return this.bytes(4).readInt32BE()
  }
}

function int32(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(4)
  bytes.writeInt32BE(value)
  return bytes
}
