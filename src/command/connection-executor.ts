import { setTimeout as sleep } from 'node:timers/promises'
import pRetry from 'p-retry'
import type { Config } from '../config/config.js'
import { requestLifeMs } from '../config/request-life.js'
import type { Argument, Command, Connection, Reply, SyncedReply } from '../connection/connection.js'
import { ClientClosedError } from '../errors/client-errors.js'
import { CommandError, ScriptError, WrongTypeError } from '../errors/reply-errors.js'
import { isTransient } from '../errors/transient.js'
import { Deadline } from '../util/deadline.js'
import type { CommandExecutor, RunOptions, SyncedResult } from './command-executor.js'
import { Forgetting } from './forgetting.js'
import { inOrder, type Script, type ScriptCall } from './script.js'

type Send<A> = (command: Command) => Promise<A>

/** Runs scripts by their hash, sends them in full where a server does not know them, and repeats what got lost. */
export class ConnectionExecutor implements CommandExecutor {
  readonly #connection: Connection
  readonly #send: Send<Reply>
  readonly #config: Config
  readonly #closing = new AbortController()
  readonly #inFlight = new Set<Promise<unknown>>()
  readonly #forgetting: Forgetting

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
    await Promise.allSettled(this.#inFlight)
    await this.#forgetting.flush()
  }

  async #run<K extends string, A extends string, T, R>(
    send: Send<T>,
    script: Script<K, A, unknown>,
    call: ScriptCall<K, A>,
    { deadline = Deadline.never, remember = false, keep = false }: RunOptions,
    resultOf: (answer: T) => R,
  ): Promise<R> {
    const keys = inOrder<string>(script.keys, call.keys)
    const args = inOrder<Argument>(script.args, call.args)
    let copies = 0
    const once = (attempt: number): Promise<T> => {
      copies += 1
      const rememberMs = attempt > 0 || remember ? requestLifeMs(this.#config) : 0
      return evaluate(send, script, keys, script.counts ? [...args, rememberMs] : args)
    }
    const answering = this.#repeating(once, deadline)
    this.#inFlight.add(answering)
    try {
      const answer = await answering
      if (remember && !keep && copies === 1) this.#forgetting.forget(requestOf(call.keys))
      return resultOf(answer)
    } finally {
      this.#inFlight.delete(answering)
    }
  }

  #repeating<T>(once: (attempt: number) => Promise<T>, deadline: Deadline): Promise<T> {
    this.#closing.signal.throwIfAborted()
    return once(0).catch((error: unknown) => {
      if (this.#config.retryAttempts === 0 || !this.#mayRepeat(error, deadline)) throw error
      return this.#repeat(once, deadline)
    })
  }

  async #repeat<T>(once: (attempt: number) => Promise<T>, deadline: Deadline): Promise<T> {
    await this.#pause(0)
    return await pRetry(once, {
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

function evaluate<T>(
  send: Send<T>,
  { name, sha, source }: Script<string, string, unknown>,
  keys: readonly string[],
  args: readonly Argument[],
): Promise<T> {
  const explained = (error: unknown): never => {
    throw explain(error, name, keys[0] ?? name)
  }
  return send({ name: 'evalsha', args: [sha, keys.length, ...keys, ...args] }).catch((error: unknown) => {
    if (!says(error, 'NOSCRIPT')) return explained(error)
    return send({ name: 'eval', args: [source, keys.length, ...keys, ...args] }).catch(explained)
  })
}

function explain(error: unknown, script: string, object: string): unknown {
  if (!(error instanceof CommandError) || !error.command.startsWith('eval')) return error // that of WAIT is its own
  const { cause } = error as { cause: Error }
  return says(error, 'WRONGTYPE') ? new WrongTypeError(object, { cause }) : new ScriptError(script, { cause })
}

function says(error: unknown, prefix: string): boolean {
  return (
    error instanceof CommandError && error.cause instanceof Error && error.cause.message.startsWith(prefix)
  )
}
