import type { Socket } from 'node:net'
import { Redis } from 'ioredis'
import { warnOnce } from '../../util/warn-once.js'
import { withoutAsyncContext } from '../../util/time/without-async-context.js'
import { ConnectionLogin } from './connection-login.js'
import type { Logins } from './credentials-cache.js'
import { named, type NodeOptions } from './ioredis-options.js'
import { isReply } from './ioredis-errors.js'
import { addressOf } from '../node/node-link.js'
import { wantsNoPassword } from './refused-login.js'
import { RefusedStep } from './refused-step.js'
import { guardReplies, notRedis } from '../node/reply-guard.js'

/** The methods by which ioredis takes the steps of a handshake. */
const METHODS = ['hello', 'auth', 'select', 'readonly', 'client'] as const

/** The steps by which ioredis describes a client. They are for people only. */
const INTRODUCTION = /^CLIENT SET/

/** The replies to a command that is unknown or forbidden. */
const UNKNOWN = /^(?:NOPERM |ERR (?:unknown|syntax error|wrong number of arguments))/i

/** The replies of a server that does not speak RESP3. ioredis makes the handshake again, in RESP2. */
const NO_RESP3 = /NOPROTO|unknown command.*HELLO/is

type Step = (typeof METHODS)[number]

/** A method of ioredis that sends a command. */
type Ask = (...args: unknown[]) => Promise<unknown>

/** The callback with which ioredis asks whether a server is ready. */
type Answer = (error: unknown, info?: unknown) => void

/** Members of ioredis that its types keep private. */
interface Inside {
  readonly connector: {
    connect: (...args: unknown[]) => Promise<Socket>
    disconnect: () => void
    stream?: { readonly destroyed: boolean; readonly writableEnded: boolean } | undefined
    /** Makes a connection to a sentinel, where there are sentinels. */
    connectToSentinel?: (endpoint: object, options?: NodeOptions) => Redis
  }
  silentEmit(event: 'error', error: Error): void
  /** Rejects the commands that wait for a connection. */
  flushQueue(error: Error, options: { readonly commandQueue: boolean }): void
}

/** The connections for which {@link demandHandshake} was called. */
const demanded = new WeakSet<Redis>()

/** Makes a connection to a server. This is the only place where the library does so itself: see {@link demandHandshake}. */
export function openRedis(options: NodeOptions, logins?: Logins): Redis {
  return demandHandshake(
    withoutAsyncContext(() => new Redis(options)),
    logins,
  )
}

/** Makes a connection like another one. If that one is our own, both log in in the same way. */
export function openLike(redis: Redis, overrides: NodeOptions, logins?: Logins): Redis {
  return demandHandshake(
    withoutAsyncContext(() => redis.duplicate(overrides)),
    logins,
  )
}

/**
 * Uses a connection only if the server has accepted every step of the handshake. Otherwise it is dropped, and ioredis connects again.
 *
 * ioredis itself continues after a refused step: with `SELECT` refused, everything would go to database 0, and be confirmed there.
 * Duplicates of the connection are treated in the same way, such as those by which a cluster is asked for its slots.
 *
 * @param redis - a connection that has not begun to connect, if there are `logins`
 */
export function demandHandshake(redis: Redis, logins: Logins = {}): Redis {
  if (demanded.has(redis)) return redis
  demanded.add(redis)
  surviveErrors(redis)
  guardReplies(redis)
  leaveEnded(redis)
  const { servers } = logins
  const handshake = new Handshake(redis, servers && new ConnectionLogin(redis, servers))
  for (const name of METHODS) replaceAsking(redis, name, (args, ask) => handshake.take(name, args, ask))
  replaceAsking(redis, 'info', (args, ask) => handshake.check(args, ask))
  const duplicate = redis.duplicate.bind(redis)
  demandOfSentinels(redis, logins)
  replaceMethod(redis, 'duplicate', (overrides?: NodeOptions) =>
    demandHandshake(duplicate(overrides), logins),
  )
  return redis
}

/**
 * Allows sockets to report more than one error. ioredis listens only for the first. A second one would end the process, such as the alert
 * with which a server replies after its certificate was refused.
 */
function surviveErrors(redis: Redis): void {
  const { connector } = redis as unknown as Inside
  const connect = connector.connect.bind(connector)
  connector.connect = async (...args) => (await connect(...args)).on('error', () => undefined)
}

/**
 * Forgets a socket that has ended, or is about to, before a disconnect: ioredis would start a timer of two seconds for it, and add a listener,
 * each time.
 */
function leaveEnded(redis: Redis): void {
  const { connector } = redis as unknown as Inside
  const disconnect = connector.disconnect.bind(connector)
  connector.disconnect = () => {
    const { stream } = connector
    if (stream?.destroyed === true || stream?.writableEnded === true) connector.stream = undefined
    disconnect()
  }
}

