import { types } from 'node:util'
import { kindOf } from '../codec-failure.js'
import { javaDouble } from '../java-double.js'
import { JsonTrail } from './json-trail.js'

/** The longest number that Jackson reads. */
const MAX_DIGITS = 1000
export const TOO_LONG = `a bigint of more than ${MAX_DIGITS} digits`

/** Objects whose content no property shows. `JSON.stringify` makes `{}` of most of them. */
const OPAQUE: readonly ((value: object) => boolean)[] = [
  types.isMap,
  types.isSet,
  types.isWeakMap,
  types.isWeakSet,
  types.isAnyArrayBuffer,
  types.isPromise,
  types.isRegExp,
  (value) => value instanceof Error,
  types.isBoxedPrimitive,
  types.isGeneratorObject,
]

/**
 * Writes any value that JSON can say, and says of all others where they are.
 *
 * It takes several times as long as `JSON.stringify`, which silently makes something else of many values.
 */
export class JsonWriter {
  readonly #trail: JsonTrail
  readonly #bean: boolean

  constructor(codec: string, bean: boolean) {
    this.#trail = new JsonTrail(codec)
    this.#bean = bean
  }

  write(value: unknown): string {
    return this.#written(value) ?? this.#trail.refuse(kindOf(value))
  }

  /** Returns undefined for an absent value, which is left out of an object. */
  #written(value: unknown): string | undefined {
    switch (typeof value) {
      case 'undefined':
        return undefined
      case 'string':
        return JSON.stringify(value)
      case 'boolean':
        return String(value)
      case 'number':
        return Number.isFinite(value) ? jsonNumber(value) : this.#trail.refuse(kindOf(value))
      case 'bigint':
        return this.#digits(value)
      case 'object':
        return value === null ? 'null' : this.#inside(value)
      default:
        return this.#trail.refuse(kindOf(value))
    }
  }

  #digits(value: bigint): string {
    return digitsOf(value) ?? this.#trail.refuse(TOO_LONG)
  }

  #inside(value: object): string | undefined {
    this.#trail.enter(value, 1)
    const text = this.#object(value)
    this.#trail.leave(value, 1)
    return text
  }

  #object(value: object): string | undefined {
    if (ArrayBuffer.isView(value)) return this.#trail.refuse(kindOf(value))
    if (types.isDate(value) && Number.isNaN(value.getTime())) return this.#trail.refuse(kindOf(value))
    if (types.isDate(value) && this.#bean) return String(value.getTime())
    if (hasToJson(value)) return this.#written(value.toJSON(this.#trail.name))
    if (Array.isArray(value)) return this.#list(value)
    if (isOpaque(value)) return this.#trail.refuse(kindOf(value))
    return this.#members(value as Readonly<Record<string, unknown>>)
  }

  #list(value: readonly unknown[]): string {
    const items: string[] = []
    for (let at = 0; at < value.length; at += 1) {
      this.#trail.step(at)
      items.push(this.write(value[at]))
      this.#trail.stepBack()
    }
    return `[${items.join(',')}]`
  }

  #members(value: Readonly<Record<string, unknown>>): string {
    const names = Object.keys(value)
    if (this.#bean) names.sort()
    const members: string[] = []
    for (const name of names) {
      this.#trail.step(name)
      const text = this.#written(value[name])
      this.#trail.stepBack()
      if (text !== undefined && !(this.#bean && text === 'null'))
        members.push(`${JSON.stringify(name)}:${text}`)
    }
    return `{${members.join(',')}}`
  }
}

/**
 * Whether `JSON.stringify` writes the number as Jackson does: as an integer that has all of its digits, or without an exponent.
 *
 * It makes 0 of −0, which Jackson does not: a program takes both for the same value, so they have to be the same bytes.
 */
export function isPlainNumber(value: number): boolean {
  if (Number.isSafeInteger(value)) return true
  const size = Math.abs(value)
  return size >= 1e-3 && size < 1e7
}

/** The digits of an integer; undefined if they are more than Jackson reads. */
export function digitsOf(value: bigint): string | undefined {
  const digits = String(value)
  return digits.length <= MAX_DIGITS ? digits : undefined
}

/** An integer beyond 2⁵³ − 1 is written as the rounded number that it is, to be read as one. */
export function jsonNumber(value: number): string {
  return isPlainNumber(value) ? String(value) : javaDouble(value)
}

export function hasToJson(value: object): value is { toJSON(key: string): unknown } {
  return 'toJSON' in value && typeof value.toJSON === 'function'
}

/** A tag says nothing: a class may give itself any, also that of plain objects. Of those with another one, some property has to show. */
export function isOpaque(value: object): boolean {
  if (isPlain(value)) return false
  if (OPAQUE.some((is) => is(value))) return true
  return Object.prototype.toString.call(value) !== '[object Object]' && Object.keys(value).length === 0
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype && !(Symbol.toStringTag in value)
}
