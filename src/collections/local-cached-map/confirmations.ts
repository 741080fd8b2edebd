import { keyOf } from '../../core/arguments/arguments.js'
import { databaseOf } from '../../core/context/database.js'
import { localCacheConfirmations, semaphoreChannel } from '../../core/context/names.js'
import type { LockContext } from '../../core/context/object-context.js'
import { EntryRooms } from '../shared/entry-objects.js'
import type { RSemaphore } from '../../synchronizers/semaphore/semaphore.api.js'
import { withoutAsyncContext } from '../../util/time/without-async-context.js'
import { confirm } from './local-cached-map.scripts.js'

/** How many requests are remembered, so that a client with several caches of a map confirms once. */
const MOST_REMEMBERED = 1_000

/** Confirms to other clients that this one has cleared its local caches. */
export class Confirmations {
  readonly #context: LockContext
  readonly #rooms: EntryRooms
  /** Those of other clients that are confirmed, and those of this client, which count no confirmation of its own. */
  readonly #known = new Set<string>()

  constructor(context: LockContext) {
    this.#context = context
    this.#rooms = new EntryRooms(context)
  }

  /** A request of this client. Returns the semaphore at which others confirm it. */
  expect(map: string, requestId: string): RSemaphore {
    this.#remember(requestId)
    return this.#semaphoreOf(map, requestId)
  }

  /** Confirms a request of a client that uses this database, once for all caches of this client. */
  confirm(map: string, requestId: string, database: number): void {
    if (this.#known.has(requestId)) return
    this.#remember(requestId)
    const confirmed =
      database === databaseOf(this.#context.config)
        ? this.#semaphoreOf(map, requestId).releaseIfExists()
        : this.#confirmElsewhere(map, requestId, database)
    void confirmed.catch(() => undefined) // who has asked waits for a while, and goes on
  }

  #semaphoreOf(map: string, requestId: string): RSemaphore {
    return this.#rooms.synchronizers.getSemaphore(localCacheConfirmations(map, requestId))
  }

  #confirmElsewhere(map: string, requestId: string, database: number): Promise<unknown> {
    const semaphore = keyOf(this.#context, localCacheConfirmations(map, requestId))
    const keys = { semaphore, channel: semaphoreChannel(semaphore) }
    return withoutAsyncContext(() => this.#context.executor.run(confirm, { keys, args: { database } }))
  }

  #remember(requestId: string): void {
    this.#known.add(requestId)
    const [first] = this.#known
    if (this.#known.size > MOST_REMEMBERED && first !== undefined) this.#known.delete(first)
  }
}
