import luaparse, { type Options } from 'luaparse'
import type { Bytes } from '../../reply.js'

/**
 * Strings that luaparse 0.3 takes for the word that they are, in `return 'end'` and in `{ f '=' }`.
 */
const MISTAKEN: ReadonlySet<unknown> = new Set(['end', '='])
/** The types of tokens, as luaparse counts them. */
const END_OF_TEXT = 1
const STRING = 2

const PERHAPS_MISTAKEN = /(['"])(?:end|=)\1/

export interface Hidden {
  /** What luaparse is given. */
  readonly readable: Bytes
  /** The strings that it does not see, by where their tokens begin. */
  readonly hidden: ReadonlyMap<number, Bytes>
}

/** Has luaparse see other strings of the same length in place of those that it would mistake. */
export function hideMistakenStrings(text: Bytes, options: Partial<Options>): Hidden {
  const hidden = new Map<number, Bytes>()
  if (!PERHAPS_MISTAKEN.test(text)) return { readable: text, hidden }
  let readable = text
  for (const { value, range } of strings(text, options)) {
    const [start, end] = range
    if (!MISTAKEN.has(value) || end - start !== value.length + 2) continue
    hidden.set(start, value)
    readable = `${readable.slice(0, start + 1)}${'x'.repeat(value.length)}${readable.slice(end - 1)}`
  }
  return { readable, hidden }
}

function* strings(
  text: Bytes,
  options: Partial<Options>,
): Iterable<{ value: string; range: [number, number] }> {
  const lexer = luaparse.parse('', { ...options, wait: true })
  lexer.write(text)
  for (let token = lexer.lex(); token.type !== END_OF_TEXT; token = lexer.lex()) {
    if (token.type === STRING) yield token
  }
}
