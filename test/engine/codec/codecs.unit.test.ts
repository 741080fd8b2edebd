import zlib from 'node:zlib'
import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Codec, SchemaCheck } from '../../../src/api/codec.js'
import type { StandardSchemaResult, StandardSchemaV1 } from '../../../src/api/standard-schema.js'
import { bytesCodec } from '../../../src/codec/bytes-codec.js'
import { codecOf } from '../../../src/codec/codec-of.js'
import { clientCodecs, mapCodecs, singleCodec } from '../../../src/codec/codecs.js'
import { compressed } from '../../../src/codec/compressed-codec.js'
import { decodeAt, encodeAt, encodeBytesAt } from '../../../src/codec/encoding.js'
import { jsonCodec } from '../../../src/codec/json/json-codec.js'
import { longCodec } from '../../../src/codec/long-codec.js'
import { stringCodec } from '../../../src/codec/string-codec.js'
import { CodecError } from '../../../src/errors/codec-errors.js'
import { leaksOfAny } from '../../client/secrets/canaries.js'

/** A schema of positive numbers, as zod and others have them. */
const positive = schemaOf((value) =>
  typeof value === 'number' && value > 0
    ? { value: value * 2 }
    : { issues: [{ message: `Expected a positive number, got ${String(value)}`, path: ['a', { key: 0 }] }] },
)

describe('what is given as a codec', () => {
  it('is that codec, or JSON for a schema', () => {
    const own: Codec<string> = { name: 'own', encode: (value) => value, decode: String }
    expect(codecOf(own, '`codec`')).toBe(own)
    expect(codecOf(stringCodec(), '`codec`')).toBe(stringCodec())
    expect(codecOf(positive, '`codec`').encode(5)).toBe('5')
    const callable = Object.assign(() => true, positive)
    expect(codecOf(callable, '`codec`').encode(5)).toBe('5')
  })

  it.each<[given: unknown, message: string]>([
    [
      jsonCodec,
      'Expected `codec` to be a codec or a schema, got [Function: jsonCodec]: call it, as in jsonCodec()',
    ],
    [
      () => 1,
      'Expected `codec` to be a codec or a schema, got [Function (anonymous)]: a codec is what the function returns',
    ],
    ['json', 'Expected `codec` to be a codec or a schema, got a string'],
    [null, 'Expected `codec` to be a codec or a schema, got null'],
    [{ key: stringCodec() }, ': only a map has a codec for keys and another for values'],
    [{ encode: String, decode: String }, ': it has no `name`'],
  ])('is refused if it is %o', (given, message) => {
    expect(() => singleCodec(given as never, clientCodecs(undefined))).toThrow(TypeError)
    expect(() => singleCodec(given as never, clientCodecs(undefined))).toThrow(message)
  })
})

describe('the codecs of a client', () => {
  const long = longCodec()

  it('are text for keys of maps and JSON for all else without a setting', () => {
    const { single, map } = clientCodecs(undefined)
    expect([single.name, map.key.name, map.value.name]).toEqual(['json', 'string', 'json'])
  })

  it('are one for all, as in Java, or a pair', () => {
    expect(clientCodecs(long)).toEqual({ single: long, map: { key: long, value: long } })
    const { single, map } = clientCodecs({ value: long })
    expect([single, map.key.name, map.value]).toEqual([long, 'string', long])
    expect(clientCodecs({ key: long }).single.name).toBe('json')
  })

  it('stand back behind those of an object', () => {
    const defaults = clientCodecs({ key: long, value: long })
    const own = jsonCodec()
    expect(mapCodecs(undefined, defaults)).toEqual({ key: long, value: long })
    expect(mapCodecs(own, defaults)).toEqual({ key: long, value: own })
    expect(mapCodecs({ key: own }, defaults)).toEqual({ key: own, value: long })
    expect(singleCodec(undefined, defaults)).toBe(long)
    expect(singleCodec(own, defaults)).toBe(own)
  })

  it.each<[given: unknown, message: string]>([
    [{}, 'Expected `codec` to be a codec or a schema, got an Object'],
    [[], 'Expected `codec` to be a codec or a schema, got an Array'],
    [jsonCodec, 'call it, as in jsonCodec()'],
    [{ keys: long }, "Expected nothing in `codec` but key, value, got 'keys': did you mean `key`?"],
    [{ key: longCodec }, 'Expected `codec.key` to be a codec or a schema, got [Function: longCodec]'],
    [{ value: 'json' }, 'Expected `codec.value` to be a codec or a schema, got a string'],
  ])('are not %o', (given, message) => {
    expect(() => clientCodecs(given as never)).toThrow(message)
    expect(() => mapCodecs(given as never, clientCodecs(undefined))).toThrow(message)
  })
})

