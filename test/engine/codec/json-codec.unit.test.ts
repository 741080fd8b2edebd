import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonCodec } from '../../../src/codec/json/json-codec.js'
import { CodecError } from '../../../src/errors/codec-errors.js'

const json = jsonCodec()
const bean = jsonCodec({ bean: true })

const read = (text: string): unknown => json.decode(Buffer.from(text))

class User {
  readonly name = 'x'
  readonly age = 3
}

function nested(depth: number): unknown {
  let value: unknown = 1
  for (let level = 0; level < depth; level += 1) value = [value]
  return value
}

describe('the JSON codec writes what Jackson writes:', () => {
  it.each<[value: unknown, text: string]>([
    ['abc', '"abc"'],
    ['', '""'],
    [5, '5'],
    [0, '0'],
    [-0, '0'],
    [[-0, { a: -0 }], '[0,{"a":0}]'],
    [{ a: -0, b: 5n }, '{"a":0,"b":5}'],
    [1.5, '1.5'],
    [0.1, '0.1'],
    [0.001, '0.001'],
    [0.00012, '1.2E-4'],
    [1e-7, '1.0E-7'],
    [5e-324, '4.9E-324'],
    [123456789.5, '1.234567895E8'],
    [9999999.5, '9999999.5'],
    [10000000.5, '1.00000005E7'],
    [10000000, '10000000'],
    [9007199254740991, '9007199254740991'],
    [-9007199254740991, '-9007199254740991'],
    [9007199254740992, '9.007199254740992E15'],
    [1e21, '1.0E21'],
    [1.7976931348623157e308, '1.7976931348623157E308'],
    [9007199254740993n, '9007199254740993'],
    [12345678901234567890n, '12345678901234567890'],
    [-5n, '-5'],
    [true, 'true'],
    [null, 'null'],
    [[1, 'a', null], '[1,"a",null]'],
    [[], '[]'],
    [{}, '{}'],
    [{ k: 1 }, '{"k":1}'],
    [{ b: 1, a: null, c: undefined }, '{"b":1,"a":null}'],
    [Object.assign(Object.create(null) as object, { a: 1 }), '{"a":1}'],
    ['/\u007fé\u2028', '"/\u007fé\u2028"'],
    ['\u001f\u0000\n\t"\\\b\f\r', String.raw`"\u001F\u0000\n\t\"\\\b\f\r"`],
    ['\u000b\u001e', String.raw`"\u000B\u001E"`],
    [String.raw`\u001f`, String.raw`"\\u001f"`],
    [String.raw`\\u00ff`, String.raw`"\\\\u00ff"`],
    ['😀', String.raw`"\uD83D\uDE00"`],
    ['\ud800', String.raw`"\uD800"`],
    ['a\udfffb', String.raw`"a\uDFFFb"`],
    [{ '😀': 1.0e7 + 0.5 }, String.raw`{"\uD83D\uDE00":1.00000005E7}`],
    [new Date(0), '"1970-01-01T00:00:00.000Z"'],
    [[new Date(0)], '["1970-01-01T00:00:00.000Z"]'],
    [new User(), '{"name":"x","age":3}'],
    [new URL('https://example.com/'), '"https://example.com/"'],
    [{ a: { toJSON: () => undefined }, b: 1 }, '{"b":1}'],
    [{ a: { toJSON: (key: string) => key } }, '{"a":"a"}'],
    [nested(1000), `${'['.repeat(1000)}1${']'.repeat(1000)}`],
  ])('%o', (value, text) => {
    expect(json.encode(value)).toBe(text)
  })

  it('beans in the order of their names, without null, and with dates as numbers', () => {
    const value = {
      name: 'x',
      age: 3,
      at: new Date(5),
      no: null,
      inner: { b: [null, new Date(7)], a: undefined, '10': 1, '9': 1 },
    }
    expect(bean.encode(value)).toBe('{"age":3,"at":5,"inner":{"10":1,"9":1,"b":[null,7]},"name":"x"}')
    expect(bean.encode(null)).toBe('null')
  })
})

