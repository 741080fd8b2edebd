import { mappedName } from './arguments.js'
import type { ObjectContext } from '../context/object-context.js'

/** A name that shows what the mapper adds to any name. It has no letters, which a mapper may change, and is in no prefix. */
const SAMPLE = '7305918264'

/** What has a meaning of its own in a pattern of Redis, outside of brackets. */
const SPECIAL = /[\\*?[]/g

/** A pattern, byte by byte, that ends neither within brackets nor with a lone backslash. A range in brackets may end with any byte. */
const COMPLETE = /^(?:\\.|\[\^?(?:\\.|[^\\\]]-.|[^\\\]](?!-.))*\]|[^\\[])*$/s

/**
 * The pattern of the names in Redis that belong to a pattern of names in the program. What the `nameMapper` adds is no pattern, and
 * matches itself alone, so that keys of other programs do not match.
 *
 * @throws `TypeError` if it is not certain which part of what the mapper returns is the pattern
 */
export function mappedPattern(context: Pick<ObjectContext, 'config'>, pattern: string): string {
  const [before, after] = addedTo(context, pattern)
  if (after !== '' && !COMPLETE.test(Buffer.from(pattern).toString('latin1')))
    throw new TypeError(
      'Expected `pattern` to have no bracket that stays open, and no lone backslash at its end',
    )
  return literal(before) + pattern + literal(after)
}

/**
 * Whether a key in Redis matches the pattern of all names.
 *
 * @throws `TypeError` as {@link mappedPattern} does
 */
export function hasMappedName(context: Pick<ObjectContext, 'config'>, key: Buffer): boolean {
  const [before, after] = addedTo(context, '*').map((added) => Buffer.from(added).toString('latin1')) as [
    string,
    string,
  ]
  const bytes = key.toString('latin1')
  return bytes.length >= before.length + after.length && bytes.startsWith(before) && bytes.endsWith(after)
}

/** What the mapper puts before a pattern, and after it. */
function addedTo(context: Pick<ObjectContext, 'config'>, pattern: string): readonly [string, string] {
  const mapped = mappedName(context, pattern)
  const [before = '', after = ''] = mappedName(context, SAMPLE).split(SAMPLE)
  if (mapped === before + pattern + after) return [before, after]
  // It adds something else to this name, in which special characters may come from the pattern.
  const [first = '', last, ...more] = mapped.split(pattern)
  if (last !== undefined && more.length === 0 && isLiteral(first) && isLiteral(last)) return [first, last]
  throw new TypeError(
    'Expected `nameMapper` to keep a pattern as it is, and to add the same text to all names: ' +
      'it cannot be said which names in Redis match',
  )
}

function literal(text: string): string {
  return text.replace(SPECIAL, '\\$&')
}

function isLiteral(text: string): boolean {
  return literal(text) === text
}
