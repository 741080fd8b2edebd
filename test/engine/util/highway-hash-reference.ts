/** The words that Redisson keys the hash with. */
const KEY = [0x9e3779b97f4a7c15n, 0xf39cc0605cedc834n, 0x1082276bf3a27251n, 0xf86c6a11d0c18e95n] as const

const INIT_0 = [0xdbe6d5d5fe4cce2fn, 0xa4093822299f31d0n, 0x13198a2e03707344n, 0x243f6a8885a308d3n] as const
const INIT_1 = [0x3bd39e10cb0ef593n, 0xc0acf169b5f18a8cn, 0xbe5466cf34e90c6cn, 0x452821e638d01377n] as const

const WORD = 0xffff_ffff_ffff_ffffn
const HALF = 0xffff_ffffn
const PACKET = 32
const LANES = [0, 1, 2, 3] as const

/** HighwayHash of 128 bits as its published reference has it, in numbers of any size: slow, and plain. Returns hex digits. */
export function highwayHashReference(bytes: Uint8Array): string {
  const state = new State()
  const whole = bytes.length - (bytes.length % PACKET)
  for (let at = 0; at < whole; at += PACKET) state.update(bytes.subarray(at, at + PACKET))
  if (whole < bytes.length) state.updateRest(bytes.subarray(whole))
  return state.finish()
}

type Lanes = [bigint, bigint, bigint, bigint]

class State {
  readonly #v0: Lanes
  readonly #v1: Lanes
  readonly #mul0: Lanes = [...INIT_0]
  readonly #mul1: Lanes = [...INIT_1]

  constructor() {
    this.#v0 = lanes((lane) => INIT_0[lane] ^ KEY[lane])
    this.#v1 = lanes((lane) => INIT_1[lane] ^ swapHalves(KEY[lane]))
  }

  update(packet: Uint8Array): void {
    const view = new DataView(packet.buffer, packet.byteOffset, PACKET)
    this.#mix(lanes((lane) => view.getBigUint64(lane * 8, true)))
  }

  /** The last bytes, fewer than a packet: their number goes in as well. */
  updateRest(rest: Uint8Array): void {
    const size = rest.length
    for (const lane of LANES) {
      this.#v0[lane] = add(this.#v0[lane], (BigInt(size) << 32n) + BigInt(size))
      this.#v1[lane] = rotateHalves(this.#v1[lane], BigInt(size))
    }
    this.update(padded(rest))
  }

  finish(): string {
    for (let round = 0; round < 6; round += 1) {
      const [a, b, c, d] = this.#v0
      this.#mix([swapHalves(c), swapHalves(d), swapHalves(a), swapHalves(b)])
    }
    const sum = (lane: 0 | 1, other: 2 | 3): bigint =>
      add(add(this.#v0[lane], this.#mul0[lane]), add(this.#v1[other], this.#mul1[other]))
    const hash = Buffer.alloc(16)
    hash.writeBigUInt64BE(sum(0, 2), 0)
    hash.writeBigUInt64BE(sum(1, 3), 8)
    return hash.toString('hex')
  }

  #mix(packet: Lanes): void {
    const [v0, v1, mul0, mul1] = [this.#v0, this.#v1, this.#mul0, this.#mul1]
    for (const lane of LANES) {
      v1[lane] = add(v1[lane], add(mul0[lane], packet[lane]))
      mul0[lane] ^= (v1[lane] & HALF) * (v0[lane] >> 32n)
      v0[lane] = add(v0[lane], mul1[lane])
      mul1[lane] ^= (v0[lane] & HALF) * (v1[lane] >> 32n)
    }
    zipperMerge(v1, v0, 0, 1)
    zipperMerge(v1, v0, 2, 3)
    zipperMerge(v0, v1, 0, 1)
    zipperMerge(v0, v1, 2, 3)
  }
}

/** Adds two lanes to two others, with their bytes interleaved. */
function zipperMerge(from: Lanes, to: Lanes, low: 0 | 2, high: 1 | 3): void {
  const [a, b] = [from[low], from[high]]
  const merged =
    (((a & 0xff000000n) + (b & 0xff00000000n)) >> 24n) |
    (((a & 0xff0000000000n) + (b & 0xff000000000000n)) >> 16n) |
    (a & 0xff0000n) |
    ((a & 0xff00n) << 32n) |
    ((b & 0xff00000000000000n) >> 8n) |
    ((a << 56n) & WORD)
  to[low] = add(to[low], merged)
  const mergedHigh =
    (((b & 0xff000000n) + (a & 0xff00000000n)) >> 24n) |
    (b & 0xff0000n) |
    ((b & 0xff0000000000n) >> 16n) |
    ((b & 0xff00n) << 24n) |
    ((a & 0xff000000000000n) >> 8n) |
    ((b & 0xffn) << 48n) |
    (a & 0xff00000000000000n)
  to[high] = add(to[high], mergedHigh)
}

/** Fewer bytes than a packet, laid out as the reference does: whole words first, then what the last ones allow. */
function padded(rest: Uint8Array): Uint8Array {
  const size = rest.length
  const packet = new Uint8Array(PACKET)
  const left = size % 4
  packet.set(rest.subarray(0, size - left))
  if (size >= 16) packet.set(rest.subarray(size - 4), 28)
  else if (left > 0)
    packet.set([at(rest, size - left), at(rest, size - left + (left >> 1)), at(rest, size - 1)], 16)
  return packet
}

function at(bytes: Uint8Array, index: number): number {
  return bytes[index] ?? 0
}

function lanes(of: (lane: 0 | 1 | 2 | 3) => bigint): Lanes {
  return [of(0), of(1), of(2), of(3)]
}

function add(one: bigint, other: bigint): bigint {
  return (one + other) & WORD
}

function swapHalves(word: bigint): bigint {
  return (word >> 32n) | ((word & HALF) << 32n)
}

/** Rotates the two halves of a word by themselves. */
function rotateHalves(word: bigint, count: bigint): bigint {
  return (rotateHalf(word >> 32n, count) << 32n) | rotateHalf(word & HALF, count)
}

function rotateHalf(half: bigint, count: bigint): bigint {
  return ((half << count) | (half >> (32n - count))) & HALF
}
