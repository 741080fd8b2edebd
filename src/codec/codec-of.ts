import type { Codec, CodecLike, SchemaCheck } from '../api/codec.js'
import type { StandardSchemaV1 } from '../api/standard-schema.js'
import { inspectShort } from '../util/inspect-short.js'
import { kindOf } from './codec-failure.js'
import { schemaCodec } from './schema-codec.js'

/**
 * Returns the codec that a program gave, or the codec of the schema that it gave.
 *
 * @param where - the option, for the message
 * @throws `TypeError` for anything else
 */
export function codecOf<T>(given: CodecLike<T>, where: string, check?: SchemaCheck): Codec<T> {
  // Some schemas are functions, and some objects are both.
  if (isSchema(given)) return schemaCodec(given, check)
  if (isCodec(given)) return given
  throw noCodec(given, where)
}

export function isCodecLike(given: unknown): given is CodecLike<unknown> {
  return isCodec(given) || isSchema(given)
}

export function isCodec(given: unknown): given is Codec<unknown> {
  return (
    hasMember(given, 'encode', 'function') &&
    hasMember(given, 'decode', 'function') &&
    hasMember(given, 'name', 'string')
  )
}

export function isSchema(given: unknown): given is StandardSchemaV1 {
  return isThing(given) && '~standard' in given && hasMember(given['~standard'], 'validate', 'function')
}

export function noCodec(given: unknown, where: string): TypeError {
  return new TypeError(`Expected ${where} to be a codec or a schema, got ${shown(given)}${hintAt(given)}`)
}

/** Functions by their name, and of all else the kind alone: it may be a secret that stands in the wrong place. */
function shown(given: unknown): string {
  return typeof given === 'function' ? inspectShort(given) : kindOf(given)
}

function hintAt(given: unknown): string {
  if (typeof given === 'function') {
    const { name } = given
    return name === '' ? ': a codec is what the function returns' : `: call it, as in ${name}()`
  }
  if (hasMember(given, 'encode', 'function') && hasMember(given, 'decode', 'function'))
    return ': it has no `name`'
  if (isThing(given) && ('key' in given || 'value' in given))
    return ': only a map has a codec for keys and another for values'
  return ''
}

function hasMember(given: unknown, name: string, type: 'function' | 'string'): boolean {
  return isThing(given) && typeof (given as Readonly<Record<string, unknown>>)[name] === type
}

/** Schemas of some libraries are functions. */
function isThing(given: unknown): given is object {
  return (typeof given === 'object' && given !== null) || typeof given === 'function'
}