describe('the JSON codec refuses at write', () => {
  const circle: Record<string, unknown> = {}
  circle['self'] = [circle]

  it.each<[what: string, value: unknown, got: string]>([
    ['a map', new Map([[1, 2]]), 'a Map'],
    ['a set', { a: [new Set()] }, 'a Set at value.a[0]'],
    ['a map in a list', [1, { roles: new Map() }], 'a Map at value[1].roles'],
    [
      'a map with the tag of plain objects',
      new (class extends Map<number, number> {
        override get [Symbol.toStringTag]() {
          return 'Object'
        }
      })([[1, 2]]),
      'a Map',
    ],
    ['a weak map', new WeakMap(), 'a WeakMap'],
    ['a weak reference', new WeakRef({}), 'a WeakRef'],
    ['a buffer', Buffer.from('a'), 'a Uint8Array'],
    ['a typed array', { a: new Float64Array(1) }, 'a Float64Array at value.a'],
    ['a view', new DataView(new ArrayBuffer(1)), 'a DataView'],
    ['an array buffer', new ArrayBuffer(1), 'an ArrayBuffer'],
    ['a function', () => 1, 'a function'],
    ['a method', { a: () => 1 }, 'a function at value.a'],
    ['a symbol', Symbol('secret'), 'a symbol'],
    ['a symbol in an object', { a: Symbol('secret') }, 'a symbol at value.a'],
    ['NaN', Number.NaN, 'NaN'],
    ['an infinity', { a: [Infinity] }, 'Infinity at value.a[0]'],
    ['a negative infinity', [-Infinity], '-Infinity at value[0]'],
    ['nothing', undefined, 'undefined'],
    ['undefined in a list', [1, undefined], 'undefined at value[1]'],
    ['a hole in a list', Array(3).fill(1, 2), 'undefined at value[0]'],
    ['a circle', circle, 'an object that it is in at value.self[0]'],
    ['an invalid date', { at: new Date(Number.NaN) }, 'an invalid Date at value.at'],
    ['a promise', Promise.resolve(1), 'a Promise'],
    ['an error', new Error('secret'), 'an Error'],
    ['a regular expression', /secret/, 'a RegExp'],
    ['a boxed number', Object(1), 'a Number'],
    ['search parameters', new URLSearchParams('secret=1'), 'a URLSearchParams'],
    ['too many levels', nested(1001), 'more than 1000 levels of lists and objects at value[0]'],
    ['too many digits', 10n ** 1000n, 'a bigint of more than 1000 digits'],
    ['what toJSON() makes', { a: { toJSON: () => new Map() } }, 'a Map at value.a'],
    ['what toJSON() of a list makes', Object.assign([1], { toJSON: () => new Map() }), 'a Map'],
    [
      'what a hidden toJSON() makes',
      Object.defineProperty({ a: 1 }, 'toJSON', { value: () => new Set() }),
      'a Set',
    ],
    ['toJSON() without end', { toJSON: again }, 'more than 1000 levels of lists and objects'],
  ])('%s', (_what, value, got) => {
    for (const codec of [json, bean]) {
      const error = thrownBy(() => codec.encode(value))
      expect(error).toBeInstanceOf(CodecError)
      expect(error).toMatchObject({ code: 'CODEC', codec: 'json', action: 'encode', bytes: undefined })
      expect(error.message).toMatch(/^The codec json cannot encode this: expected what JSON can say, got /)
      expect(error.got.startsWith(got)).toBe(true)
      expect(error.message).not.toContain('secret')
    }
  })

  function again(): unknown {
    return { toJSON: again }
  }
})

