import type { Bytes } from '../../reply.js'
import { Matcher, NO_MATCH, PatternError } from '../patterns/matcher.js'
import { callFromLibrary } from '../run/calls.js'
import { failure } from '../run/errors.js'
import { index } from '../run/indexing.js'
import { Table } from '../run/table.js'
import { asText } from '../run/texts.js'
import { NATIVE, type Thread } from '../run/thread.js'
import { type Body, Func, isTrue, NO_VALUES, typeOf, type Value, type Values } from '../run/values.js'
import type { Arguments } from './arguments.js'
import { type Checking, checking } from './functions.js'

/** What makes a pattern of a string. */
const SPECIALS = /[\^$*+?.([%-]/

const CARET = '^'

/** The functions of strings that take patterns. */
export const patternFunctions: Record<string, Body> = {
  find: searching(find),
  gfind: searching(iterateMatches),
  gmatch: searching(iterateMatches),
  gsub: searching(substitute),
  match: searching(match),
}

/** Errors of patterns name the line. */
function searching(search: Checking): Body {
  return checking((args, thread) => {
    try {
      return search(args, thread)
    } catch (error) {
      throw error instanceof PatternError ? failure(thread, error.message) : error
    }
  })
}

interface Search {
  readonly subject: Bytes
  readonly pattern: Bytes
  /** How many bytes come before where it begins. */
  readonly from: number
}

function find(args: Arguments): Values {
  const search = searchOf(args)
  const { subject, pattern, from } = search
  if (!isTrue(args.at(4)) && SPECIALS.test(beforeZero(pattern))) {
    return firstMatch(search, (matcher, start, end) => [start + 1, end, ...matcher.captures()])
  }
  const found = subject.indexOf(pattern, from)
  return found < 0 ? [undefined] : [found + 1, found + pattern.length]
}

function match(args: Arguments): Values {
  return firstMatch(searchOf(args), (matcher, start, end) => matcher.values(start, end))
}

function searchOf(args: Arguments): Search {
  const subject = args.text(1)
  const pattern = args.text(2)
  const from = relativePosition(args.longOr(3, 1), subject.length) - 1
  return { subject, pattern, from: Math.min(Math.max(from, 0), subject.length) }
}

function firstMatch(
  { subject, pattern, from }: Search,
  resultsOf: (matcher: Matcher, start: number, end: number) => Values,
): Values {
  const isAnchored = pattern.startsWith(CARET)
  const matcher = new Matcher(subject, isAnchored ? pattern.slice(1) : pattern)
  for (let start = from; start <= subject.length; start++) {
    const end = matcher.matchAt(start, 0)
    if (end !== NO_MATCH) return resultsOf(matcher, start, end)
    if (isAnchored) break
  }
  return [undefined]
}

/** Of an empty match, the next one begins one byte further. */
function iterateMatches(args: Arguments): Values {
  const subject = args.text(1)
  const matcher = new Matcher(subject, args.text(2))
  let from = 0
  const iterate = searching(() => {
    for (let start = from; start <= subject.length; start++) {
      const end = matcher.matchAt(start, 0)
      if (end === NO_MATCH) continue
      from = end === start ? end + 1 : end
      return matcher.values(start, end)
    }
    return NO_VALUES
  })
  return [new Func(iterate)]
}

/** What takes the place of a match. Nil or false leaves it as it is. */
type Replace = (matcher: Matcher, start: number, end: number) => Value

function substitute(args: Arguments, thread: Thread): Values {
  const subject = args.text(1)
  const pattern = args.text(2)
  const most = args.integerOr(4, subject.length + 1)
  const replace = replacementOf(args, thread)
  const isAnchored = pattern.startsWith(CARET)
  const matcher = new Matcher(subject, isAnchored ? pattern.slice(1) : pattern)
  let result = ''
  let count = 0
  let at = 0
  while (count < most) {
    const end = matcher.matchAt(at, 0)
    if (end !== NO_MATCH) {
      count += 1
      result += replaced(replace(matcher, at, end), subject.slice(at, end), thread)
    }
    if (end !== NO_MATCH && end > at) at = end
    else if (at < subject.length) result += subject.charAt(at++)
    else break
    if (isAnchored) break
  }
  return [result + subject.slice(at), count]
}

function replaced(value: Value, match: Bytes, thread: Thread): Bytes {
  if (!isTrue(value)) return match
  const text = asText(value)
  if (text === undefined) throw failure(thread, `invalid replacement value (a ${typeOf(value)})`)
  return text
}

function replacementOf(args: Arguments, thread: Thread): Replace {
  const value = args.at(3)
  const text = asText(value)
  if (text !== undefined) return (matcher, start, end) => filledIn(text, matcher, start, end)
  if (value instanceof Func) {
    return (matcher, start, end) => callFromLibrary(thread, value, matcher.values(start, end))[0]
  }
  if (value instanceof Table) {
    return (matcher, start, end) => index(value, matcher.value(0, start, end), thread.native, NATIVE)
  }
  throw args.error(3, 'string/function/table expected')
}

/** Puts captures in the place of `%1`, and the whole match in that of `%0`. */
function filledIn(text: Bytes, matcher: Matcher, start: number, end: number): Bytes {
  return text.replace(/%(.?)/gs, (_, character: string) => {
    if (!/\d/.test(character)) return character
    if (character === '0') return matcher.whole(start, end)
    return asText(matcher.value(Number(character) - 1, start, end)) ?? ''
  })
}

/** A position that is counted from the end if it is negative. Before the first one, it is 0. */
export function relativePosition(position: number, length: number): number {
  return Math.max(position < 0 ? position + length + 1 : position, 0)
}

function beforeZero(text: Bytes): Bytes {
  const end = text.indexOf('\0')
  return end < 0 ? text : text.slice(0, end)
}
