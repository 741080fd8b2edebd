/** A property of an object that is replaced while simulations run. */
export interface Replacement {
  readonly target: object
  readonly property: string
  readonly descriptor: PropertyDescriptor
}

/** Replaces a property by a value. */
export function replaceBy(target: object, property: string, value: unknown): Replacement {
  return { target, property, descriptor: { value, writable: true, configurable: true, enumerable: true } }
}

/** Replaces a property by one that is computed at each look. */
export function replaceByGetter(target: object, property: string, get: () => unknown): Replacement {
  return { target, property, descriptor: { get, configurable: true, enumerable: true } }
}
