import type { Bytes } from '../../reply.js'
import { numberFrom } from '../numbers/from-text.js'
import { JsonError } from './json-error.js'

/** What a text of JSON consists of. The types are those that errors name. */
export interface Token {
  readonly type: string
  readonly value?: Bytes | number | boolean
  /** Where it begins, from 0 on. */
  readonly index: number
}

const PUNCTUATION: Readonly<Record<string, string>> = {
  '{': 'T_OBJ_BEGIN',
  '}': 'T_OBJ_END',
  '[': 'T_ARR_BEGIN',
  ']': 'T_ARR_END',
  ',': 'T_COMMA',
  ':': 'T_COLON',
  '\0': 'T_END', // as C ends a text
}

const WORDS: readonly (readonly [string, Omit<Token, 'index'>])[] = [
  ['true', { type: 'T_BOOLEAN', value: true }],
  ['false', { type: 'T_BOOLEAN', value: false }],
  ['null', { type: 'T_NULL' }],
]

/** Numbers as C reads them, also such as are none of JSON. */
const NUMBER =
  /[+-]?(?:0x(?:[0-9a-f]+\.?[0-9a-f]*|\.[0-9a-f]+)(?:p[+-]?\d+)?|(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|inf(?:inity)?|nan(?:\([0-9a-z_]*\))?)/iy
/** What a number may begin with. */
const START_OF_NUMBER = /[-0-9]|\+|inf|nan/iy

const ESCAPED: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}

const SPACE = /[ \t\n\r]*/y
const ESCAPED_UNIT = /\\u([0-9a-fA-F]{4})/y

/** Splits JSON into tokens. */
export class Tokens {
  readonly #text: Bytes
  #at = 0

  constructor(text: Bytes) {
    this.#text = text
  }

  /** How many bytes have been read. */
  get position(): number {
    return this.#at
  }

  next(): Token {
    this.#at += this.#take(SPACE).length
    const index = this.#at
    const character = this.#text[index] ?? '\0'
    const type = PUNCTUATION[character]
    if (type !== undefined) {
      if (type !== 'T_END') this.#at += 1
      return { type, index }
    }
    if (character === '"') return this.#string(index)
    const word = WORDS.find(([name]) => this.#text.startsWith(name, index))
    if (word) {
      this.#at += word[0].length
      return { ...word[1], index }
    }
    return this.#take(START_OF_NUMBER) === '' ? this.#problem('invalid token') : this.#number(index)
  }

  /** Says what was expected in the place of a token. */
  unexpected({ type, value, index }: Token, expected: string): JsonError {
    const found = type === 'T_ERROR' ? String(value) : type
    return new JsonError(`Expected ${expected} but found ${found} at character ${index + 1}`)
  }

  #number(index: number): Token {
    const text = this.#take(NUMBER)
    const value = numberFrom(text)
    if (value === undefined) return this.#problem('invalid number')
    this.#at += text.length
    return { type: 'T_NUMBER', value, index }
  }

  #string(index: number): Token {
    let value = ''
    this.#at += 1
    for (;;) {
      const character = this.#text[this.#at] ?? '\0'
      if (character === '"') break
      if (character === '\0') return this.#problem('unexpected end of string')
      const part = character === '\\' ? this.#escape() : character
      if (typeof part !== 'string') return part
      value += part
      if (character !== '\\') this.#at += 1
    }
    this.#at += 1
    return { type: 'T_STRING', value, index }
  }

  #escape(): Bytes | Token {
    const letter = this.#text[this.#at + 1] ?? '\0'
    if (letter === 'u') return this.#codePoint() ?? this.#problem('invalid unicode escape code')
    const character = ESCAPED[letter]
    if (character === undefined) return this.#problem('invalid escape code')
    this.#at += 2
    return character
  }

  /** The bytes in UTF-8 of a code point, which takes two units beyond the first 65 536. */
  #codePoint(): Bytes | undefined {
    const first = this.#unitAt(this.#at)
    if (first === undefined) return undefined
    const isPair = (first & 0xf800) === 0xd800
    const second = isPair ? this.#unitAt(this.#at + UNIT_LENGTH) : 0
    if (isPair && ((first & 0x400) !== 0 || second === undefined || (second & 0xfc00) !== 0xdc00))
      return undefined
    this.#at += isPair ? 2 * UNIT_LENGTH : UNIT_LENGTH
    const text = isPair ? String.fromCharCode(first, second ?? 0) : String.fromCharCode(first)
    return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('')
  }

  #unitAt(at: number): number | undefined {
    ESCAPED_UNIT.lastIndex = at
    const digits = ESCAPED_UNIT.exec(this.#text)?.[1]
    return digits === undefined ? undefined : Number.parseInt(digits, 16)
  }

  #take(pattern: RegExp): Bytes {
    pattern.lastIndex = this.#at
    return pattern.exec(this.#text)?.[0] ?? ''
  }

  #problem(value: string): Token {
    return { type: 'T_ERROR', value, index: this.#at }
  }
}

const UNIT_LENGTH = '\\u0000'.length
