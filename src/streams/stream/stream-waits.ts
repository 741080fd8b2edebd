import { demandTurns, type RunOptions } from '../../command/operation/command-executor.js'
import { notSent } from '../../command/requests/caller-wait.js'
import type { Config } from '../../config/config.js'
import type { Patience } from '../../core/arguments/arguments.js'
import { asEnded } from '../../core/holds/ended-calls.js'
import type { ObjectRequests } from '../../core/object-requests.js'
import { isLasting, isTransient, mayHaveRun } from '../../errors/transient.js'
import { eitherSignal } from '../../util/abort/either-signal.js'
import { Deadline } from '../../util/time/deadline.js'
import type { KeyWaiters } from '../../waiting/key-waiters.js'
import { settledInTime } from '../../waiting/settled-in-time.js'

/** How long a caller that has given up waits for a reply that is on its way, in milliseconds: it may bring messages. */
const REPLY_GRACE_MS = 500

/** Does not abort. */
const NEVER: AbortSignal = new AbortController().signal

/** Waits for messages of one stream, by the connection that all waiting calls of the client share. */
export class StreamWaits {
  readonly #requests: ObjectRequests
  readonly #waiters: KeyWaiters
  readonly #config: Pick<Config, 'failFast'>

  constructor(requests: ObjectRequests, waiters: KeyWaiters, config: Pick<Config, 'failFast'>) {
    this.#requests = requests
    this.#waiters = waiters
    this.#config = config
  }

  /** @throws {@link NotInBatchError} for a call of a batch that waits */
  demandMayWait({ waitMs, signal }: Patience): void {
    signal?.throwIfAborted()
    if (waitMs > 0) demandTurns(this.#requests, 'Waiting for a message')
  }

  /**
   * Reads, and again after each change of the stream, until there is a message. Returns none if there is none in time.
   *
   * @param line - those who wait in one line read the same: what one of them does not find, those behind it would not find either
   */
  async until<T>(read: () => Promise<T[]>, patience: Patience, line: string): Promise<T[]> {
    let found = await read()
    if (found.length > 0 || patience.deadline.passed) return found
    const again = async () => {
      found = await read()
      return found.length
    }
    await this.afterChange(again, patience, line)
    return found
  }

  /**
   * The same where nothing was there just now.
   *
   * @param read - returns how many messages it has found
   */
  async afterChange(read: () => Promise<number>, patience: Patience, line: string): Promise<void> {
    const { signal } = this.#requests
    const { key } = this.#requests
    const find = async () => {
      const found = await this.#readIfReachable(read)
      return found > 0 ? found : undefined
    }
    try {
      const until = { ...patience, signal: eitherSignal(patience.signal, signal) }
      await this.#waiters.wait([key], find, until, line)
    } catch (error) {
      throw asEnded(error, { signal, request: `a read of ${key}`, mayHaveRun: () => false })
    }
  }

  /** Redis may be out of reach for any time while a call waits, as in a failover. */
  async #readIfReachable(read: () => Promise<number>): Promise<number> {
    try {
      return await read()
    } catch (error) {
      const passes = isTransient(error) && !isLasting(error) && !mayHaveRun(error)
      if (passes && !this.#config.failFast) return 0
      throw error
    }
  }
}

/**
 * Runs a request that delivers messages, for a caller that may give up. What was not sent by then is not sent. The reply to what was sent is waited for a
 * moment longer.
 *
 * @param onLate - is given what comes after that
 * @throws the reason of the signal
 */
export async function deliverInTime<T>(
  deliver: (options: RunOptions) => Promise<T>,
  signal: AbortSignal | undefined,
  onLate: (late: T) => unknown = () => undefined,
): Promise<T> {
  if (signal === undefined) return await deliver({})
  signal.throwIfAborted()
  const sending = notSent()
  const delivering = deliver({ sending, signal: NEVER })
  try {
    await settledInTime(delivering, { deadline: Deadline.never, signal })
  } catch (reason) {
    if (!sending.sent) sending.over = true
    else if (await settledInTime(delivering, { deadline: Deadline.after(REPLY_GRACE_MS), signal: undefined }))
      return await delivering
    delivering.then(onLate).catch(() => undefined)
    throw reason
  }
  return await delivering
}