describe('the JSON codec reads', () => {
  it.each<[text: string, value: unknown]>([
    ['"abc"', 'abc'],
    ['1.0E7', 1e7],
    ['-0.0', -0],
    ['"NaN"', 'NaN'],
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', 9007199254740992n],
    ['-9007199254740993', -9007199254740993n],
    ['{"id":12345678901234567890,"n":1}', { id: 12345678901234567890n, n: 1 }],
    ['[9223372036854775807]', [9223372036854775807n]],
    [' 9007199254740993 ', 9007199254740993n],
    ['1234567890123456.5', 1234567890123456.5],
    ['0.30000000000000004', 0.30000000000000004],
    ['9007199254740993E0', 9007199254740992],
    ['1e400', Infinity],
    ['"9007199254740993"', '9007199254740993'],
    ['{"9007199254740993":"a, 9007199254740993,"}', { '9007199254740993': 'a, 9007199254740993,' }],
    [String.raw`"\uD83D\uDE00"`, '😀'],
    ['"😀\ufffd"', '😀\ufffd'],
  ])('%s', (text, value) => {
    expect(read(text)).toEqual(value)
  })

  it('a large integer wherever it stands', () => {
    for (let spaces = 0; spaces < 64; spaces += 1) {
      for (const digits of ['9007199254740993', '12345678901234567', '9223372036854775807']) {
        expect(read(`${' '.repeat(spaces)}[0,${digits},0]`)).toEqual([0, BigInt(digits), 0])
        expect(read(`[1${' '.repeat(spaces)},-${digits}]`)).toEqual([1, -BigInt(digits)])
      }
    }
  })

  it('bytes that are no Buffer, and bytes in the midst of others', () => {
    expect(json.decode(new TextEncoder().encode('x[1]x').subarray(1, 4))).toEqual([1])
  })

  it('names that belong to prototypes as members like others', () => {
    for (const large of ['', ',"n":9007199254740993']) {
      const value = read(`{"__proto__":{"polluted":true},"constructor":{"prototype":1}${large}}`) as object
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
      expect(Object.hasOwn(value, '__proto__')).toBe(true)
      expect('polluted' in value).toBe(false)
      expect('polluted' in {}).toBe(false)
      expect(json.encode(value)).toContain('{"__proto__":{"polluted":true},"constructor":{"prototype":1}')
      expect(bean.encode(value)).toContain('{"__proto__":{"polluted":true},"constructor":{"prototype":1}')
    }
  })

  it.each<[what: string, bytes: Uint8Array]>([
    ['nothing', Buffer.alloc(0)],
    ['no JSON', Buffer.from('secret')],
    ['half of it', Buffer.from('{"secret":')],
    ['more than it', Buffer.from('"secret" 1')],
    ['bytes that are no text', Buffer.from([0x22, 0x73, 0xff, 0x22])],
    ['half of a character', Buffer.from([0x22, 0xe2, 0x82, 0x22])],
    ['a surrogate as three bytes', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
    ['a number of too many digits', Buffer.from('9'.repeat(1001))],
    [
      'too many levels around a large number',
      Buffer.from(`${'['.repeat(200_000)}9007199254740993${']'.repeat(200_000)}`),
    ],
  ])('%s, but says so by an error without the content', (_what, bytes) => {
    const error = thrownBy(() => json.decode(bytes))
    expect(error).toBeInstanceOf(CodecError)
    expect(error).toMatchObject({ codec: 'json', action: 'decode', bytes: bytes.length })
    expect(error.cause).toBeUndefined()
    expect(error.message).toMatch(
      /^The codec json cannot decode this: expected JSON( in UTF-8)?, got \d+ bytes of something else$/,
    )
  })
})

describe('the JSON codec, with any value,', () => {
  const members = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('__proto__', 'constructor', 'toJSON', '1'),
  )
  const leaves = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: 'grapheme' }),
    fc.integer(),
    fc.maxSafeInteger(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => (number === 0 ? 0 : number)),
    fc.boolean(),
    fc.constant(null),
    fc.bigInt().filter((value) => BigInt(Number(value)) !== value || !Number.isSafeInteger(Number(value))),
  )
  const values = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4, depthSize: 'small' },
      leaves,
      fc.array(tie('value')),
      fc.dictionary(members, tie('value')),
    ),
  })).value

  it('reads what it wrote', () => {
    fc.assert(
      fc.property(values, (value) => {
        expect(json.decode(Buffer.from(json.encode(value)))).toEqual(value)
      }),
      { numRuns: 300 },
    )
  })

  it('writes JSON in which any parser finds the value, with each surrogate escaped', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
        const text = String(json.encode(value))
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
        expect(text).not.toMatch(/[\ud800-\udfff]/)
      }),
      { numRuns: 300 },
    )
  })

  it('writes the same with and without the engine', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
        // A large integer has the whole value written by hand.
        expect(json.encode([value, 9007199254740993n])).toBe(
          `[${String(json.encode(value))},9007199254740993]`,
        )
      }),
      { numRuns: 300 },
    )
  })

  it('reads any bytes, or throws its error', () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 100 }),
      fc.json().map((text) => Buffer.from(text.slice(0, -1))),
    )
    fc.assert(
      fc.property(bytes, (given) => {
        try {
          json.decode(given)
        } catch (error) {
          expect(error).toBeInstanceOf(CodecError)
        }
      }),
      { numRuns: 300 },
    )
  })

  it('writes anything, or throws its error', () => {
    const anything = fc.anything({
      withBigInt: true,
      withBoxedValues: true,
      withDate: true,
      withMap: true,
      withSet: true,
      withNullPrototype: true,
      withObjectString: true,
      withTypedArray: true,
      withSparseArray: true,
    })
    fc.assert(
      fc.property(anything, (value) => {
        try {
          JSON.parse(String(json.encode(value)))
        } catch (error) {
          expect(error).toBeInstanceOf(CodecError)
        }
      }),
      { numRuns: 500 },
    )
  })
})

it.each([
  [[{ beans: true }], "Expected nothing in jsonCodec() but bean, jackson, got 'beans': did you mean `bean`?"],
  [[{ jackson: 4 }], 'Expected `jackson` of jsonCodec() to be 2 or 3, got 4'],
  [[{ bean: 'yes' }], 'Expected `bean` of jsonCodec() to be true or false, got a string of 3 characters'],
  [[7], 'Expected the options of jsonCodec() to be an object, got 7'],
])('the JSON codec refuses the options %o', ([options], message) => {
  expect(() => jsonCodec(options as never)).toThrow(new TypeError(message))
})

function thrownBy(call: () => unknown): CodecError {
  try {
    call()
  } catch (error) {
    return error as CodecError
  }
  throw new Error('Expected an error, got none')
}
