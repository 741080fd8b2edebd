import type { SnowflakeOptions, SnowflakeParts } from './snowflake.api.js'
import { wholeNumber } from '../../core/arguments/arguments.js'
import { demandOptions, known } from '../../core/arguments/options.js'
import type { SnowflakeBits } from './snowflake.errors.js'
import { inspectShort } from '../../util/inspect-short.js'

const OPTIONS = known<SnowflakeOptions>({ nodeBits: true, sequenceBits: true, epochMs: true })

/** The sign bit stays 0, so that ids are positive wherever they are stored. */
const ID_BITS = 63

const MOST_BITS = 16
/** What is left are 39 bits of milliseconds at least, 17 years. */
const MOST_BITS_TOGETHER = 24

/** The last moment that a `Date` has. */
const LAST_DATE_MS = 8.64e15

/** Which bits the ids of a snowflake have. */
export class Layout implements SnowflakeBits {
  readonly epochMs: number
  readonly nodeBits: number
  readonly sequenceBits: number
  /** The last millisecond that an id can have. */
  readonly lastMs: number

  private constructor({ epochMs, nodeBits, sequenceBits }: SnowflakeBits) {
    this.epochMs = epochMs
    this.nodeBits = nodeBits
    this.sequenceBits = sequenceBits
    this.lastMs = Math.min(epochMs + 2 ** (ID_BITS - nodeBits - sequenceBits) - 1, LAST_DATE_MS)
  }

  /**
   * @throws TypeError for options that are unknown
   * @throws RangeError for bits or an epoch that make no ids
   */
  static of(options: SnowflakeOptions = {}): Layout {
    demandOptions(options, OPTIONS)
    const { nodeBits = 10, sequenceBits = 12, epochMs = Date.UTC(2024) } = options
    bits('nodeBits', nodeBits)
    bits('sequenceBits', sequenceBits)
    if (nodeBits + sequenceBits > MOST_BITS_TOGETHER)
      throw new RangeError(
        `Expected \`nodeBits\` and \`sequenceBits\` to be ${MOST_BITS_TOGETHER} together at most, got ${nodeBits} and ${sequenceBits}`,
      )
    if (wholeNumber('epochMs', epochMs, 0) > LAST_DATE_MS / 2)
      throw new RangeError(`Expected \`epochMs\` to be a number of milliseconds since 1970, got ${epochMs}`)
    return new Layout({ epochMs, nodeBits, sequenceBits })
  }

  /** Reads what {@link Layout.toString} has written. */
  static parse(text: string): SnowflakeBits {
    const [epochMs = NaN, nodeBits = NaN, sequenceBits = NaN] = text.split(' ').map(Number)
    return { epochMs, nodeBits, sequenceBits }
  }

  /** How many node numbers there are. */
  get numbers(): number {
    return 2 ** this.nodeBits
  }

  /** How many ids of one number there are in a millisecond. */
  get idsPerMs(): number {
    return 2 ** this.sequenceBits
  }

  /** The first id of a number in a millisecond. */
  firstId(ms: number, node: number): bigint {
    const time = BigInt(ms - this.epochMs) << BigInt(this.nodeBits + this.sequenceBits)
    return time | (BigInt(node) << BigInt(this.sequenceBits))
  }

  partsOf(id: bigint): SnowflakeParts {
    if (typeof id !== 'bigint') throw new TypeError(`Expected \`id\` to be a bigint, got ${inspectShort(id)}`)
    if (BigInt.asUintN(ID_BITS, id) !== id)
      throw new RangeError(`Expected \`id\` to have ${ID_BITS} bits, got ${inspectShort(id)}`)
    const sequence = Number(BigInt.asUintN(this.sequenceBits, id))
    const node = Number(BigInt.asUintN(this.nodeBits, id >> BigInt(this.sequenceBits)))
    const ms = this.epochMs + Number(id >> BigInt(this.nodeBits + this.sequenceBits))
    if (ms > this.lastMs)
      throw new RangeError(
        `Expected \`id\` to have been made before ${new Date(this.lastMs).toISOString()}, got ${inspectShort(id)}`,
      )
    return { time: new Date(ms), node, sequence }
  }

  /** As it is kept in Redis. */
  toString(): string {
    return `${this.epochMs} ${this.nodeBits} ${this.sequenceBits}`
  }
}

function bits(name: string, value: number): void {
  if (wholeNumber(name, value, 1) <= MOST_BITS) return
  throw new RangeError(`Expected \`${name}\` to be ${MOST_BITS} at most, got ${inspectShort(value)}`)
}
