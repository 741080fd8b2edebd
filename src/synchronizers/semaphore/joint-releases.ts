import { sameOutage } from '../../core/holds/outage.js'
import { withoutAsyncContext } from '../../util/time/without-async-context.js'

/** Releases that number of permits with one request. */
type Send = (permits: number) => Promise<unknown>

/** A release of one caller. */
interface Release {
  readonly permits: number
  /** Whether it needs a semaphore that is there (1). Only releases that agree leave together. */
  readonly ifExists: 0 | 1
  /** Used if this is the first of a request. */
  readonly send: Send
}

/** A request that is held back, and the callers that it is for. */
interface JointRelease extends Pick<Release, 'ifExists' | 'send'> {
  readonly callers: PromiseWithResolvers<void>[]
  permits: number
}

/**
 * Sends the releases of one turn of the event loop together: one request for each semaphore.
 *
 * Redis runs a request completely or not at all, and a copy of it changes nothing. So for each caller, the
 * outcome says as much as that of a request of its own.
 */
export class JointReleases {
  readonly #joints = new Map<string, JointRelease>()

  /** Puts permits back at the end of this turn, or with the next {@link JointReleases.send}. */
  join(key: string, release: Release): Promise<void> {
    const caller = Promise.withResolvers<void>()
    const joint = this.#jointFor(key, release)
    joint.permits += release.permits
    joint.callers.push(caller)
    return caller.promise
  }

  /** Sends what is held back of one semaphore. */
  send(key: string): void {
    const joint = this.#joints.get(key)
    if (joint === undefined) return
    this.#joints.delete(key)
    void withoutAsyncContext(() => settle(joint)) // it belongs to several flows
  }

  /** A sum that is no safe integer would be another number in Redis. */
  #jointFor(key: string, { permits, ifExists, send }: Release): JointRelease {
    const open = this.#joints.get(key)
    if (open?.ifExists === ifExists && Number.isSafeInteger(open.permits + permits)) return open
    this.send(key)
    const joint: JointRelease = { ifExists, send, callers: [], permits: 0 }
    this.#joints.set(key, joint)
    setImmediate(() => {
      this.send(key)
    })
    return joint
  }
}

/** Never rejects. */
async function settle({ send, permits, callers }: JointRelease): Promise<void> {
  try {
    await send(permits)
    for (const { resolve } of callers) resolve()
  } catch (error) {
    for (const { reject } of callers) reject(sameOutage(error as Error))
  }
}
