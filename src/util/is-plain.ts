/** Whether the value may hold options or entries: an object that is no list, function, date, promise or the like. Whatever it is, this does not throw. */
export function isPlain(value: unknown): value is object {
  try {
    return Object.prototype.toString.call(value) === '[object Object]'
  } catch {
    return false
  }
}
