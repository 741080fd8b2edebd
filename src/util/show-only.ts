import { inspect, type InspectOptions } from 'node:util'

/**
 * Limits what the objects of a class show to `JSON.stringify()`, to `console.log()` and to loggers: certain
 * facts, and nothing else.
 *
 * What an object is made of leads to settings, and among those are passwords.
 *
 * @param kind - what the public face calls such an object
 * @param depth - how deep `console.log()` looks into the facts
 * @param json - the facts that `JSON.stringify()` passes on, where they are not the same
 */
export function showOnly<T extends object>(
  { prototype }: { readonly prototype: T },
  kind: string,
  factsOf: (object: T) => object,
  { depth = 0, json = factsOf }: { readonly depth?: number; readonly json?: (object: T) => object } = {},
): void {
  const method = { configurable: true, writable: true }
  Object.defineProperties(prototype, {
    toJSON: {
      ...method,
      value(this: T) {
        return json(this)
      },
    },
    [inspect.custom]: {
      ...method,
      value(this: T, _depth: number, options: InspectOptions) {
        return `${kind} ${inspect(factsOf(this), { ...options, depth })}`
      },
    },
  })
}