describe('a schema', () => {
  it('checks what is written, and what it makes of it is ignored', () => {
    expect(codecOf(positive, '`codec`').encode(5)).toBe('5')
    const error = thrownBy(() => codecOf(positive, '`codec`').encode(-5))
    expect(error).toBeInstanceOf(CodecError)
    expect(error.message).toBe(
      'The codec json with a schema of test cannot encode this: expected what the schema allows, ' +
        'got a value that it refuses at a.0',
    )
  })

  it('checks what is read if that is set, and does not reveal the content', () => {
    expect(codecOf(positive, '`codec`').decode(Buffer.from('-5'))).toBe(-5)
    expect(codecOf(positive, '`codec`', 'both').decode(Buffer.from('5'))).toBe(5)
    const error = thrownBy(() => codecOf(positive, '`codec`', 'both').decode(Buffer.from('-5')))
    expect(error.message).toBe(
      'The codec json with a schema of test cannot decode this: expected what the schema allows at a.0, got 2 bytes of something else',
    )
  })

  it('that checks later is a mistake of the program, and its rejection is handled', () => {
    const later = schemaOf(() => Promise.reject(new Error('later')))
    const call = (): unknown => encodeAt(codecOf(later, '`codec`'), 5, { object: 'o' })
    expect(call).toThrow(
      new TypeError('Expected a schema that checks at once, got one of test that returns a promise'),
    )
  })
})

const HAS_ZSTD = 'zstdCompressSync' in zlib

describe('a compressed value', () => {
  const value = { text: 'again '.repeat(100) }

  const read = (compression: 'gzip' | 'brotli' | 'zstd') => {
    const codec = compressed(jsonCodec(), compression)
    const bytes = Buffer.from(codec.encode(value))
    expect(bytes.length).toBeLessThan(100)
    expect(codec.decode(bytes)).toEqual(value)
    const cut = [1, 3, bytes.length - 6].map((by) => bytes.subarray(0, -by))
    for (const foreign of [Buffer.from('x'), Buffer.alloc(0), ...cut]) {
      expect(thrownBy(() => codec.decode(foreign))).toMatchObject({
        name: 'CodecError',
        codec: `json in ${compression}`,
        expected: `data in ${compression}`,
        bytes: foreign.length,
      })
    }
  }

  it.each(['gzip', 'brotli'] as const)('in %s is shorter, and is read again', read)

  it.skipIf(!HAS_ZSTD)('in zstd, which Node has from 22.15 on, is shorter, and is read again', () => {
    read('zstd')
  })

  it.skipIf(!HAS_ZSTD).each([1, 255, 256, 65_791, 65_792, 3_000_000])(
    'of %d bytes in zstd, which Node has from 22.15 on, is refused when it was cut off, in each form of the header',
    (length) => {
      const codec = compressed(bytesCodec(), 'zstd')
      const bytes = Buffer.from(codec.encode(randomBytes(length)))
      expect(codec.decode(bytes).length).toBe(length)
      expect(thrownBy(() => codec.decode(bytes.subarray(0, -3)))).toMatchObject({ name: 'CodecError' })
    },
  )

  it.each(HAS_ZSTD ? (['gzip', 'brotli', 'zstd'] as const) : (['gzip', 'brotli'] as const))(
    'in %s is neither written nor read if it is longer than it may be',
    (compression) => {
      const short = compressed(bytesCodec(), compression, { maxBytes: 1_000 })
      const long = compressed(bytesCodec(), compression).encode(Buffer.alloc(1_001))
      const most = short.encode(Buffer.alloc(1_000))
      expect(short.decode(Buffer.from(most)).length).toBe(1_000)
      const expected = '1000 bytes or less without compression'
      expect(thrownBy(() => short.decode(Buffer.from(long)))).toMatchObject({ action: 'decode', expected })
      expect(thrownBy(() => short.encode(Buffer.alloc(1_001)))).toMatchObject({
        action: 'encode',
        expected,
        got: '1001',
      })
    },
  )

  it.each([0, -1, 1.5, NaN, Infinity, '1'])('is refused with %o bytes at most', (maxBytes) => {
    expect(() => compressed(jsonCodec(), 'gzip', { maxBytes: maxBytes as never })).toThrow(RangeError)
  })

  it('is refused without a codec or with an unknown algorithm', () => {
    expect(() => compressed(jsonCodec as never, 'gzip')).toThrow(
      'Expected `codec` of compressed() to be a codec',
    )
    expect(() => compressed(jsonCodec(), 'lz4' as never)).toThrow(
      new TypeError("Expected the compression to be 'zstd', 'gzip' or 'brotli', got 'lz4'"),
    )
    expect(() => compressed(jsonCodec(), 'gzip', { maxByte: 1 } as never)).toThrow(TypeError)
  })
})

