/** The major versions of Jackson, whose texts differ. */
export type JacksonVersion = 2 | 3

export const JACKSON_VERSIONS: readonly JacksonVersion[] = [2, 3]

/**
 * The text as Jackson escapes it.
 *
 * `JSON.stringify` writes escapes in lower case, and leaves surrogate pairs as they are, as Jackson 3 does and Jackson 2 does not. All of these
 * are found inside of strings only, so the text need not be taken apart.
 */
export function asJacksonEscapes(text: string, version: JacksonVersion = 2): string {
  const withUpperCase = text.includes('\\u') ? text.replace(/\\(?:u[0-9a-f]{4}|.)/g, inUpperCase) : text
  const isWhole = version === 3 || Buffer.byteLength(text) === text.length
  return isWhole ? withUpperCase : withUpperCase.replace(/[\ud800-\udfff]/g, escaped)
}

/** The digits of an escape. Other escapes are matched too, since `\\u` is a backslash before a letter. */
function inUpperCase(escape: string): string {
  return escape.startsWith('\\u') ? `\\u${escape.slice(2).toUpperCase()}` : escape
}

function escaped(surrogate: string): string {
  return `\\u${surrogate.charCodeAt(0).toString(16).toUpperCase()}`
}
