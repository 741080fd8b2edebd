import fc from 'fast-check'
import type { Bytes } from '../../../reply.js'

/** A number as Lua reads it. NaN is written as what gives it. */
export function numberLiteral(number: number): string {
  if (Number.isNaN(number)) return '(0/0)'
  if (!Number.isFinite(number)) return number > 0 ? 'math.huge' : '(-math.huge)'
  const text = Object.is(number, -0) ? '0' : String(Math.abs(number))
  return number < 0 ? `(-${text})` : text
}

/** A string as Lua reads it: what is no plain letter is written as its code. */
export function stringLiteral(text: Bytes): string {
  const inside = text.replace(/[^ -~]|["\\]/g, (character) => {
    return `\\${character.charCodeAt(0).toString().padStart(3, '0')}`
  })
  return `"${inside}"`
}

/** One of some characters. */
export function oneCharacter(characters: string): fc.Arbitrary<string> {
  return fc.constantFrom(...Array.from(characters))
}

export const smallInteger = fc.integer({ min: -20, max: 20 })

/** Numbers of all sizes, with those at which something changes. */
export const anyNumber = fc.oneof(
  smallInteger,
  smallInteger.map((number) => number / 4),
  fc.integer({ min: -(2 ** 31), max: 2 ** 32 }),
  fc.maxSafeInteger(),
  fc.double({ noNaN: true }),
  fc.constantFrom(
    0,
    1,
    0.5,
    2 ** 31,
    2 ** 32,
    2 ** 53,
    2 ** 63,
    -(2 ** 63),
    1e14,
    1e15,
    1e16,
    0.1,
    1e-5,
    Infinity,
  ),
)

/** Bytes of all kinds. */
export const anyBytes = fc
  .array(fc.oneof(fc.integer({ min: 32, max: 126 }), fc.integer({ min: 0, max: 255 })), { maxLength: 12 })
  .map((codes) => String.fromCharCode(...codes))

/** Strings that are numbers, or nearly so. */
export const numericText = fc.oneof(
  anyNumber.map(String),
  fc.string({ unit: oneCharacter('0123456789.eE+-xXpPaF ninf'), maxLength: 8 }),
  fc.constantFrom('0x10', ' 5 ', '1e5', '0x', 'inf', 'nan', '-0', '0x1p3', '5.', '.5', '1e', ''),
)

export const anyString = fc.oneof(anyBytes, numericText, fc.constantFrom('a', 'b', 'abc', 'x y'))
