/** The reply to `HGETALL`, as a record. */
export function pairs(flat: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    flat.flatMap((field, index) => (index % 2 === 0 ? [[field, flat[index + 1] ?? '']] : [])),
  )
}
