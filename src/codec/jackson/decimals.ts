import { hasLargeInteger, type Reviver, reviveBigint, parseWith } from '../json/json-integers.js'
import { BIG_DECIMAL } from './class-names.js'

/** A number of JSON that is no integer, with its digits. */
export class Decimal {
  readonly source: string

  constructor(source: string) {
    this.source = source
  }
}

/** Numbers of which a number here would not know how they were written: `1.0`, `1E3`. In a text it costs time only. */
const unusual = /\d\.0+(?!\d)|\d[eE]/

/** Reads JSON with all that its numbers say: large integers as `bigint`, and others as a {@link Decimal} where a number would say less. */
export function parseExactly(text: string, bytes: Uint8Array): unknown {
  const isSimple = !hasLargeInteger(bytes) && !text.includes(BIG_DECIMAL) && !unusual.test(text)
  return isSimple ? JSON.parse(text) : parseWith(text, revive)
}

const revive: Reviver = (name, value, context) =>
  typeof value === 'number' && context.source !== undefined && !/^-?\d+$/.test(context.source)
    ? new Decimal(context.source)
    : reviveBigint(name, value, context)
