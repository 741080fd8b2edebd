import { upperProduct } from './upper-product.js'

/*
 * The state is four vectors of four lanes of 64 bits. Each lane is two words of 32 bits, the lower one first, since numbers that small
 * are integers to the engine, while each `bigint` would be an object.
 */
const V0 = 0
const V1 = 8
const MUL0 = 16
const MUL1 = 24
const WORDS = 32

/** The words of a vector, and of a packet. */
const LANES = 8
const PACKET = 32
const ROUNDS = 6

/** The vectors before the first packet: constants of the algorithm, and the key of Redisson. */
// prettier-ignore
const START = Int32Array.of(
  0x8106b23a, 0x45d1ac6c, 0x7572f9e4, 0x5795f842, 0xf0d20115, 0x039bad45, 0x55628646, 0xdc530099,
  0x55398c2a, 0x4499e205, 0x466d4aec, 0x9c41395d, 0x246b2b07, 0x4df6149e, 0xc0bc7966, 0x95e9af73,
  0xfe4cce2f, 0xdbe6d5d5, 0x299f31d0, 0xa4093822, 0x03707344, 0x13198a2e, 0x85a308d3, 0x243f6a88,
  0xcb0ef593, 0x3bd39e10, 0xb5f18a8c, 0xc0acf169, 0x34e90c6c, 0xbe5466cf, 0x38d01377, 0x452821e6,
)

// Hashing is synchronous and calls no other code, so that one state serves all callers.
const state = new Int32Array(WORDS)
const packet = new Int32Array(LANES)
const padded = new Uint8Array(PACKET)
const hash = new Int32Array(4)

// Where each packet passes, words are said to be numbers: to ask for each whether it is there takes a fifth of the time.

/**
 * HighwayHash of 128 bits, after its published reference, with the key that Redisson uses.
 *
 * It names values of any length by 16 bytes. Collisions are hard to construct; but the key is
 * known, so it keeps no secret.
 */
export function highwayHash128(bytes: Uint8Array): Buffer {
  const words = highwayHash128Words(bytes)
  const result = Buffer.allocUnsafe(16)
  for (let at = 0; at < words.length; at += 1) result.writeInt32BE(words[at] ?? 0, at * 4)
  return result
}

/** The same hash as Redisson writes it into names: 22 characters of base64. */
export function highwayHashName(bytes: Uint8Array): string {
  return highwayHash128(bytes).toString('base64').replaceAll('=', '')
}

/**
 * The same hash as four signed words, the highest first, for callers that calculate with it.
 *
 * The array is used again by the next call: read it before anything else is hashed.
 */
export function highwayHash128Words(bytes: Uint8Array): Readonly<Int32Array> {
  state.set(START)
  const whole = bytes.length - (bytes.length % PACKET)
  for (let at = 0; at < whole; at += PACKET) absorb(bytes, at)
  if (whole < bytes.length) absorbRest(bytes, whole)
  for (let round = 0; round < ROUNDS; round += 1) permute()
  sumLanes(0, 4, 0)
  sumLanes(2, 6, 2)
  return hash
}

function absorb(bytes: Uint8Array, from: number): void {
  for (let lane = 0, at = from; lane < LANES; lane += 1, at += 4) {
    packet[lane] =
      (bytes[at] as number) |
      ((bytes[at + 1] as number) << 8) |
      ((bytes[at + 2] as number) << 16) |
      ((bytes[at + 3] as number) << 24)
  }
  mix()
}

/** The last bytes, fewer than a packet: their number goes in as well. */
function absorbRest(bytes: Uint8Array, from: number): void {
  const size = bytes.length - from
  for (let at = 0; at < LANES; at += 2) {
    add(V0 + at, size, size)
    state[V1 + at] = rotate(state[V1 + at] ?? 0, size)
    state[V1 + at + 1] = rotate(state[V1 + at + 1] ?? 0, size)
  }
  pad(bytes, from, size)
  absorb(padded, 0)
}

/** Lays out fewer bytes than a packet as the reference does: whole words first, then what the last ones allow. */
function pad(bytes: Uint8Array, from: number, size: number): void {
  const left = size % 4
  const end = bytes.length
  padded.fill(0)
  for (let at = 0; at < size - left; at += 1) padded[at] = bytes[from + at] ?? 0
  if (size >= 16) {
    for (let at = 0; at < 4; at += 1) padded[28 + at] = bytes[end - 4 + at] ?? 0
  } else if (left > 0) {
    padded[16] = bytes[end - left] ?? 0
    padded[17] = bytes[end - left + (left >> 1)] ?? 0
    padded[18] = bytes[end - 1] ?? 0
  }
}

