import type { Codec } from '../../api/codec.js'
import type { SortedValue } from './sorted-set.api.js'
import { decodeAt, encodeBytesAt } from '../../codec/encoding.js'
import { demandValue } from '../../core/arguments/arguments.js'
import { inspectShort } from '../../util/inspect-short.js'
import { MIXED } from './sorted-set.scripts.js'

/** How scripts read elements: see `order.lua`. */
export type Form = 'text' | 'json'

/** Elements that can be compared with each other, as they are in Redis. */
export interface Elements {
  readonly form: Form
  readonly bytes: readonly Buffer[]
}

/** Writes and reads the elements of one set. */
export class ElementCodec<V extends SortedValue> {
  readonly #codec: Codec<V>
  readonly #object: string

  constructor(codec: Codec<V>, object: string) {
    this.#codec = codec
    this.#object = object
  }

  /** @throws `TypeError` for what cannot be put in order; {@link CodecError} for what the codec cannot write */
  encode(values: readonly V[]): Elements {
    for (const value of values) demandOrdered(value)
    const kinds = new Set(values.map(kindOf))
    if (kinds.size > 1)
      throw new TypeError('Expected all values to be texts, or all to be numbers, got some of both')
    const bytes = values.map((value) => this.#encode(value))
    const forms = new Set(values.map((value, index) => this.#formOf(value, bytes[index] as Buffer)))
    if (forms.size > 1) throw this.#unreadable()
    const [form = 'json'] = forms
    return { form, bytes }
  }

  decode(bytes: Buffer): V {
    return decodeAt(this.#codec, bytes, { object: this.#object })
  }

  /** Elements that are there, byte for byte: the value of a number may have fewer digits. Where scripts cannot read them, they say so. */
  asRead(bytes: readonly Buffer[]): Elements {
    const [first] = bytes
    return { form: first === undefined ? 'json' : formIn(this.decode(first), first), bytes }
  }

  /** Zero has no sign here, as in a `Set` of JavaScript. */
  #encode(value: V): Buffer {
    const unsigned = (value === 0 ? 0 : value) as V
    return encodeBytesAt(this.#codec, unsigned, { object: this.#object })
  }

  /** Scripts cannot ask the codec, and so it has to write what they can read. */
  #formOf(value: V, bytes: Buffer): Form {
    const form = formIn(value, bytes)
    if (form === 'json' && !isJsonOf(value, bytes.toString())) throw this.#unreadable()
    return form
  }

  #unreadable(): TypeError {
    return new TypeError(
      `Expected the codec of ${this.#object} to write texts as they are or as JSON, and numbers as digits, got ${this.#codec.name}`,
    )
  }
}

/** A text that is the same for the same value, and for no others. */
function identityOfValue(value: SortedValue): string {
  if (typeof value === 'string') return `text ${value}`
  return `number ${String(typeof value === 'number' && Number.isInteger(value) ? digitsOf(value) : value)}`
}

/** The whole number that a codec writes: the fewest digits that tell a double from others, and zeros. Beyond 2⁵³ that is not always its exact value. */
function digitsOf(value: number): bigint {
  const [mantissa = '', power = '0'] = String(value).split('e+')
  const [whole = '', fraction = ''] = mantissa.split('.')
  return BigInt(whole + fraction) * 10n ** BigInt(Number(power) - fraction.length)
}

/**
 * Returns what a script has returned of a comparison.
 *
 * @param name - of the set
 * @throws TypeError where it could not compare
 */
export function demandComparable(name: string, reply: number): number {
  if (reply !== MIXED) return reply
  throw mixed(name)
}

/**
 * Whether an element is none of some values, which are not empty.
 *
 * @param name - of the set
 * @throws TypeError where they cannot be compared
 */
export function isNoneOf(values: readonly SortedValue[], name: string): (element: SortedValue) => boolean {
  const kind = kindOf(values[0] as SortedValue)
  const identities = new Set(values.map(identityOfValue))
  return (element) => {
    if (kindOf(element) !== kind) throw mixed(name)
    return !identities.has(identityOfValue(element))
  }
}

function mixed(name: string): TypeError {
  return new TypeError(
    `Expected values that can be compared with those of ${name}: all of them texts, or all of them numbers`,
  )
}

function demandOrdered(value: unknown): void {
  demandValue(value, 'remove() removes a value')
  const isText = typeof value === 'string' && value.isWellFormed()
  const isNumber = Number.isFinite(value) || typeof value === 'bigint'
  if (!isText && !isNumber)
    throw new TypeError(
      `Expected \`value\` to be a string without lone surrogates, or a finite number, got ${inspectShort(value)}`,
    )
}

function kindOf(value: SortedValue): 'text' | 'number' {
  return typeof value === 'string' ? 'text' : 'number'
}

function formIn(value: SortedValue, bytes: Buffer): Form {
  return typeof value === 'string' && bytes.equals(Buffer.from(value)) ? 'text' : 'json'
}

function isJsonOf(value: SortedValue, text: string): boolean {
  try {
    if (typeof value === 'bigint') return BigInt(text) === value
    return typeof value === 'string' ? JSON.parse(text) === value : Number(text) === value
  } catch {
    return false
  }
}
