import type { CredentialsProvider } from '../../api/credentials.js'
import type { Delay } from '../../config/config.js'
import { CredentialsError } from '../../errors/connection-errors.js'
import { outcomeWithin } from '../../util/time/outcome-within.js'
import { raceAbort } from '../../util/abort/race-abort.js'
import { timerDelay } from '../../util/time/timers.js'
import { withoutAsyncContext } from '../../util/time/without-async-context.js'
import { withoutSecrets } from '../node/foreign-errors.js'
import { isGood, type Login, readLogin, renewedLater } from './login.js'

/** How long a connection that opens waits for new credentials while servers still accept the present ones, in milliseconds. */
const OPENING_PATIENCE_MS = 1000

/** How the program is asked for credentials. */
export interface CredentialsQuestion {
  /** The setting that has the function. */
  readonly setting: 'credentials' | 'sentinelCredentials'
  readonly ask: CredentialsProvider
  /** How long each call may take, in milliseconds. */
  readonly withinMs: number
  /** How long to wait before the program is asked again. */
  readonly pauseMs: Delay
}

/** A call of the program's function. */
interface Call {
  readonly login: Promise<Login>
  readonly controller: AbortController
  /** How many connections wait for it. */
  waiting: number
}

/** The credentials for connections, where the program is asked for them. */
export interface Logins {
  readonly servers?: CredentialsCache | undefined
  readonly sentinels?: CredentialsCache | undefined
}

/** Stops asking the program for credentials. */
export function closeLogins({ servers, sentinels }: Logins): void {
  servers?.close()
  sentinels?.close()
}

/** Asks the program for credentials, once for all connections that need them at the same time. Keeps those that say when they expire. */
export class CredentialsCache {
  readonly pauseMs: Delay
  readonly #question: CredentialsQuestion
  readonly #kept = new Map<string, Login>()
  /** Credentials that were replaced, in case servers do not accept the new ones yet. */
  readonly #former = new Map<string, Login>()
  readonly #calls = new Map<string, Call>()
  readonly #closing = new AbortController()

  constructor(question: CredentialsQuestion) {
    this.#question = question
    this.pauseMs = question.pauseMs
  }

  /**
   * Returns credentials for a connection that opens. If there are no new ones soon, those that are due for renewal are used until they expire.
   *
   * @throws {@link CredentialsError} if the program has returned none; what the signal aborts with
   */
  async forOpening(address: string, signal: AbortSignal): Promise<Login> {
    const kept = this.#kept.get(address)
    if (kept === undefined || !isGood(kept)) return await this.renewed(address, signal)
    const patience = new AbortController()
    const renewal = this.renewed(address, AbortSignal.any([signal, patience.signal]))
    const renewed = await outcomeWithin(renewal, OPENING_PATIENCE_MS)
    patience.abort()
    signal.throwIfAborted()
    if (renewed?.status === 'fulfilled') return renewed.value
    if (kept === this.#kept.get(address) && isGood(kept)) return kept
    return await this.renewed(address, signal)
  }

  /**
   * Returns credentials that need not be renewed yet.
   *
   * @throws {@link CredentialsError} if the program has returned none; what the signal aborts with; an AbortError after the close
   */
  async renewed(address: string, signal: AbortSignal): Promise<Login> {
    this.#closing.signal.throwIfAborted()
    const kept = this.#kept.get(address)
    if (kept !== undefined && performance.now() < kept.renewAt) return kept
    const call = this.#calls.get(address) ?? this.#begin(address)
    call.waiting += 1
    try {
      return await raceAbort(call.login, signal)
    } finally {
      call.waiting -= 1
      if (call.waiting === 0) this.#end(address, call)
    }
  }

  /** Discards credentials that a server does not accept. The former ones are used while they are valid. Otherwise the program is asked again. */
  forget(address: string, login: Login): void {
    if (this.#kept.get(address) !== login) return
    const former = this.#former.get(address)
    this.#former.delete(address)
    if (former !== undefined && isGood(former)) this.#kept.set(address, renewedLater(former, this.pauseMs(0)))
    else this.#kept.delete(address)
  }

  /** Aborts all calls, and forgets what they have returned. */
  close(): void {
    this.#closing.abort()
    for (const { controller } of this.#calls.values()) controller.abort()
    this.#kept.clear()
    this.#former.clear()
  }

  #begin(address: string): Call {
    const controller = new AbortController()
    const call = { login: this.#call(address, controller), controller, waiting: 0 }
    this.#calls.set(address, call)
    const end = () => {
      this.#end(address, call)
    }
    call.login.then(end, end)
    return call
  }

  /** Ends a call. If nobody waits for it any more, its signal aborts. */
  #end(address: string, call: Call): void {
    if (this.#calls.get(address) !== call) return
    this.#calls.delete(address)
    if (call.waiting === 0) call.controller.abort()
  }

  async #call(address: string, controller: AbortController): Promise<Login> {
    const { signal } = controller
    const stopTimer = this.#abortInTime(address, controller)
    try {
      const returned = await raceAbort(this.#askProgram(address, signal), signal)
      return this.#keep(address, this.#read(returned, address))
    } finally {
      stopTimer()
    }
  }

  #abortInTime(address: string, controller: AbortController): () => void {
    const { withinMs } = this.#question
    const timer = withoutAsyncContext(() =>
      setTimeout(() => {
        controller.abort(this.#errorOf(`has not settled within ${String(withinMs)} ms`, address))
      }, timerDelay(withinMs)),
    )
    return () => {
      clearTimeout(timer)
    }
  }

  /** Asks the program, outside the context of the call that needs the connection. */
  async #askProgram(address: string, signal: AbortSignal): Promise<unknown> {
    const { ask } = this.#question
    try {
      return await withoutAsyncContext(async () => await ask({ address, signal }))
    } catch (error) {
      const cause = withoutSecrets(error)
      throw this.#errorOf(`has failed: ${cause.message}`, address, cause)
    }
  }

  /** Reads what the program has returned, which may be an object that throws when it is read. */
  #read(returned: unknown, address: string): Login {
    try {
      return readLogin(returned, (problem) => this.#errorOf(problem, address))
    } catch (error) {
      if (error instanceof CredentialsError) throw error
      const cause = withoutSecrets(error)
      throw this.#errorOf(`has returned what cannot be read: ${cause.message}`, address, cause)
    }
  }

  #keep(address: string, login: Login): Login {
    if (login.endsAt === Infinity) return login
    const former = this.#kept.get(address)
    if (former !== undefined) this.#former.set(address, former)
    this.#kept.set(address, login)
    return login
  }

  #errorOf(problem: string, address: string, cause?: Error): CredentialsError {
    return new CredentialsError(`\`${this.#question.setting}\` ${problem}`, {
      address,
      ...(cause && { cause }),
    })
  }
}