/** Mixes in the first vector, with its lanes and their halves changed over. */
function permute(): void {
  for (let lane = 0; lane < LANES; lane += 1) packet[lane] = state[V0 + (lane ^ 5)] as number
  mix()
}

function mix(): void {
  for (let at = 0; at < LANES; at += 2) mixLane(at)
  for (let at = 0; at < LANES; at += 4) zipperMerge(V1 + at, V0 + at)
  for (let at = 0; at < LANES; at += 4) zipperMerge(V0 + at, V1 + at)
}

/** Reads every word once and writes it once, since this is where most of the time goes. */
function mixLane(at: number): void {
  const packetLow = packet[at] as number
  const mul0Low = state[MUL0 + at] as number
  const mul0High = state[MUL0 + at + 1] as number
  const mul1Low = state[MUL1 + at] as number
  const mul1High = state[MUL1 + at + 1] as number
  const v0Low = state[V0 + at] as number
  const v0High = state[V0 + at + 1] as number

  const low = (mul0Low + packetLow) | 0
  const high = (mul0High + (packet[at + 1] as number) + carry(low, packetLow)) | 0
  const v1Low = ((state[V1 + at] as number) + low) | 0
  const v1High = ((state[V1 + at + 1] as number) + high + carry(v1Low, low)) | 0
  const sumLow = (v0Low + mul1Low) | 0

  state[V1 + at] = v1Low
  state[V1 + at + 1] = v1High
  state[MUL0 + at] = mul0Low ^ Math.imul(v1Low, v0High)
  state[MUL0 + at + 1] = mul0High ^ upperProduct(v1Low, v0High)
  state[V0 + at] = sumLow
  state[V0 + at + 1] = v0High + mul1High + carry(sumLow, mul1Low)
  state[MUL1 + at] = mul1Low ^ Math.imul(sumLow, v1High)
  state[MUL1 + at + 1] = mul1High ^ upperProduct(sumLow, v1High)
}

/** Adds two lanes to two others, with their bytes interleaved. */
function zipperMerge(from: number, to: number): void {
  const aLow = state[from] as number
  const aHigh = state[from + 1] as number
  const bLow = state[from + 2] as number
  const bHigh = state[from + 3] as number
  const low = (aLow >>> 24) | ((bHigh & 0xff) << 8) | (aLow & 0xff0000) | ((aHigh & 0xff00) << 16)
  const high = ((bHigh >>> 16) & 0xff) | (aLow & 0xff00) | ((bHigh >>> 8) & 0xff0000) | (aLow << 24)
  const nextLow = (bLow >>> 24) | ((aHigh & 0xff) << 8) | (bLow & 0xff0000) | ((bHigh & 0xff00) << 16)
  const nextHigh =
    ((bLow >>> 8) & 0xff) | ((aHigh >>> 8) & 0xff00) | ((bLow & 0xff) << 16) | (aHigh & 0xff000000)
  const sum = ((state[to] as number) + low) | 0
  const nextSum = ((state[to + 2] as number) + nextLow) | 0
  state[to] = sum
  state[to + 1] = (state[to + 1] as number) + high + carry(sum, low)
  state[to + 2] = nextSum
  state[to + 3] = (state[to + 3] as number) + nextHigh + carry(nextSum, nextLow)
}

/** One half of the hash: a lane of the first vector and its multiplier, with another lane of the second and its own. */
function sumLanes(lane: number, other: number, into: number): void {
  addLane(lane, MUL0 + lane)
  addLane(lane, V1 + other)
  addLane(lane, MUL1 + other)
  hash[into] = state[lane + 1] ?? 0
  hash[into + 1] = state[lane] ?? 0
}

function addLane(to: number, from: number): void {
  add(to, state[from] ?? 0, state[from + 1] ?? 0)
}

/** Adds 64 bits to a lane of the state. */
function add(to: number, low: number, high: number): void {
  const sum = ((state[to] ?? 0) + low) | 0
  state[to] = sum
  state[to + 1] = (state[to + 1] ?? 0) + high + carry(sum, low)
}

function carry(sum: number, part: number): 0 | 1 {
  return sum >>> 0 < part >>> 0 ? 1 : 0
}

function rotate(half: number, count: number): number {
  return (half << count) | (half >>> (32 - count))
}
