import type { Codec, CodecLike, MapCodec, SchemaCheck } from '../api/codec.js'
import { inspectWord } from '../util/inspect-short.js'
import { isPlain } from '../util/is-plain.js'
import { kindOf } from './codec-failure.js'
import { codecOf, isCodecLike, isSchema, noCodec } from './codec-of.js'
import { demandNames } from './codec-options.js'
import { jsonCodec } from './json/json-codec.js'
import { stringCodec } from './string-codec.js'

/** The codecs of a map. */
export interface KeyAndValue<K, V> {
  readonly key: Codec<K>
  readonly value: Codec<V>
}

/** The codecs that objects have if they are given none: values that are no map's, keys of maps, and values of maps. */
export interface DefaultCodecs {
  readonly single: Codec<unknown>
  readonly map: KeyAndValue<unknown, unknown>
}

const MAP_PARTS = ['key', 'value'] as const
const CHECKS: readonly SchemaCheck[] = ['write', 'both']

/** What is so without any setting: as in Java with a `CompositeCodec` of `StringCodec` and `TypedJsonJacksonCodec`. */
const none: DefaultCodecs = Object.freeze({
  single: jsonCodec(),
  map: Object.freeze({ key: stringCodec(), value: jsonCodec() }),
})

/**
 * Reads the codec of a client. As in Java, one codec is that of all values and of the keys of maps; of a pair, that of the values is also
 * for values that are no map's.
 *
 * @throws `TypeError` for what is no codec
 */
export function clientCodecs(
  given: CodecLike<unknown> | MapCodec<unknown, unknown> | undefined,
): DefaultCodecs {
  if (given === undefined) return none
  if (isCodecLike(given)) {
    const codec = codecOf(given, '`codec`')
    return { single: codec, map: { key: codec, value: codec } }
  }
  const map = pairOf(given, none.map, undefined)
  return { single: map.value, map }
}

/**
 * Reads the codec of a map. One codec is that of its values, and its keys have that of the client.
 *
 * @throws `TypeError` for what is no codec
 */
export function mapCodecs(
  given: CodecLike<unknown> | MapCodec<unknown, unknown> | undefined,
  defaults: DefaultCodecs,
  check?: SchemaCheck,
): KeyAndValue<unknown, unknown> {
  demandCheck(check, given)
  if (given === undefined) return defaults.map
  if (!isCodecLike(given)) return pairOf(given, defaults.map, check)
  return { key: defaults.map.key, value: codecOf(given, '`codec`', check) }
}

/**
 * Reads the codec of an object whose values have no keys.
 *
 * @throws `TypeError` for what is no codec
 */
export function singleCodec(
  given: CodecLike<unknown> | undefined,
  defaults: DefaultCodecs,
  check?: SchemaCheck,
): Codec<unknown> {
  demandCheck(check, given)
  return given === undefined ? defaults.single : codecOf(given, '`codec`', check)
}

/** Refuses a wish that would be ignored: values that were to be checked would be unchecked. */
function demandCheck(check: SchemaCheck | undefined, given: unknown): void {
  if (check === undefined) return
  if (!CHECKS.includes(check))
    throw new TypeError(`Expected \`validate\` to be 'write' or 'both', got ${inspectWord(check)}`)
  const { key, value } = isPlain(given) ? (given as MapCodec<unknown, unknown>) : {}
  if (![given, key, value].some(isSchema))
    throw new TypeError(`Expected a schema in \`codec\` of the object to validate by, got ${kindOf(given)}`)
}

function pairOf(
  given: MapCodec<unknown, unknown>,
  defaults: KeyAndValue<unknown, unknown>,
  check: SchemaCheck | undefined,
): KeyAndValue<unknown, unknown> {
  // A function, a class or a list would be a pair of which nothing is set.
  if (!isPlain(given)) throw noCodec(given, '`codec`')
  demandNames('`codec`', given, MAP_PARTS)
  const { key, value } = given
  if (key === undefined && value === undefined) throw noCodec(given, '`codec`')
  return {
    key: key === undefined ? defaults.key : codecOf(key, '`codec.key`', check),
    value: value === undefined ? defaults.value : codecOf(value, '`codec.value`', check),
  }
}
