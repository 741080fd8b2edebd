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

/** What ioredis tells of a client. It is for people only. */
const INTRODUCTION = /^CLIENT SET/

/** What servers say to what they do not know, or do not permit. */
const UNKNOWN = /^(?:NOPERM |ERR (?:unknown|syntax error|wrong number of arguments))/i

/** A server that does not speak the newer version of the protocol. ioredis makes the handshake again, in the older one. */
const NO_RESP3 = /NOPROTO|unknown command.*HELLO/is

type Step = (typeof METHODS)[number]

/** A method of ioredis that sends a command. */
type Ask = (...args: unknown[]) => Promise<unknown>

/** What ioredis waits for while it asks whether a server is ready. */
type Answer = (error: unknown, info?: unknown) => void

/** What is used of ioredis that its types keep private. */
interface Inside {
  readonly connector: {
    connect: (...args: unknown[]) => Promise<Socket>
    disconnect: () => void
    stream?: { readonly destroyed: boolean } | undefined
    /** Makes a connection to a sentinel, where there are sentinels. */
    connectToSentinel?: (endpoint: object, options?: NodeOptions) => Redis
  }
  silentEmit(event: 'error', error: Error): void
  /** Rejects the commands that wait for a connection. */
  flushQueue(error: Error, options: { readonly commandQueue: boolean }): void
}

/** The connections whose handshake is demanded. */
const demanded = new WeakSet<Redis>()

/** Makes a connection to a server. This is the only place where the library does so itself: see {@link demandHandshake}. */
export function openRedis(options: NodeOptions, logins?: Logins): Redis {
  return demandHandshake(
    withoutAsyncContext(() => new Redis(options)),
    logins,
  )
}

/** Makes a connection that is like another one. If that is one of our own, it logs in as that one does. */
export function openLike(redis: Redis, overrides: NodeOptions, logins?: Logins): Redis {
  return demandHandshake(
    withoutAsyncContext(() => redis.duplicate(overrides)),
    logins,
  )
}

/**
 * Has a connection be used only if the server has accepted every step of the handshake. Otherwise it is dropped, and ioredis connects again.
 *
 * ioredis itself goes on where a step is refused: with `SELECT` refused, everything would go to database 0, and be confirmed there.
 * Connections that are made like this one are treated in the same way, such as those by which a cluster is asked for its slots.
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
 * Lets sockets report more than one error. ioredis listens for the first: a second one would end the process, such as the alert by which a server
 * replies after its certificate was refused.
 */
function surviveErrors(redis: Redis): void {
  const { connector } = redis as unknown as Inside
  const connect = connector.connect.bind(connector)
  connector.connect = async (...args) => (await connect(...args)).on('error', () => undefined)
}

/** ioredis would start a timer of two seconds for a socket that has ended already. */
function leaveEnded(redis: Redis): void {
  const { connector } = redis as unknown as Inside
  const disconnect = connector.disconnect.bind(connector)
  connector.disconnect = () => {
    if (connector.stream?.destroyed === true) connector.stream = undefined
    disconnect()
  }
}

/** Demands the same of the connections to sentinels, which have the name of the one that they are for. They connect with the first request. */
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
  /** Whether the server has said that it does not speak the newer version of the protocol. */
  #isWithoutResp3 = false

  constructor(redis: Redis, login: ConnectionLogin | undefined) {
    this.#redis = redis
    this.#login = login
  }

  /** Takes a step. If it is refused, the connection is dropped, and the promise stays pending, so that the handshake never goes on. */
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
   * Asks whether the server is ready. A user who may not ask uses it as it is.
   *
   * @param args - with the callback that ioredis waits for, if it is ioredis that asks
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

  /** The name of a step, such as `SELECT 5`; undefined for what is none. */
  #stepOf(name: Step, [first]: readonly unknown[]): string | undefined {
    if (name === 'readonly') return 'READONLY' // also later, where a master has become a replica
    if (!this.#isUnderway) return undefined
    if (name === 'select') return `SELECT ${String(first)}`
    if (name !== 'client') return name.toUpperCase()
    const subcommand = String(first).toUpperCase()
    return subcommand.startsWith('SET') ? `CLIENT ${subcommand}` : undefined
  }

  /** Whether everything works nevertheless. */
  #isHarmless(step: string, error: Error): boolean {
    if (INTRODUCTION.test(step)) return UNKNOWN.test(error.message) // older servers do not know SETINFO, and not every user may introduce himself
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
    inside.silentEmit('error', error) // first, so that what waits finds the reason
    inside.flushQueue(error, { commandQueue: false })
    stream.destroy()
  }
}

/** Never settles. There is another one each time, because a promise keeps all that wait for it. */
function pending(): Promise<never> {
  return new Promise(() => undefined)
}

/** Puts a method in front of one that sends a command. */
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
