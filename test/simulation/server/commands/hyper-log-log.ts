import { CommandError } from '../command-error.js'
import { OK, type Bytes } from '../reply.js'
import { command, word, type Command, type Context } from './command.js'

/** How many bits of a hash are the number of a register; the others are searched for the first one that is set. */
const INDEX_BITS = 14n
const SEARCHED_BITS = 50
const REGISTERS = 2 ** Number(INDEX_BITS)

const HEADER = Buffer.from('HYLL\0\0\0\0\0\0\0\0\0\0\0\0', 'latin1')
/** The last byte of the count that the header keeps. Its highest bit says that the count is out of date. */
const COUNT_AGE = 15
const OUT_OF_DATE = 0x80
const BITS_OF_REGISTER = 6
const DENSE_LENGTH = HEADER.length + (REGISTERS * BITS_OF_REGISTER) / 8

/** The constant of the estimator for infinitely many registers. */
const ALPHA = 1 / (2 * Math.LN2)

const MURMUR_FACTOR = 0xc6a4a7935bd1e995n
const MURMUR_SHIFT = 47n
const MURMUR_SEED = 0xadc83b19n

/** HyperLogLogs, always in the dense form: what `GET` returns of a small one is another string than in Redis. */
export const hyperLogLogs: readonly Command[] = [
  command('pfadd', -2, 'grow', ({ database, notify }, [key = '', ...values]) => {
    const found = database.read(key, 'string')
    const log = open(found)
    const changes = values.filter((value) => raise(log, ...registerOf(value))).length
    if (found !== undefined && changes === 0) return 0
    log[COUNT_AGE] = OUT_OF_DATE
    database.put(key, { type: 'string', value: textOf(log), expireAt: database.find(key)?.expireAt })
    notify('$', 'pfadd', key)
    return 1
  }),
  command('pfcount', -2, 'read', (context, keys) => {
    if (keys.length === 1) return countOne(context, word(keys, 0))
    return estimateOf(unionOf(context, keys))
  }),
  command('pfmerge', -2, 'grow', (context, keys) => {
    const { database, notify } = context
    const key = word(keys, 0)
    const union = unionOf(context, keys)
    union[COUNT_AGE] = OUT_OF_DATE
    database.put(key, { type: 'string', value: textOf(union), expireAt: database.find(key)?.expireAt })
    notify('$', 'pfadd', key)
    return OK
  }),
]

/** Counts, and keeps the count in the header, which is a change of the key. */
function countOne({ database }: Context, key: Bytes): number {
  const found = database.read(key, 'string')
  if (found === undefined) return 0
  const log = open(found)
  if (((log[COUNT_AGE] ?? 0) & OUT_OF_DATE) === 0) return Number(log.readBigUInt64LE(8))
  const count = estimateOf(log)
  log.writeBigUInt64LE(BigInt(count), 8)
  database.put(key, { type: 'string', value: textOf(log), expireAt: database.find(key)?.expireAt })
  return count
}

function unionOf({ database }: Context, keys: readonly Bytes[]): Buffer {
  const union = open(undefined)
  for (const key of keys) {
    const found = database.read(key, 'string')
    if (found === undefined) continue
    const log = open(found)
    for (let index = 0; index < REGISTERS; index += 1) raise(union, index, registerAt(log, index))
  }
  return union
}

function open(found: Bytes | undefined): Buffer {
  if (found === undefined) return Buffer.concat([HEADER], DENSE_LENGTH)
  if (!found.startsWith('HYLL\0') || found.length !== DENSE_LENGTH)
    throw new CommandError('WRONGTYPE Key is not a valid HyperLogLog string value.')
  return Buffer.from(found, 'latin1')
}

function textOf(log: Buffer): Bytes {
  return log.toString('latin1')
}