describe('the error of a value in an object', () => {
  const place = { object: 'users', key: 'u1' }

  it('names the object and the key', () => {
    const error = thrownBy(() => encodeAt(jsonCodec(), new Map(), place))
    expect(error).toMatchObject({ ...place, codec: 'json', action: 'encode', got: 'a Map', bytes: undefined })
    expect(error.message).toBe(
      'users: The codec json cannot encode the value of "u1": expected what JSON can say, got a Map',
    )
    const other = thrownBy(() => decodeAt(jsonCodec(), Buffer.from('x'), { object: 'users' }))
    expect(other).toMatchObject({ object: 'users', key: undefined, action: 'decode', bytes: 1 })
    expect(other.message).toBe(
      'users: The codec json cannot decode this: expected JSON, got 1 byte of something else',
    )
  })

  it('has as its cause what a codec of the program throws', () => {
    const cause = new Error('broken')
    const broken: Codec<string> = { name: 'broken', encode: raise, decode: raise }
    expect(thrownBy(() => encodeAt(broken, 'a', place))).toMatchObject({
      name: 'CodecError',
      codec: 'broken',
      cause,
    })
    expect(thrownBy(() => decodeAt(broken, Buffer.from('ab'), place))).toMatchObject({ bytes: 2, cause })

    function raise(): never {
      throw cause
    }
  })

  it('has nothing of the value but in the cause, which is what the program has thrown', () => {
    const secret = 'hunter2'
    const json: Codec<unknown> = {
      name: 'own',
      encode: (value) => JSON.stringify(value, () => JSON.parse(String(value)) as unknown),
      decode: (bytes) => JSON.parse(Buffer.from(bytes).toString()) as unknown,
    }
    const schema = codecOf(
      schemaOf((value) => JSON.parse(String(value)) as never),
      '`codec`',
    )
    for (const error of [
      thrownBy(() => encodeAt(json, secret, place)),
      thrownBy(() => decodeAt(json, Buffer.from(secret), place)),
      thrownBy(() => encodeAt<unknown>(schema, secret, place)),
      thrownBy(() => encodeAt(jsonCodec(), { toJSON: () => JSON.parse(secret) as unknown }, place)),
    ]) {
      expect(error.cause).toBeInstanceOf(SyntaxError)
      expect((error.cause as Error).message).toContain(secret)
      delete error.cause
      expect(leaksOfAny([secret], error)).toEqual([])
    }
  })

  it('has no cause that cites what a codec has written, where that cannot be compressed', () => {
    for (const [written, got] of [
      [424242, 'a whole number'],
      [['424242'], 'an Array'],
      ['424242\ud800', 'a text with half of a surrogate pair'],
    ] as const) {
      const wrong = {
        name: 'wrong',
        encode: () => written,
        decode: () => undefined,
      } as unknown as Codec<unknown>
      const error = thrownBy(() => encodeAt(compressed(wrong, 'gzip'), 1, place))
      expect(error).toMatchObject({ codec: 'wrong', got })
      expect(leaksOfAny(['424242'], error)).toEqual([])
    }
  })

  it('is thrown for values that cannot even be inspected', () => {
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    const error = thrownBy(() => encodeAt(jsonCodec(), proxy, { object: 'o', key: 'k'.repeat(1000) }))
    expect(error).toMatchObject({
      name: 'CodecError',
      got: 'a value of type object that cannot be looked at',
    })
    expect(error.message.length).toBeLessThan(300)
  })

  it('says that a codec of the program is asynchronous, and its rejection is handled', () => {
    const later = async () => Promise.reject(new Error('later'))
    const wrong = { name: 'wrong', encode: later, decode: later } as unknown as Codec<string>
    expect(thrownBy(() => encodeAt(wrong, 'a', place))).toMatchObject({ got: 'a Promise' })
    expect(thrownBy(() => decodeAt(wrong, Buffer.from('a'), place))).toMatchObject({
      name: 'CodecError',
      action: 'decode',
      expected: 'its decode() to return a value, and no promise of one',
    })
  })

  it.each([undefined, 5, '\ud800', new Uint16Array(1)])(
    'says that a codec of the program made %o of it',
    (made) => {
      const wrong = { name: 'wrong', encode: () => made, decode: String } as unknown as Codec<string>
      expect(thrownBy(() => encodeAt(wrong, 'a', place)).message).toContain(
        'expected its encode() to return a text or a Uint8Array',
      )
    },
  )

  it('is none for texts and bytes, which may be had as bytes alone', () => {
    const own: Codec<number[]> = {
      name: 'own',
      encode: (value) => Uint8Array.from(value),
      decode: (bytes) => [...bytes],
    }
    expect(encodeAt(stringCodec(), 'é', place)).toBe('é')
    expect(encodeBytesAt(stringCodec(), 'é', place)).toEqual(Buffer.from('é'))
    expect(encodeAt(own, [1, 2], place)).toEqual(Buffer.of(1, 2))
    expect(decodeAt(own, Buffer.of(1, 2), place)).toEqual([1, 2])
  })
})

