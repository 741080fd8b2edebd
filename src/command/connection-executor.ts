import { setTimeout as sleep } from 'node:timers/promises'
import pRetry from 'p-retry'
import type { Config } from '../config/config.js'
import { requestLifeMs } from '../config/request-life.js'
import type { Connection, Reply, SyncedReply } from '../connection/connection.js'
import { ClientClosedError } from '../errors/client-errors.js'
import { isTransient } from '../errors/transient.js'
import { Deadline } from '../util/deadline.js'
import type { CommandExecutor, RunOptions, SyncedResult } from './command-executor.js'
import { Evaluation, type Send } from './evaluation.js'
import { Forgetting } from './forgetting.js'
import type { Script, ScriptCall } from './script.js'

/** Runs scripts by their hash, sends them in full where a server does not know them, and repeats what got lost. */
export class ConnectionExecutor implements CommandExecutor {
  readonly #connection: Connection
  readonly #send: Send<Reply>
  readonly #config: Config
  readonly #closing = new AbortController()
  readonly #forgetting: Forgetting
  #underWay = 0
  #onIdle: (() => void) | undefined

  constructor(connection: Connection, config: Config) {
    this.#connection = connection
    this.#send = (command) => connection.send(command)
    this.#config = config
    this.#forgetting = new Forgetting(
      (key) => connection.slotOf(key),
      (keys) => connection.send({ name: 'unlink', args: keys }),
    )
  }

  run<K extends string, A extends string, R>(
    script: Script<K, A, R>,
    call: ScriptCall<K, A>,
    options: RunOptions = {},
  ): Promise<R> {
    return this.#run(this.#send, script, call, options, script.reply)
  }

  runSynced<K extends string, A extends string, R>(
    script: Script<K, A, R>,
    call: ScriptCall<K, A>,
    replicas: number,
    options: RunOptions = {},
  ): Promise<SyncedResult<R>> {
    if (replicas === 0) {
      const unconfirmed = (reply: Reply) => ({ result: script.reply(reply), replicas: 0 })
      return this.#run(this.#send, script, call, options, unconfirmed)
    }
    const { slavesSyncTimeoutMs } = this.#config
    const sendSynced: Send<SyncedReply> = (command) =>
      this.#connection.sendSynced(command, replicas, slavesSyncTimeoutMs)
    const confirmed = (synced: SyncedReply) => ({
      result: script.reply(synced.reply),
      replicas: synced.replicas,
    })
    return this.#run(sendSynced, script, call, options, confirmed)
  }

  /** Lets nothing new begin, and waits until what has begun is answered. Nothing is repeated any more. */
  async close(): Promise<void> {
    this.#closing.abort(new ClientClosedError())
    if (this.#underWay > 0) await new Promise<void>((resolve) => (this.#onIdle = resolve))
    await this.#forgetting.flush()
  }

  async #run<K extends string, A extends string, T, R>(
    send: Send<T>,
    script: Script<K, A, unknown>,
    call: ScriptCall<K, A>,
    { deadline = Deadline.never, remember = false, keep = false }: RunOptions,
    resultOf: (answer: T) => R,
  ): Promise<R> {
    this.#closing.signal.throwIfAborted()
    const evaluation = new Evaluation(send, script, call)
    const rememberMs = remember ? requestLifeMs(this.#config) : 0
    this.#underWay += 1
    try {
      let answer: T
      try {
        answer = await evaluation.sendByHash(rememberMs) // as nearly always; everything else is left to another promise
      } catch (error) {
        answer = await this.#recover(evaluation, error, rememberMs, deadline)
      }
      if (remember && !keep && evaluation.copies === 1) this.#forgetting.forget(requestOf(call.keys))
      return resultOf(answer)
    } finally {
      this.#underWay -= 1
      if (this.#underWay === 0) this.#onIdle?.()
    }
  }

  /** Gets an answer although the first copy got an error. */
  async #recover<K extends string, A extends string, T>(
    evaluation: Evaluation<K, A, T>,
    failure: unknown,
    rememberMs: number,
    deadline: Deadline,
  ): Promise<T> {
    try {
      return await evaluation.sendInFull(failure, rememberMs)
    } catch (error) {
      if (this.#config.retryAttempts === 0 || !this.#mayRepeat(error, deadline)) throw error
      return await this.#repeat(evaluation, deadline)
    }
  }

  async #repeat<K extends string, A extends string, T>(
    evaluation: Evaluation<K, A, T>,
    deadline: Deadline,
  ): Promise<T> {
    await this.#pause(0)
    return await pRetry(() => evaluation.send(requestLifeMs(this.#config)), {
      retries: this.#config.retryAttempts - 1,
      minTimeout: 0, // the pause is ours
      shouldRetry: ({ error }) => this.#mayRepeat(error, deadline),
      onFailedAttempt: async ({ error, attemptNumber, retriesLeft }) => {
        if (retriesLeft > 0 && this.#mayRepeat(error, deadline)) await this.#pause(attemptNumber)
      },
    })
  }

  #mayRepeat(error: unknown, deadline: Deadline): boolean {
    return isTransient(error) && !deadline.passed && !this.#closing.signal.aborted
  }

  async #pause(attempt: number): Promise<void> {
    try {
      await sleep(this.#config.retryDelay(attempt), undefined, { signal: this.#closing.signal })
    } catch {
      throw new ClientClosedError()
    }
  }
}

/** The key under which a script that counts remembers its answer. */
function requestOf(keys: Readonly<Record<string, unknown>>): string {
  return String(keys['request'])
}