/** The register that a value belongs to, and what it sets it to. */
function registerOf(value: Bytes): readonly [index: number, rank: number] {
  const hash = murmur64(Buffer.from(value, 'latin1'))
  const searched = (hash >> INDEX_BITS) | (1n << BigInt(SEARCHED_BITS))
  const rank = (searched & -searched).toString(2).length
  return [Number(hash & BigInt(REGISTERS - 1)), rank]
}

/** Sets a register that is lower. Returns whether it was. */
function raise(log: Buffer, index: number, rank: number): boolean {
  if (registerAt(log, index) >= rank) return false
  const [at, shift] = placeOf(index)
  const mask = (2 ** BITS_OF_REGISTER - 1) << shift
  const pair = (((log[at] ?? 0) | ((log[at + 1] ?? 0) << 8)) & ~mask) | (rank << shift)
  log[at] = pair & 0xff
  if (at + 1 < log.length) log[at + 1] = pair >> 8
  return true
}

function registerAt(log: Buffer, index: number): number {
  const [at, shift] = placeOf(index)
  const pair = (log[at] ?? 0) | ((log[at + 1] ?? 0) << 8)
  return (pair >> shift) & (2 ** BITS_OF_REGISTER - 1)
}

/** The first of the two bytes that a register is in, and the bit there at which it begins. */
function placeOf(index: number): readonly [at: number, shift: number] {
  const bit = index * BITS_OF_REGISTER
  return [HEADER.length + (bit >> 3), bit & 7]
}

/** The estimator of Otmar Ertl, "New cardinality estimation algorithms for HyperLogLog sketches" (2017). */
function estimateOf(log: Buffer): number {
  const counts = new Array<number>(2 ** BITS_OF_REGISTER).fill(0)
  for (let index = 0; index < REGISTERS; index += 1) {
    const rank = registerAt(log, index)
    counts[rank] = (counts[rank] ?? 0) + 1
  }
  let sum = REGISTERS * tau((REGISTERS - (counts[SEARCHED_BITS + 1] ?? 0)) / REGISTERS)
  for (let rank = SEARCHED_BITS; rank >= 1; rank -= 1) sum = (sum + (counts[rank] ?? 0)) * 0.5
  sum += REGISTERS * sigma((counts[0] ?? 0) / REGISTERS)
  return Math.round((ALPHA * REGISTERS * REGISTERS) / sum)
}

function sigma(share: number): number {
  if (share === 1) return Infinity
  let [power, factor, sum, before] = [share, 1, share, NaN]
  while (before !== sum) {
    power *= power
    before = sum
    sum += power * factor
    factor += factor
  }
  return sum
}

function tau(share: number): number {
  if (share === 0 || share === 1) return 0
  let [root, factor, sum, before] = [share, 1, 1 - share, NaN]
  while (before !== sum) {
    root = Math.sqrt(root)
    before = sum
    factor *= 0.5
    sum -= (1 - root) ** 2 * factor
  }
  return sum / 3
}

/** MurmurHash64A of Austin Appleby, as Redis has it. */
function murmur64(bytes: Buffer): bigint {
  const wide = (number: bigint) => BigInt.asUintN(64, number)
  const mixed = (number: bigint) => number ^ (number >> MURMUR_SHIFT)
  let hash = wide(MURMUR_SEED ^ (BigInt(bytes.length) * MURMUR_FACTOR))
  const whole = bytes.length - (bytes.length % 8)
  for (let at = 0; at < whole; at += 8) {
    const block = wide(mixed(wide(bytes.readBigUInt64LE(at) * MURMUR_FACTOR)) * MURMUR_FACTOR)
    hash = wide((hash ^ block) * MURMUR_FACTOR)
  }
  if (whole < bytes.length) {
    const rest = Buffer.concat([bytes.subarray(whole)], 8).readBigUInt64LE()
    hash = wide((hash ^ rest) * MURMUR_FACTOR)
  }
  return mixed(wide(mixed(hash) * MURMUR_FACTOR))
}
