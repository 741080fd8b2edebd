import type { CommandExecutor } from '../../command/operation/command-executor.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import { LocalIds, type TakeIds } from './local-ids.js'

/**
 * Of how many generators a client keeps ids. Each takes less than 500 bytes. A program with more of them in turn, such as one for each
 * of its users, would otherwise keep all of them for ever.
 */
const MOST_GENERATORS = 10_000

/** The ids that a client has taken, by generator, so that every object of the same name uses the same block. */
export class IdBlocks {
  /** Takes them: for all callers, and so whatever signal one of these has. */
  readonly executor: CommandExecutor
  readonly #closing: AbortSignal
  /** In the order of their last use. */
  readonly #generators = new Map<string, LocalIds>()

  constructor({ executor, closing, onClose }: ObjectContext) {
    this.executor = executor
    this.#closing = closing
    onClose(() => {
      this.#generators.clear()
      return Promise.resolve()
    })
  }

  /** Returns the next id of the generator with this key: see {@link LocalIds.next}. */
  next(key: string, take: TakeIds, signal?: AbortSignal): bigint | Promise<bigint> {
    const ids = this.#generators.get(key) ?? new LocalIds(this.#closing)
    this.#generators.delete(key)
    this.#generators.set(key, ids)
    if (this.#generators.size > MOST_GENERATORS) this.#dropOldest()
    return ids.next(take, signal)
  }

  /** Drops the ids of a generator that is not there any more, or is another one. Callers that wait for one of them still get it. */
  drop(key: string): void {
    this.#generators.delete(key)
  }

  #dropOldest(): void {
    const [oldest] = this.#generators.keys()
    if (oldest !== undefined) this.#generators.delete(oldest)
  }
}