describe('when a schema is to check', () => {
  const defaults = clientCodecs(positive)

  it.each(['read', 'BOTH', true, null, {}])('refuses %o', (check) => {
    const message = "Expected `validate` to be 'write' or 'both', got "
    expect(() => singleCodec(positive, defaults, check as never)).toThrow(message)
    expect(() => mapCodecs({ value: positive }, defaults, check as never)).toThrow(message)
  })

  it.each<SchemaCheck>(['write', 'both'])('refuses %o where the object has no schema of its own', (check) => {
    const message = 'Expected a schema in `codec` of the object to validate by, got '
    for (const given of [undefined, jsonCodec()]) {
      expect(() => singleCodec(given, defaults, check)).toThrow(
        `${message}${given ? 'an Object' : 'undefined'}`,
      )
      expect(() => mapCodecs(given, defaults, check)).toThrow(message)
    }
    expect(() => mapCodecs({ key: stringCodec() }, defaults, check)).toThrow(message)
  })

  it('takes a schema of keys or of values', () => {
    const minusOne = Buffer.from('-1')
    for (const given of [positive, { value: positive }, { key: stringCodec(), value: positive }])
      expect(() => mapCodecs(given, defaults, 'both').value.decode(minusOne)).toThrow(CodecError)
    expect(() => mapCodecs({ key: positive }, defaults, 'both').key.decode(minusOne)).toThrow(CodecError)
    expect(mapCodecs(positive, defaults, 'write').value.decode(minusOne)).toBe(-1)
  })
})

function schemaOf(
  validate: (value: unknown) => StandardSchemaResult<number> | Promise<StandardSchemaResult<number>>,
): StandardSchemaV1<number> {
  return { '~standard': { version: 1, vendor: 'test', validate } }
}

function thrownBy(call: () => unknown): CodecError {
  try {
    call()
  } catch (error) {
    return error as CodecError
  }
  throw new Error('Expected an error, got none')
}
