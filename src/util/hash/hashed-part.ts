/**
 * What a cluster hashes of a key: the text between its first `{` and the first `}` after that, or the whole key if there is nothing
 * between them.
 */
export function hashedPart(key: string): string {
  const open = key.indexOf('{')
  const close = open === -1 ? -1 : key.indexOf('}', open)
  return close > open + 1 ? key.slice(open + 1, close) : key
}
