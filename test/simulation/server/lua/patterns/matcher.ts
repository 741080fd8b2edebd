import type { Bytes } from '../../reply.js'
import type { Value } from '../run/values.js'
import { isInClass } from './classes.js'

/** A pattern that cannot be used. */
export class PatternError extends Error {
  override readonly name = 'PatternError'
}

const MOST_CAPTURES = 32

/** The length of a capture that is not closed yet. */
const OPEN = -1
/** The length of one that gives its position. */
const POSITION = -2

/** Where nothing matches. */
export const NO_MATCH = -1

const PERCENT = 0x25
const OPENING = 0x28
const CLOSING = 0x29
const DOLLAR = 0x24
const DOT = 0x2e
const BRACKET = 0x5b
const END_BRACKET = 0x5d
const CARET = 0x5e
const HYPHEN = 0x2d
const STAR = 0x2a
const PLUS = 0x2b
const QUESTION = 0x3f
const BALANCE = 0x62
const FRONTIER = 0x66
const ZERO = 0x30
const NINE = 0x39

interface Capture {
  readonly start: number
  length: number
}

/** Matches one pattern of Lua 5.1 against one string. */
export class Matcher {
  readonly #subject: Bytes
  readonly #pattern: Bytes
  #captures: Capture[] = []

  constructor(subject: Bytes, pattern: Bytes) {
    this.#subject = subject
    const end = pattern.indexOf('\0') // as C ends it
    this.#pattern = end < 0 ? pattern : pattern.slice(0, end)
  }

  /** Where a match ends that begins there; {@link NO_MATCH} if there is none. */
  matchAt(start: number, patternStart: number): number {
    this.#captures = []
    return this.#match(start, patternStart)
  }

  /** How many values a match has: its captures, or itself if it has none. */
  get valueCount(): number {
    return Math.max(this.#captures.length, 1)
  }

  /** What a match from one place to another has captured. A pattern without captures captures the whole. */
  values(start: number, end: number): Value[] {
    return Array.from({ length: this.valueCount }, (_, at) => this.value(at, start, end))
  }

  whole(start: number, end: number): Bytes {
    return this.#subject.slice(start, end)
  }

  /** The captures only. */
  captures(): Value[] {
    return this.#captures.map((_, at) => this.value(at, 0, 0))
  }

  value(at: number, start: number, end: number): Value {
    const capture = this.#captures[at]
    if (!capture) {
      if (at === 0) return this.#subject.slice(start, end)
      throw new PatternError('invalid capture index')
    }
    if (capture.length === OPEN) throw new PatternError('unfinished capture')
    if (capture.length === POSITION) return capture.start + 1
    return this.#subject.slice(capture.start, capture.start + capture.length)
  }

  #match(start: number, patternStart: number): number {
    let at = start
    let item = patternStart
    while (item < this.#pattern.length) {
      const special = this.#matchSpecial(at, item)
      if (special !== undefined) return special
      const width = this.#widthOfEscape(item)
      const end = width > 0 ? item + width : this.#endOfItem(item)
      const repeated = width > 0 ? undefined : this.#matchRepeated(at, item, end)
      if (repeated !== undefined) return repeated
      at = width > 0 ? this.#skipEscape(at, item, end) : this.#skipSingle(at, item, end)
      if (at === NO_MATCH) return NO_MATCH
      item = end
    }
    return at
  }

  /** Captures, and the end of the subject: what decides the rest of a match by itself. */
  #matchSpecial(at: number, item: number): number | undefined {
    switch (this.#code(item)) {
      case OPENING:
        return this.#code(item + 1) === CLOSING
          ? this.#matchCaptured(at, item + 2, POSITION)
          : this.#matchCaptured(at, item + 1, OPEN)
      case CLOSING:
        return this.#matchClosed(at, item + 1)
      case DOLLAR:
        if (item + 1 !== this.#pattern.length) return undefined
        return at === this.#subject.length ? at : NO_MATCH
      default:
        return undefined
    }
  }

  #matchCaptured(at: number, item: number, length: number): number {
    if (this.#captures.length >= MOST_CAPTURES) throw new PatternError('too many captures')
    this.#captures.push({ start: at, length })
    const end = this.#match(at, item)
    if (end === NO_MATCH) this.#captures.pop()
    return end
  }