/**
 * Calls {@link demandHandshake} for the connections to sentinels. They get the name of the connection that they serve, and connect with the
 * first request.
 */
function demandOfSentinels(redis: Redis, { sentinels }: Logins): void {
  const { connector } = redis as unknown as Inside
  const open = connector.connectToSentinel?.bind(connector)
  if (open === undefined) return
  connector.connectToSentinel = (endpoint, options) =>
    demandHandshake(
      open(endpoint, { ...options, ...named(redis.options.connectionName), lazyConnect: true }),
      { servers: sentinels },
    )
}

/** The steps between a connection and its first request. */
class Handshake {
  readonly #redis: Redis
  readonly #login: ConnectionLogin | undefined
  /** Whether the server has replied that it does not speak RESP3. */
  #isWithoutResp3 = false

  constructor(redis: Redis, login: ConnectionLogin | undefined) {
    this.#redis = redis
    this.#login = login
  }

  /** Takes a step. If it is refused, the connection is dropped, and the promise stays pending so that the handshake never continues. */
  async take(name: Step, args: readonly unknown[], ask: Ask): Promise<unknown> {
    const step = this.#stepOf(name, args)
    if (step === undefined) return await ask(...args)
    if (step === 'HELLO') this.#isWithoutResp3 = false
    try {
      const reply = await ask(...args)
      if (step !== 'HELLO' || reply instanceof Object) return reply
      this.#drop(notRedis())
      return await pending()
    } catch (error) {
      if (!isReply(error)) throw error // the connection is gone
      if (step === 'HELLO') this.#isWithoutResp3 = NO_RESP3.test(error.message)
      if (this.#redis.condition?.protocol === 3 && this.#isWithoutResp3) throw error
      if (this.#isHarmless(step, error)) return undefined
      if (step === 'HELLO' || step === 'AUTH') this.#login?.refused()
      this.#drop(new RefusedStep(step, error))
      return await pending()
    }
  }

  /**
   * Asks whether the server is ready. If the user may not ask, the server counts as ready.
   *
   * @param args - include the callback that ioredis waits for, if it is ioredis that asks
   */
  check(args: readonly unknown[], ask: Ask): Promise<unknown> {
    const last = args.at(-1)
    if (!this.#isUnderway || typeof last !== 'function') return ask(...args)
    const answer = last as Answer
    const asked = ask(...args.slice(0, -1))
    asked.then(
      (info: unknown) => {
        if (typeof info === 'string') answer(null, info)
        else this.#drop(notRedis())
      },
      (error: unknown) => {
        if (!isReply(error)) answer(error)
        else if (UNKNOWN.test(error.message)) answer(null, '')
        else this.#drop(new RefusedStep('INFO', error))
      },
    )
    return asked
  }

  get #isUnderway(): boolean {
    return this.#redis.status === 'connect'
  }

  /** Returns the name of a step, such as `SELECT 5`; undefined for any other command. */
  #stepOf(name: Step, [first]: readonly unknown[]): string | undefined {
    if (name === 'readonly') return 'READONLY' // also after the handshake, when a master has become a replica
    if (!this.#isUnderway) return undefined
    if (name === 'select') return `SELECT ${String(first)}`
    if (name !== 'client') return name.toUpperCase()
    const subcommand = String(first).toUpperCase()
    return subcommand.startsWith('SET') ? `CLIENT ${subcommand}` : undefined
  }

  /** Returns whether everything works although a step was refused. */
  #isHarmless(step: string, error: Error): boolean {
    if (INTRODUCTION.test(step)) return UNKNOWN.test(error.message) // older servers do not know SETINFO, and not every user may send it
    if (!wantsNoPassword(error)) return false
    const address = addressOf(this.#redis)
    warnOnce(
      'REDISSON_NEEDLESS_PASSWORD',
      address,
      `Redis at ${address} wants no password, and there is one in the settings`,
    )
    return true
  }

  #drop(error: Error): void {
    const { stream } = this.#redis
    if (stream.destroyed) return
    const inside = this.#redis as unknown as Inside
    inside.silentEmit('error', error) // first, so that requests that wait find the reason
    inside.flushQueue(error, { commandQueue: false })
    stream.destroy()
  }
}

/** Returns a promise that never settles. It is a new one each time, because a promise keeps references to all that wait for it. */
function pending(): Promise<never> {
  return new Promise(() => undefined)
}

/** Wraps a method that sends a command. */
function replaceAsking(
  redis: Redis,
  name: Step | 'info',
  take: (args: readonly unknown[], ask: Ask) => Promise<unknown>,
): void {
  const inherited: unknown = Reflect.get(redis, name)
  const ask: Ask = (...args) => (inherited as Ask).apply(redis, args)
  replaceMethod(redis, name, (...args: readonly unknown[]) => take(args, ask))
}

function replaceMethod(redis: Redis, name: keyof Redis, value: unknown): void {
  Object.defineProperty(redis, name, { value, configurable: true, writable: true })
}
