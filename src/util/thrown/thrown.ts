/*
 * Reads what a program may have thrown. That can be anything, even an object that throws when it is read, such as a proxy that was revoked. So none of
 * these functions ever throws.
 */

/** Whether a value is an Error. */
export function isError(value: unknown): value is Error {
  try {
    return value instanceof Error
  } catch {
    return false
  }
}

/** Returns a property of a value; undefined if it has none, or it cannot be read. */
export function factOf(value: unknown, name: string): unknown {
  try {
    return Reflect.get(Object(value) as object, name)
  } catch {
    return undefined
  }
}

/** Returns what a function returns, as a text; `unreadable` if it throws. */
export function textOf(read: () => unknown): string {
  try {
    return String(read())
  } catch {
    return 'unreadable'
  }
}

/** Returns the message of an Error, or any other value as a text; `unreadable` if that throws. */
export function messageOf(value: unknown): string {
  return textOf(() => (isError(value) ? value.message : value))
}
