import type { Bytes } from '../../reply.js'
import { toInt32, toInt64 } from '../numbers/integers.js'
import { asNumber } from '../run/arithmetic.js'
import { failure } from '../run/errors.js'
import { Table } from '../run/table.js'
import { asText } from '../run/texts.js'
import type { Thread } from '../run/thread.js'
import { Func, typeOf, type Value, type Values } from '../run/values.js'

/** The arguments of a function of the library, counted from 1 as its errors count them. */
export class Arguments {
  readonly #values: Values
  readonly #thread: Thread

  constructor(values: Values, thread: Thread) {
    this.#values = values
    this.#thread = thread
  }

  get count(): number {
    return this.#values.length
  }

  get all(): Values {
    return this.#values
  }

  at(position: number): Value {
    return this.#values[position - 1]
  }

  isNone(position: number): boolean {
    return position > this.#values.length
  }

  /** Any value, also nil, but not none at all. */
  any(position: number): Value {
    if (this.isNone(position)) throw this.error(position, 'value expected')
    return this.at(position)
  }

  text(position: number): Bytes {
    return asText(this.at(position)) ?? this.#refuse(position, 'string')
  }

  number(position: number): number {
    return asNumber(this.at(position)) ?? this.#refuse(position, 'number')
  }

  /** A number that is cut to an integer of 64 bits, as C cuts it. */
  long(position: number): number {
    return toInt64(this.number(position))
  }

  longOr(position: number, otherwise: number): number {
    return this.at(position) === undefined ? otherwise : this.long(position)
  }

  /** The low 32 bits of such an integer. */
  integer(position: number): number {
    return toInt32(this.number(position))
  }

  table(position: number): Table {
    const value = this.at(position)
    return value instanceof Table ? value : this.#refuse(position, 'table')
  }

  function(position: number): Func {
    const value = this.at(position)
    return value instanceof Func ? value : this.#refuse(position, 'function')
  }

  textOr<T>(position: number, otherwise: T): Bytes | T {
    return this.at(position) === undefined ? otherwise : this.text(position)
  }

  integerOr<T>(position: number, otherwise: T): number | T {
    return this.at(position) === undefined ? otherwise : this.integer(position)
  }

  error(position: number, problem: string): Error {
    return argumentError(this.#thread, position, problem)
  }

  #refuse(position: number, expected: string): never {
    const actual = this.isNone(position) ? 'no value' : typeOf(this.at(position))
    throw this.error(position, `${expected} expected, got ${actual}`)
  }
}

/** An argument that is of no use. The function has the name by which it was called. */
export function argumentError(thread: Thread, position: number, problem: string): Error {
  const { name = '?', isMethod = false } = thread.site
  if (!isMethod) return failure(thread, `bad argument #${position} to '${name}' (${problem})`)
  return position === 1
    ? failure(thread, `calling '${name}' on bad self (${problem})`)
    : failure(thread, `bad argument #${position - 1} to '${name}' (${problem})`)
}
