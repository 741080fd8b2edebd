import type { LockContext } from '../../core/context/object-context.js'
import { WrongTypeError } from '../../errors/reply-errors.js'
import { Tally, type AdderKind } from './tally.js'

/** What the adders of a client have added, by key. A tally is kept from the first addition until a moment after all adders that took part are destroyed. */
export class Tallies {
  readonly #context: LockContext
  readonly #tallies = new Map<string, Tally<unknown, unknown>>()

  constructor(context: LockContext) {
    this.#context = context
    context.onClose(() => {
      for (const tally of this.#tallies.values()) tally.close()
      this.#tallies.clear()
      return Promise.resolve()
    })
  }

  /**
   * Returns the tally of a key; undefined if there is none.
   *
   * @throws {@link WrongTypeError} if it is of the other kind, and some of its adders are not destroyed
   */
  find<V, S>(key: string, name: string, kind: AdderKind<V, S>): Tally<V, S> | undefined {
    const tally = this.#tallies.get(key)
    if (tally === undefined || Object.is(tally.kind, kind)) return tally as Tally<V, S> | undefined
    if (tally.endIfUnused()) return undefined
    throw new WrongTypeError(name, { cause: new TypeError('this client has an adder of the other kind') })
  }

  /** Returns the tally of a key, which is made if there is none. */
  open<V, S>(key: string, name: string, kind: AdderKind<V, S>): Tally<V, S> {
    const known = this.find(key, name, kind)
    if (known !== undefined) return known
    const tally = new Tally<V, S>({
      context: this.#context,
      name,
      key,
      kind,
      unused: () => {
        this.#tallies.delete(key)
      },
    })
    this.#tallies.set(key, tally as unknown as Tally<unknown, unknown>)
    return tally
  }
}
