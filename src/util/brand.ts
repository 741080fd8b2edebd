/** Marks what this library makes, the same for every copy of it that a process has loaded. */
export const BRAND: unique symbol = Symbol.for('ioredisson')

/** Whether some copy of this library has made it. */
export function isBranded(value: unknown): boolean {
  return typeof value === 'object' && value !== null && BRAND in value
}
