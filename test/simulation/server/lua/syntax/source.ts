import type { Expression, Node, StringLiteral } from 'luaparse'
import type { Bytes } from '../../reply.js'

/** White space and comments. */
const NOTHING = /(?:\s|--\[(=*)\[.*?\]\1\]|--(?!\[=*\[)[^\n]*)*/sy

/** The text of a script, for what is not in its tree. */
export class Source {
  readonly #text: Bytes
  readonly #hidden: ReadonlyMap<number, Bytes>

  constructor(text: Bytes, hidden: ReadonlyMap<number, Bytes>) {
    this.#text = text
    this.#hidden = hidden
  }

  /**
   * Whether there are parentheses around the last expression of a list, so that it is one value. A list in parentheses itself, as that of
   * a call, ends with `parent`.
   */
  isParenthesized(expression: Expression, parent?: Node): boolean {
    const next = this.#skipNothing(rangeOf(expression)[1])
    const closes = this.#text[next] === ')'
    return closes && (parent === undefined || next + 1 < rangeOf(parent)[1])
  }

  /** The bytes of a string. In a long one, the end of a line is always one line feed. */
  stringOf(literal: StringLiteral): Bytes {
    const hidden = this.#hidden.get(rangeOf(literal)[0])
    if (hidden !== undefined) return hidden
    return literal.raw.startsWith('[') ? literal.value.replace(/\r\n|\n\r|\r/g, '\n') : literal.value
  }

  #skipNothing(from: number): number {
    NOTHING.lastIndex = from
    NOTHING.exec(this.#text)
    return NOTHING.lastIndex
  }
}

/** From which character to which one a node is. luaparse notes it on demand; its types do not say so. */
function rangeOf(node: Node): [number, number] {
  return (node as unknown as { range: [number, number] }).range
}
