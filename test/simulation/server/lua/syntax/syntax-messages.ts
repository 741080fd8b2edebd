/** How Lua says what luaparse says in other words. */
const WORDINGS: readonly (readonly [RegExp, string])[] = [
  [/^<name> expected/, "'<name>' expected"],
  [/^<expression> expected/, 'unexpected symbol'],
  [/^unexpected keyword '(end|else|elseif|until)' near .*$/s, "'<eof>' expected near '$1'"],
  [/^unexpected \w+ '(.*)' near .*$/s, "unexpected symbol near '$1'"],
  [/^unfinished (long \w+) \(starting at line \d+\)/, 'unfinished $1'],
  [/^decimal escape too large near .*$/s, `escape sequence too large near '"'`],
]

const UNFINISHED_STRING = /^(unfinished string near ).*$/s

/**
 * The message of Lua for a script that luaparse refuses.
 *
 * @param length - that of the script
 */
export function messageOf(error: SyntaxError, source: string, length: number): string {
  const isAtEnd = 'index' in error && Number(error.index) >= length
  const [, line = '1', text = error.message] = /^\[(\d+):-?\d+\] (.*)$/s.exec(error.message) ?? []
  const wording = WORDINGS.find(([pattern]) => pattern.test(text))
  const message = wording ? text.replace(...wording) : text
  return `${source}:${line}: ${isAtEnd ? message.replace(UNFINISHED_STRING, "$1'<eof>'") : message}`
}
