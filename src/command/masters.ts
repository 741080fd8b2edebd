import type { Connection } from '../connection/connection.js'
import { NotSentError } from '../errors/not-sent.js'
import { afterEffect, mayHaveTakenEffect } from '../errors/after-effect.js'
import { isTransient } from '../errors/transient.js'
import { raceAbort } from '../util/abort/race-abort.js'
import { shuffled } from '../util/collections/shuffled.js'
import type { RunOptions } from './operation/command-executor.js'
import type { PlainCommand } from './operation/command.js'
import { defineCommand } from './operation/command.js'
import type { ConnectionExecutor } from './connection-executor.js'
import type { Call } from './operation/operation.js'
import { unread } from './operation/replies.js'

/** Any request, which waits until there is a master. */
const ping = defineCommand('PING', { keys: [], args: [], reply: unread, repeat: 'safe' })

/**
 * Asks every master by itself: one, or several in a cluster.
 *
 * A master may leave, and another take its place, at any time. What is sent to it has to be safe to repeat at another one.
 */
export class Masters {
  readonly #connection: Pick<Connection, 'masters' | 'refreshMasters' | 'sessionOf'>
  readonly #executor: Pick<ConnectionExecutor, 'run' | 'sendTo'>
  readonly #options: RunOptions

  constructor(
    connection: Pick<Connection, 'masters' | 'refreshMasters' | 'sessionOf'>,
    executor: Pick<ConnectionExecutor, 'run' | 'sendTo'>,
    options: RunOptions = {},
  ) {
    this.#connection = connection
    this.#executor = executor
    this.#options = options
  }

  /** Returns the same, whose calls a signal ends. */
  withSignal(signal: AbortSignal): Masters {
    return new Masters(this.#connection, this.#executor, { ...this.#options, signal })
  }

  /** Sends a command to one of them. What it does not get before another node takes its place is not sent to it again. */
  send<A extends string, R>(
    master: string,
    command: PlainCommand<never, A, R>,
    call: Call<never, A>,
  ): Promise<R> {
    const isOfUse = () => this.#connection.masters.includes(master)
    return this.#executor.sendTo(master, command, call, { ...this.#options, isOfUse })
  }

  /** Asks each of them for a sign of life, once. Where none is known, it asks whether there is any. */
  async ping(options: RunOptions): Promise<void> {
    const { masters } = this.#connection
    const call = { keys: {}, args: {} }
    if (masters.length === 0) await this.#executor.run(ping, call, options)
    await Promise.all(masters.map((each) => this.#executor.sendTo(each, ping, call, options)))
  }

  /** See {@link Connection.sessionOf}. */
  sessionOf(master: string): object | undefined {
    return this.#connection.sessionOf(master)
  }

  /**
   * Sends a command to all of them at the same time, and then to those that have become masters meanwhile. Returns the results of those that
   * are masters in the end.
   *
   * @param isReplicated - whether an error of one that has become master meanwhile says that it has the change already, as a replica of another; it
   *   has no result then
   * @throws the error of the first that failed, once all have settled; what the others have done stays, and it has `mayHaveRun` then
   */
  async sendToAll<A extends string, R>(
    command: PlainCommand<never, A, R>,
    call: Call<never, A>,
    isReplicated: (error: unknown) => boolean = () => false,
  ): Promise<readonly R[]> {
    const outcomes = new Map<string, PromiseSettledResult<R>>()
    const first = await this.#known()
    let masters = first
    for (let left = first; left.length > 0; left = masters.filter((each) => !outcomes.has(each))) {
      const settled = await Promise.allSettled(left.map((each) => this.send(each, command, call)))
      for (const [index, each] of left.entries())
        outcomes.set(each, settled[index] as PromiseSettledResult<R>)
      await this.#refresh()
      masters = this.#connection.masters
    }
    const hadEffect = command.repeat !== 'safe' && [...outcomes.values()].some(mayHaveDone)
    return masters.flatMap((each) => {
      const outcome = outcomes.get(each) as PromiseSettledResult<R>
      if (outcome.status === 'fulfilled') return [outcome.value]
      if (!first.includes(each) && isReplicated(outcome.reason)) return []
      throw hadEffect ? afterEffect(outcome.reason) : outcome.reason
    })
  }

  /**
   * Walks over all of them, one after the other in no order, and then over those that have become masters meanwhile. A walk that fails because
   * its master is none any more has ended.
   */
  async *walk<R>(at: (master: string) => AsyncIterable<R>): AsyncGenerator<R, void, undefined> {
    const walked = new Set<string>()
    for (let left = await this.#known(); left.length > 0; left = await this.#notIn(walked)) {
      for (const master of shuffled(left)) {
        try {
          yield* at(master)
        } catch (error) {
          if (!isTransient(error) || (await this.#isMaster(master))) throw error
        }
        walked.add(master)
      }
    }
  }

  async #known(): Promise<readonly string[]> {
    if (this.#connection.masters.length === 0)
      await this.#executor.run(ping, { keys: {}, args: {} }, this.#options)
    if (this.#connection.masters.length === 0) throw new NotSentError('No master of the cluster is known')
    return this.#connection.masters
  }

  async #notIn(walked: ReadonlySet<string>): Promise<readonly string[]> {
    await this.#refresh()
    return this.#connection.masters.filter((each) => !walked.has(each))
  }

  /** Once the signal has aborted, those that are known have to do: what is sent to further ones rejects. */
  async #refresh(): Promise<void> {
    const { signal } = this.#options
    const refreshed = raceAbort(this.#connection.refreshMasters(), signal)
    await refreshed.catch((error: unknown) => {
      if (signal?.aborted !== true) throw error
    })
  }

  async #isMaster(master: string): Promise<boolean> {
    await this.#refresh()
    return this.#connection.masters.includes(master)
  }
}

function mayHaveDone(outcome: PromiseSettledResult<unknown>): boolean {
  return outcome.status === 'fulfilled' || mayHaveTakenEffect(outcome.reason)
}
