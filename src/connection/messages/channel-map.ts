import type { Channel, ChannelKind } from '../connection.js'

/** Values by channel. */
export class ChannelMap<V> {
  readonly #byKind: Readonly<Record<ChannelKind, Map<string, V>>> = {
    plain: new Map(),
    pattern: new Map(),
    sharded: new Map(),
  }

  /** How many there are, without a look at them. */
  get size(): number {
    const { plain, pattern, sharded } = this.#byKind
    return plain.size + pattern.size + sharded.size
  }

  get({ kind, name }: Channel): V | undefined {
    return this.#byKind[kind].get(name)
  }

  set({ kind, name }: Channel, value: V): void {
    this.#byKind[kind].set(name, value)
  }

  /** Returns whether there was such a channel. */
  delete({ kind, name }: Channel): boolean {
    return this.#byKind[kind].delete(name)
  }

  clear(): void {
    for (const values of Object.values(this.#byKind)) values.clear()
  }

  *values(): Generator<V> {
    for (const values of Object.values(this.#byKind)) yield* values.values()
  }
}
