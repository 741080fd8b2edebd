import type { Codec, MapCodec } from '../../api/codec.js'
import { bytesCodec } from '../../codec/bytes-codec.js'
import { isCodec } from '../../codec/codec-of.js'
import { doubleCodec } from '../../codec/double-codec.js'
import { jacksonCodec } from '../../codec/jackson/jackson-codec.js'
import { jsonCodec } from '../../codec/json/json-codec.js'
import { longCodec } from '../../codec/long-codec.js'
import { stringCodec } from '../../codec/string-codec.js'
import { ConfigError } from '../../errors/client-errors.js'
import { isThere, readSettings } from '../read-settings.js'
import { isRecord, listOf, optional, quoting, type Reader, text } from '../readers.js'

/** What the codecs of Redisson mean here that a file may name, by their simple name. */
export const javaCodecs: ReadonlyMap<string, Reader<unknown>> = new Map<string, Reader<unknown>>([
  ['StringCodec', withoutProperties(stringCodec)],
  ['ByteArrayCodec', withoutProperties(bytesCodec)],
  ['LongCodec', withoutProperties(longCodec)],
  ['IntegerCodec', withoutProperties(longCodec)],
  ['DoubleCodec', withoutProperties(doubleCodec)],
  ['TypedJsonJacksonCodec', withoutProperties(jsonCodec)],
  ['TypedJsonJackson3Codec', withoutProperties(() => jsonCodec({ jackson: 3 }))],
  ['JsonJacksonCodec', toJacksonCodec(2)],
  ['JsonJackson3Codec', toJacksonCodec(3)],
  ['CompositeCodec', toMapCodec],
])

const EXPECTED = `one of Redisson's ${[...javaCodecs.keys()].join(', ')}`

/** The error of a class that is no codec here. */
export function noSuchCodec(key: string, name: string): ConfigError {
  return quoting(key, EXPECTED, name)
}

/**
 * Reads the `codec` of a file, where it has been made of its tag already, or has its class as a property, as Redisson's JSON files have
 * it.
 */
export const codecOfFile: Reader<unknown> = (value, key) => {
  if (!isThere(value) || isCodec(value) || isMapCodec(value)) return value
  if (!isRecord(value) || typeof value['class'] !== 'string')
    throw new ConfigError(key, EXPECTED, value, { secret: true })
  const { class: name, ...properties } = value
  const read = javaCodecs.get(name.replace(/^org\.redisson\.(?:client\.)?codec\./, ''))
  if (read === undefined) throw noSuchCodec(key, name)
  return read(properties, key)
}

function withoutProperties(make: () => Codec<unknown>): Reader<unknown> {
  return (value, key) => {
    if (isThere(value) && value !== '') readSettings(value, key, {})
    return make()
  }
}

/** Which classes Java may instantiate has no meaning here, where only the classes are used that the program registered with the codec. */
function toJacksonCodec(jackson: 2 | 3): Reader<Codec<unknown>> {
  return (value, key) => {
    if (isThere(value) && value !== '')
      readSettings(value, key, { allowedClasses: optional(listOf(text), []) })
    return jacksonCodec({ jackson })
  }
}

/** The classes of a composite codec stand in a list, as the arguments of its constructor: of keys, of values, and of what is no map. */
function toMapCodec(value: unknown, key: string): MapCodec<unknown, unknown> {
  const [ofKeys, ofValues, ofOthers = ofValues, ...surplus] = isListOfCodecs(value) ? value : []
  if (ofKeys && ofValues && ofOthers?.name === ofValues.name && surplus.length === 0)
    return Object.freeze({ key: ofKeys, value: ofValues })
  const expected = 'a list of the codecs of keys and of values; a third one has to be that of values'
  throw new ConfigError(key, expected, value, { secret: true })
}

function isListOfCodecs(value: unknown): value is readonly Codec<unknown>[] {
  return Array.isArray(value) && value.every(isCodec)
}

function isMapCodec(value: unknown): boolean {
  return isRecord(value) && isCodec(value['key']) && isCodec(value['value'])
}
