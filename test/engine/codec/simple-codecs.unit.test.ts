import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Codec } from '../../../src/api/codec.js'
import { bytesCodec } from '../../../src/codec/bytes-codec.js'
import { doubleCodec } from '../../../src/codec/double-codec.js'
import { longCodec } from '../../../src/codec/long-codec.js'
import { stringCodec } from '../../../src/codec/string-codec.js'
import { CodecError } from '../../../src/errors/codec-errors.js'

describe('the string codec', () => {
  const codec = stringCodec()

  it.each(['', 'abc', 'é中😀', '\u0000', '\ufeffa', '\ufffd', 'a'.repeat(100_000)])(
    'writes and reads %o',
    (text) => {
      expect(written(codec, text)).toEqual(Buffer.from(text))
      expect(codec.decode(Buffer.from(text))).toBe(text)
    },
  )

  it.each<[value: unknown, got: string]>([
    ['a\ud800', 'one with half of a surrogate pair'],
    ['\udc00a', 'one with half of a surrogate pair'],
    [5, 'a whole number'],
    [undefined, 'undefined'],
    [null, 'null'],
    [Buffer.from('a'), 'a Uint8Array'],
    [{ toString: () => 'a' }, 'an Object'],
  ])('does not write %o', (value, got) => {
    expect(refusalOf(() => codec.encode(value as string))).toMatchObject({
      action: 'encode',
      expected: 'a text',
      got,
    })
  })

  it.each([[[0xff]], [[0xed, 0xa0, 0x80]], [[0xc0, 0x80]], [[0x61, 0xe2, 0x82]]])(
    'does not read the bytes %j',
    (bytes) => {
      expect(refusalOf(() => codec.decode(Uint8Array.from(bytes)))).toMatchObject({
        action: 'decode',
        bytes: bytes.length,
      })
    },
  )

  it('keeps any text, and reads any bytes or throws its error', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(codec.decode(written(codec, text))).toBe(text)
      }),
    )
    expectNoOtherError(codec)
  })
})

describe('the bytes codec', () => {
  const codec = bytesCodec()

  it('does not write a view that is out of the bounds of its buffer, or has none', () => {
    const buffer = new ArrayBuffer(16, { maxByteLength: 16 })
    const views = [new Uint8Array(buffer, 8, 8), new Uint8Array(buffer, 8), Buffer.from(buffer, 8, 8)]
    buffer.resize(4)
    const transferred = new Uint8Array(8)
    structuredClone(transferred.buffer, { transfer: [transferred.buffer] })
    for (const view of [...views, transferred])
      expect(refusalOf(() => codec.encode(view))).toMatchObject({ action: 'encode' })
    const empty = new Uint8Array(buffer, 4)
    expect(codec.encode(empty)).toEqual(Buffer.alloc(0))
  })

  it('leaves bytes as they are', () => {
    const bytes = Uint8Array.of(0, 255, 128)
    const encoded = codec.encode(bytes)
    expect(encoded).toEqual(Buffer.from(bytes))
    expect(codec.decode(bytes)).toEqual(Buffer.from(bytes))
    bytes.fill(7)
    expect(encoded).toEqual(Buffer.of(0, 255, 128))
    expect(codec.decode(bytes).buffer).not.toBe(bytes.buffer)
  })

  it.each(['a', [1], new Uint16Array(1), new ArrayBuffer(1), undefined])('does not write %o', (value) => {
    expect(refusalOf(() => codec.encode(value as never))).toMatchObject({
      codec: 'bytes',
      expected: 'a Uint8Array',
    })
  })
})

