/**
 * The text as Jackson escapes it.
 *
 * `JSON.stringify` leaves surrogate pairs as they are, and writes other escapes in lower case. All of these are found inside of strings
 * only, so the text need not be taken apart.
 */
export function asJacksonEscapes(text: string): string {
  const ascii = Buffer.byteLength(text) === text.length
  const withUpperCase = text.includes('\\u') ? text.replace(/\\(?:u[0-9a-f]{4}|.)/g, inUpperCase) : text
  return ascii ? withUpperCase : withUpperCase.replace(/[\ud800-\udfff]/g, escaped)
}

/** The digits of an escape. Other escapes are matched too, since `\\u` is a backslash before a letter. */
function inUpperCase(escape: string): string {
  return escape.startsWith('\\u') ? `\\u${escape.slice(2).toUpperCase()}` : escape
}

function escaped(surrogate: string): string {
  return `\\u${surrogate.charCodeAt(0).toString(16).toUpperCase()}`
}
