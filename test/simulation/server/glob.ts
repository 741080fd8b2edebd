import type { Bytes } from './reply.js'

/** Whether a text matches a pattern of Redis: `*`, `?`, `[a-z]`, `[^a]`, and `\` before a character that is meant itself. */
export function matches(pattern: Bytes, text: Bytes): boolean {
  return expressionOf(pattern).test(text)
}

const compiled = new Map<Bytes, RegExp>()

function expressionOf(pattern: Bytes): RegExp {
  const known = compiled.get(pattern)
  if (known) return known
  const expression = new RegExp(`^${sourceOf(pattern)}$`, 's')
  compiled.set(pattern, expression)
  return expression
}

function sourceOf(pattern: Bytes): string {
  let source = ''
  for (let at = 0; at < pattern.length;) {
    const character = pattern[at] as string
    if (character === '[') {
      const end = endOfSet(pattern, at)
      source += setOf(pattern.slice(at + 1, end))
      at = end + 1
      continue
    }
    const isEscape = character === '\\' && at + 1 < pattern.length
    if (character === '*') source += '.*'
    else if (character === '?') source += '.'
    else source += literal(isEscape ? (pattern[at + 1] as string) : character)
    at += isEscape ? 2 : 1
  }
  return source
}

/** Where the bracket is that ends a set, or the end of the pattern. */
function endOfSet(pattern: Bytes, start: number): number {
  for (let at = start + 1; at < pattern.length; at += 1) {
    if (pattern[at] === '\\') at += 1
    else if (pattern[at] === ']') return at
  }
  return pattern.length
}

function setOf(body: Bytes): string {
  const isNot = body.startsWith('^')
  const members = isNot ? body.slice(1) : body
  if (members === '') return isNot ? '.' : '(?!)'
  const source = members.replace(/\\(.)|([^-\\])-(.)|(.)/gs, (_, escaped, from, to, single) => {
    if (typeof from === 'string') return [from, String(to)].sort().map(literal).join('-')
    return literal(String(escaped ?? single))
  })
  return `[${isNot ? '^' : ''}${source}]`
}

function literal(character: string): string {
  return `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`
}
