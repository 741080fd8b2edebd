/** A value that has no JSON, or a text that is none. */
export class JsonError extends Error {
  override readonly name = 'JsonError'
}

/** How deeply objects and lists may be within each other. */
export const DEEPEST = 1000