  #matchClosed(at: number, item: number): number {
    const capture = this.#captures.findLast(({ length }) => length === OPEN)
    if (!capture) throw new PatternError('invalid pattern capture')
    capture.length = at - capture.start
    const end = this.#match(at, item)
    if (end === NO_MATCH) capture.length = OPEN
    return end
  }

  /** `*`, `+`, `-` and `?` behind an item. */
  #matchRepeated(at: number, item: number, end: number): number | undefined {
    switch (this.#code(end)) {
      case STAR:
        return this.#matchMost(at, item, end, 0)
      case PLUS:
        return this.#matchMost(at, item, end, 1)
      case HYPHEN:
        return this.#matchFewest(at, item, end)
      case QUESTION: {
        const rest = this.#isSingleMatch(at, item, end) ? this.#match(at + 1, end + 1) : NO_MATCH
        return rest === NO_MATCH ? this.#match(at, end + 1) : rest
      }
      default:
        return undefined
    }
  }

  #matchMost(start: number, item: number, end: number, least: number): number {
    let count = 0
    while (this.#isSingleMatch(start + count, item, end)) count += 1
    for (; count >= least; count--) {
      const rest = this.#match(start + count, end + 1)
      if (rest !== NO_MATCH) return rest
    }
    return NO_MATCH
  }

  #matchFewest(start: number, item: number, end: number): number {
    for (let at = start; ; at++) {
      const rest = this.#match(at, end + 1)
      if (rest !== NO_MATCH) return rest
      if (!this.#isSingleMatch(at, item, end)) return NO_MATCH
    }
  }

  #skipSingle(at: number, item: number, end: number): number {
    return this.#isSingleMatch(at, item, end) ? at + 1 : NO_MATCH
  }

  /** How much of the pattern `%b`, `%f` or a back reference takes; 0 for what is none of these. */
  #widthOfEscape(item: number): number {
    if (this.#code(item) !== PERCENT) return 0
    const code = this.#code(item + 1)
    if (code === BALANCE) return 4
    if (code === FRONTIER) return this.#endOfFrontier(item + 2) - item
    return isDigit(code) ? 2 : 0
  }

  #skipEscape(at: number, item: number, end: number): number {
    const code = this.#code(item + 1)
    if (code === BALANCE) return this.#skipBalanced(at, item + 2)
    if (code === FRONTIER) return this.#isFrontier(at, item + 2, end - 1) ? at : NO_MATCH
    return this.#skipBackReference(at, code)
  }

  #endOfFrontier(set: number): number {
    if (this.#code(set) !== BRACKET) throw new PatternError(`missing '[' after '%f' in pattern`)
    return this.#endOfItem(set)
  }

  /** `%f[set]`: whether it is between a byte that is not in the set and one that is. The ends count as zeros. */
  #isFrontier(at: number, opening: number, closing: number): boolean {
    const before = at === 0 ? 0 : this.#subject.charCodeAt(at - 1)
    const behind = at < this.#subject.length ? this.#subject.charCodeAt(at) : 0
    return !this.#isInSet(before, opening, closing) && this.#isInSet(behind, opening, closing)
  }

  /** `%1`: what the first capture has matched, once more. */
  #skipBackReference(at: number, digit: number): number {
    const capture = this.#captures[digit - ZERO - 1]
    if (!capture || capture.length === OPEN) throw new PatternError('invalid capture index')
    if (capture.length === POSITION) return NO_MATCH
    const text = this.#subject.slice(capture.start, capture.start + capture.length)
    return this.#subject.startsWith(text, at) ? at + text.length : NO_MATCH
  }

  /** `%b()` */
  #skipBalanced(start: number, item: number): number {
    if (item + 1 >= this.#pattern.length) throw new PatternError('unbalanced pattern')
    const opening = this.#code(item)
    const closing = this.#code(item + 1)
    if (start >= this.#subject.length || this.#subject.charCodeAt(start) !== opening) return NO_MATCH
    let depth = 1
    for (let at = start + 1; at < this.#subject.length; at++) {
      const code = this.#subject.charCodeAt(at)
      if (code === closing) depth -= 1
      else if (code === opening) depth += 1
      if (depth === 0) return at + 1
    }
    return NO_MATCH
  }

  #endOfItem(item: number): number {
    const code = this.#code(item)
    if (code === PERCENT) {
      if (item + 1 >= this.#pattern.length) throw new PatternError(`malformed pattern (ends with '%')`)
      return item + 2
    }
    return code === BRACKET ? this.#endOfSet(item + 1) : item + 1
  }

  /** A bracket that comes first in a set belongs to it. */
  #endOfSet(start: number): number {
    let at = this.#code(start) === CARET ? start + 1 : start
    do {
      if (at >= this.#pattern.length) throw new PatternError(`malformed pattern (missing ']')`)
      const code = this.#code(at)
      at += code === PERCENT && at + 1 < this.#pattern.length ? 2 : 1
    } while (this.#code(at) !== END_BRACKET)
    return at + 1
  }

  #isSingleMatch(at: number, item: number, end: number): boolean {
    if (at >= this.#subject.length) return false
    const byte = this.#subject.charCodeAt(at)
    switch (this.#code(item)) {
      case DOT:
        return true
      case PERCENT:
        return isInClass(byte, this.#code(item + 1))
      case BRACKET:
        return this.#isInSet(byte, item, end - 1)
      default:
        return this.#code(item) === byte
    }
  }

  /** Whether a byte is in the set between two brackets. */
  #isInSet(byte: number, opening: number, closing: number): boolean {
    const isNegated = this.#code(opening + 1) === CARET
    let at = isNegated ? opening + 2 : opening + 1
    while (at < closing) {
      const code = this.#code(at)
      if (code === PERCENT) {
        if (isInClass(byte, this.#code(at + 1))) return !isNegated
        at += 2
      } else if (this.#code(at + 1) === HYPHEN && at + 2 < closing) {
        if (code <= byte && byte <= this.#code(at + 2)) return !isNegated
        at += 3
      } else {
        if (code === byte) return !isNegated
        at += 1
      }
    }
    return isNegated
  }

  /** NaN behind the end. */
  #code(at: number): number {
    return this.#pattern.charCodeAt(at)
  }
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE
}
