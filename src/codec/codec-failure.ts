import { types } from 'node:util'
import { CodecError } from '../errors/codec-errors.js'

/** The error of a value that a codec does not write. */
export function cannotEncode(
  codec: string,
  expected: string,
  got: string,
  options?: ErrorOptions,
): CodecError {
  return new CodecError({ codec, action: 'encode', expected, got }, options)
}

/** Whether a codec has returned what can be sent as it is. */
export function isEncoded(encoded: unknown): encoded is string | Uint8Array {
  return typeof encoded === 'string' ? encoded.isWellFormed() : types.isUint8Array(encoded)
}

/** The error of a codec that has returned anything else. */
export function notEncoded(codec: string, encoded: unknown): CodecError {
  forget(encoded)
  const got = typeof encoded === 'string' ? 'a text with half of a surrogate pair' : kindOf(encoded)
  return cannotEncode(codec, 'its encode() to return a text or a Uint8Array', got)
}

/** No caller waits for a promise that should not exist, so its rejection is no failure of the program. */
export function forget(value: unknown): void {
  if (types.isPromise(value)) value.catch(() => undefined)
}

/** The error of bytes that a codec does not read. The content is left out, since it may be a secret. */
export function cannotDecode(
  codec: string,
  expected: string,
  bytes: Uint8Array,
  options?: ErrorOptions,
): CodecError {
  const got = bytes.length === 1 ? '1 byte of something else' : `${bytes.length} bytes of something else`
  return new CodecError({ codec, action: 'decode', expected, got, bytes: bytes.length }, options)
}

/** What kind of value it is, and nothing of its content. It never throws. */
export function kindOf(value: unknown): string {
  try {
    return kindAsSaid(value)
  } catch {
    return `a value of type ${typeof value} that cannot be looked at`
  }
}

function kindAsSaid(value: unknown): string {
  if (value === undefined || value === null) return String(value)
  if (typeof value === 'number') return kindOfNumber(value)
  if (typeof value !== 'object') return `a ${typeof value}`
  if (value instanceof Date && Number.isNaN(value.getTime())) return 'an invalid Date'
  if (types.isMap(value)) return 'a Map' // a class of its own may have another tag
  if (types.isSet(value)) return 'a Set'
  const kind = Object.prototype.toString.call(value).slice('[object '.length, -1)
  return /^[AEIO]/.test(kind) ? `an ${kind}` : `a ${kind}`
}

function kindOfNumber(value: number): string {
  if (!Number.isFinite(value)) return String(value)
  return Number.isInteger(value) ? 'a whole number' : 'a number with a fraction'
}
