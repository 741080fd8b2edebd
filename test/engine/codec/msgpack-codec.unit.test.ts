import Module from 'node:module'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { msgpackCodec } from '../../../src/codec/msgpack-codec.js'
import { CodecError, MissingPackageError } from '../../../src/errors/codec-errors.js'

const msgpack = msgpackCodec()

describe('the MessagePack codec', () => {
  it.each<[value: unknown, bytes: string]>([
    [{ b: 1, a: [null, true] }, '82a16201a16192c0c3'],
    [{ a: undefined }, '80'],
    ['é', 'a2c3a9'],
    [-1, 'ff'],
    [-0, '00'],
    [0.5, 'cb3fe0000000000000'],
    [2n ** 64n - 1n, 'cfffffffffffffffff'],
    [Buffer.of(1, 2), 'c4020102'],
    [new Date(1000), 'd6ff00000001'],
  ])('writes %o by its standard', (value, bytes) => {
    expect(Buffer.from(msgpack.encode(value)).toString('hex')).toBe(bytes)
  })

  it.each<[value: unknown]>([
    [{ at: new Date(5), raw: Buffer.of(1), big: 2n ** 63n - 1n, list: [1, 'a', null, NaN] }],
    [Number.MAX_SAFE_INTEGER],
    [-(2n ** 63n)],
    [[2n ** 53n, { a: -(2n ** 53n) }]],
    [['\ufffd', '', 'x'.repeat(40), 'é'.repeat(300), 'z'.repeat(70_000), { ['k'.repeat(50)]: 1.5 }]],
    [
      [
        1,
        -1,
        200,
        60_000,
        2 ** 31,
        -100,
        -30_000,
        -(2 ** 31),
        2 ** 33,
        Array(20).fill(null),
        Buffer.alloc(70_000),
      ],
    ],
  ])('reads what it has written: %o', (value) => {
    expect(msgpack.decode(Buffer.from(msgpack.encode(value)))).toEqual(value)
  })

  it('reads integers as numbers where those hold them', () => {
    const written = msgpack.encode([1n, 2n ** 53n - 1n, { a: -(2n ** 53n) + 1n }])
    expect(msgpack.decode(Buffer.from(written))).toEqual([1, 2 ** 53 - 1, { a: -(2 ** 53) + 1 }])
  })

  it('reads bytes that no later message changes', () => {
    const bytes = Buffer.from(msgpack.encode({ raw: Buffer.of(1) }))
    const { raw } = msgpack.decode(bytes) as { raw: Buffer }
    bytes.fill(0)
    expect(raw).toEqual(Buffer.of(1))
  })

  const circle: unknown[] = []
  circle.push([circle])

  it.each<[value: unknown, got: string]>([
    [undefined, 'undefined'],
    [[undefined], 'undefined at value[0]'],
    [Array(2), 'undefined at value[0]'],
    [{ a: new Map() }, 'a Map at value.a'],
    [new Set(), 'a Set'],
    [() => 1, 'a function'],
    [{ a: Symbol('secret') }, 'a symbol at value.a'],
    [new Float32Array(1), 'a Float32Array'],
    [new Date(NaN), 'an invalid Date'],
    [/secret/, 'a RegExp'],
    [new Error('secret'), 'an Error'],
    [Promise.resolve(1), 'a Promise'],
    [new URL('https://secret/'), 'an object with a toJSON()'],
    [2 ** 53, 'a whole number beyond 2⁵³ − 1'],
    [2n ** 64n, 'a bigint of more than 64 bits'],
    ['\ud800', 'a text with half of a surrogate pair'],
    [{ '\ud800': 1 }, 'a name with half of a surrogate pair at value.\ud800'],
    [JSON.parse('{"__proto__":1}'), 'a member of this name at value.__proto__'],
    [circle, 'an object that it is in at value[0][0]'],
  ])('refuses to write %o', (value, got) => {
    const error = refusalOf(() => msgpack.encode(value))
    expect(error).toMatchObject({ codec: 'msgpack', expected: 'what MessagePack can say', got })
  })

  it.each([
    'c1',
    '92c0c1',
    'a1ff',
    'a2c080',
    'a3eda080',
    'd901ff',
    '81a1ff01',
    '',
    '91',
    '0102',
    'ddffffffff',
    'c6ffffffff01',
    'c90000000001ff',
    '91'.repeat(100_000),
  ])('refuses to read %.20s', (hex) => {
    const error = refusalOf(() => msgpack.decode(Buffer.from(hex, 'hex')))
    expect(error).toMatchObject({ action: 'decode', expected: 'MessagePack', bytes: hex.length / 2 })
    expect(error.cause).toBeUndefined()
  })

  it('leaves prototypes alone', () => {
    const value = msgpack.decode(
      Buffer.from('82a95f5f70726f746f5f5f81a16101ab636f6e7374727563746f7201', 'hex'),
    ) as object
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    expect(Object.getOwnPropertyNames(value)).toContain('constructor')
  })

  it('says what to install if the package is missing', () => {
    const missing = vi.spyOn(Module, 'createRequire').mockReturnValue((() => {
      throw new Error('Cannot find module')
    }) as never)
    Module.syncBuiltinESMExports()
    onTestFinished(() => {
      missing.mockRestore()
      Module.syncBuiltinESMExports()
    })
    expect(() => msgpackCodec()).toThrow(MissingPackageError)
    expect(() => msgpackCodec()).toThrow('install it by `npm install msgpackr`')
  })
})

function refusalOf(call: () => unknown): CodecError {
  try {
    call()
  } catch (error) {
    expect(error).toBeInstanceOf(CodecError)
    return error as CodecError
  }
  throw new Error('Expected an error, got none')
}