describe('the long codec', () => {
  it.each([
    [0, '0'],
    [-0, '0'],
    [5, '5'],
    [-7, '-7'],
    [9007199254740991, '9007199254740991'],
    [-9007199254740991, '-9007199254740991'],
  ])('writes and reads %o', (value, text) => {
    expect(longCodec().encode(value)).toBe(text)
    expect(longCodec().decode(Buffer.from(text))).toBe(value + 0)
  })

  it.each([0n, -7n, 9007199254740993n, 2n ** 63n - 1n, -(2n ** 63n)])('writes and reads %o', (value) => {
    const codec = longCodec({ bigint: true })
    expect(codec.encode(value)).toBe(String(value))
    expect(codec.decode(Buffer.from(String(value)))).toBe(value)
  })

  it('reads zeros and a plus in front, as Java does', () => {
    expect(longCodec().decode(Buffer.from('+007'))).toBe(7)
    expect(longCodec({ bigint: true }).decode(Buffer.from('+007'))).toBe(7n)
  })

  it.each([1.5, Number.NaN, Infinity, 2 ** 53, '5', 5n, null])('does not write %o as a number', (value) => {
    expect(refusalOf(() => longCodec().encode(value as never)).action).toBe('encode')
  })

  it.each([5, 2n ** 63n, -(2n ** 63n) - 1n, '5', null])('does not write %o as a bigint', (value) => {
    expect(refusalOf(() => longCodec({ bigint: true }).encode(value as never)).action).toBe('encode')
  })

  it.each(['', ' ', '5 ', '1.0', '1e3', '0x10', 'five', '--1', '+', '9'.repeat(1_000_000)])(
    'does not read %o',
    (text) => {
      for (const codec of [longCodec(), longCodec({ bigint: true })]) {
        expect(refusalOf(() => codec.decode(Buffer.from(text)))).toMatchObject({
          action: 'decode',
          bytes: text.length,
        })
      }
    },
  )

  it('loses no digit: an integer beyond 2⁵³ − 1 is an error that names the option', () => {
    const { message } = refusalOf(() => longCodec().decode(Buffer.from('9007199254740993')))
    expect(message).toContain('longCodec({ bigint: true })')
    expect(message).not.toContain('9007199254740993')
  })

  it('refuses unknown options, and bytes that are no integer by its error alone', () => {
    expect(() => longCodec({ bigInt: true } as never)).toThrow('did you mean `bigint`?')
    expectNoOtherError(longCodec())
    expectNoOtherError(longCodec({ bigint: true }))
  })
})

describe('the double codec', () => {
  const codec = doubleCodec()

  it.each([
    [0.1, '0.1'],
    [100, '100.0'],
    [1, '1.0'],
    [-1.5, '-1.5'],
    [1e7, '1.0E7'],
    [9999999, '9999999.0'],
    [123456789, '1.23456789E8'],
    [0.001, '0.001'],
    [0.0123, '0.0123'],
    [0.0001, '1.0E-4'],
    [1e21, '1.0E21'],
    [0, '0.0'],
    [5e-324, '4.9E-324'],
    [1e-323, '9.9E-324'],
    [2e23, '2.0E23'],
    [2e-3, '0.002'],
    [1.7976931348623157e308, '1.7976931348623157E308'],
    [Number.NaN, 'NaN'],
    [Infinity, 'Infinity'],
    [-Infinity, '-Infinity'],
  ])('writes %o as Java does, and reads it', (value, text) => {
    expect(codec.encode(value)).toBe(text)
    expect(codec.decode(Buffer.from(text))).toBe(value)
  })

  it.each([
    ['1e3', 1000],
    ['5', 5],
    ['+5.', 5],
    ['.5', 0.5],
    ['1.0E+7', 1e7],
    ['-NaN', Number.NaN],
    ['1e400', Infinity],
  ])('reads %o', (text, value) => {
    expect(codec.decode(Buffer.from(text))).toBe(value)
  })

  it.each(['', ' ', 'x', '1,5', '0x10', '1_000', 'Infinit', '.', 'e5', '1e', 'null'])(
    'does not read %o',
    (text) => {
      expect(refusalOf(() => codec.decode(Buffer.from(text))).expected).toBe('a decimal number')
    },
  )

  it('writes -0 as 0, which is the same value', () => {
    expect(codec.encode(-0)).toBe('0.0')
  })

  it.each(['1', 1n, null, undefined])('does not write %o', (value) => {
    expect(refusalOf(() => codec.encode(value as never)).expected).toBe('a number')
  })

  it('keeps any number, and reads any bytes or throws its error', () => {
    fc.assert(
      fc.property(fc.double(), (value) => {
        expect(codec.decode(written(codec, value))).toBe(value === 0 ? 0 : value)
      }),
      { numRuns: 1000 },
    )
    expectNoOtherError(codec)
  })
})

function written<T>(codec: Codec<T>, value: T): Buffer {
  return Buffer.from(codec.encode(value))
}

function expectNoOtherError(codec: Codec<unknown>): void {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 50 }), (bytes) => {
      try {
        codec.decode(bytes)
      } catch (error) {
        expect(error).toBeInstanceOf(CodecError)
      }
    }),
    { numRuns: 500 },
  )
}

function refusalOf(call: () => unknown): CodecError {
  try {
    call()
  } catch (error) {
    expect(error).toBeInstanceOf(CodecError)
    return error as CodecError
  }
  throw new Error('Expected an error, got none')
}
