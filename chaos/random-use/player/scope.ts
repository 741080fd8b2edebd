/**
 * A function that runs as a thread, as the guide on ownership tells: what it takes belongs to the nearest thread around it that has
 * it already, or else to itself.
 */
export class Scope {
  /** The number of its owner in the history. */
  readonly owner: number
  readonly #parent: Scope | undefined
  /** The innermost hold of each resource. */
  readonly #holds = new Map<string, string[]>()

  constructor(owner: number, parent: Scope | undefined) {
    this.owner = owner
    this.#parent = parent
  }

  /** The nearest scope that holds one of these resources. */
  holderOf(resources: readonly string[]): Scope | undefined {
    if (resources.some((name) => this.innermost(name) !== undefined)) return this
    return this.#parent?.holderOf(resources)
  }

  /** The hold within which the next one of this resource is taken. */
  innermost(resource: string): string | undefined {
    return this.#holds.get(resource)?.at(-1)
  }

  enter(resource: string, hold: string): void {
    const holds = this.#holds.get(resource)
    if (holds === undefined) this.#holds.set(resource, [hold])
    else holds.push(hold)
  }

  leave(resource: string, hold: string): void {
    const holds = this.#holds.get(resource) ?? []
    const index = holds.indexOf(hold)
    if (index >= 0) holds.splice(index, 1)
  }
}
