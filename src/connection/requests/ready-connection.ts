import type { Redis } from 'ioredis'
import { CommandError } from '../../errors/reply-errors.js'
import { AbortError } from '../../errors/client-errors.js'
import { ConnectionLostError } from '../../errors/connection-errors.js'
import { NotSentError } from '../../errors/not-sent.js'
import { isRedissonError } from '../../errors/redisson-error.js'
import { mayHaveBeenSent } from '../../errors/transient.js'
import type { Apart, Command, Confirmed, Reply } from '../connection.js'
import { isReply, translateReply } from '../login/ioredis-errors.js'
import { addressOf } from '../node/node-link.js'
import type { PendingCommands } from './pending-commands.js'
import { notRedis } from '../node/reply-guard.js'
import type { SyncedLane } from './synced-lane.js'

/** A command that ioredis sends only when a connection is ready, and not as soon as it is made. */
const ARE_YOU_READY: Command = { name: 'echo', args: [''] }

const MULTI: Command = { name: 'multi', args: [] }
const EXEC: Command = { name: 'exec', args: [] }

/** Sockets over which Redis has run a transaction. The next socket may lead to another server, or to a user with other rights. */
const transactional = new WeakSet<object>()

/** A connection that is ready: commands that are sent together arrive in this order, and over the same socket. */
export class ReadyConnection implements Apart {
  readonly #redis: Redis
  readonly #pending: PendingCommands
  readonly #lane: SyncedLane | undefined

  private constructor(redis: Redis, pending: PendingCommands, lane: SyncedLane | undefined) {
    this.#redis = redis
    this.#pending = pending
    this.#lane = lane
  }

  /**
   * Waits until a connection is ready, for as long as a reply may take.
   *
   * @param lane - for requests that replicas have to confirm
   */
  static async of(
    redis: Redis,
    pending: PendingCommands,
    { failFast }: Pick<Command, 'failFast'>,
    lane?: SyncedLane,
  ): Promise<ReadyConnection> {
    if (redis.status !== 'ready')
      await pending.send(redis, { ...ARE_YOU_READY, failFast }).catch((error: unknown) => {
        if (!isRedissonError(error, 'COMMAND')) throw error // a user without the right to ask gets a reply, too
      })
    return new ReadyConnection(redis, pending, lane)
  }

  confirmed<T>(send: () => Promise<T>): Confirmed<T> {
    return this.#lane === undefined ? { sent: send(), replicas: Promise.resolve(0) } : this.#lane.send(send)
  }

  send(command: Command): Promise<Reply> {
    return this.#pending.send(this.#redis, command)
  }

  async demandAtomic(): Promise<void> {
    const { stream } = this.#redis
    if (transactional.has(stream)) return
    const outcomes = await Promise.allSettled(this.#pending.sendTogether(this.#redis, [MULTI, EXEC]))
    const refused = outcomes.find((outcome) => outcome.status === 'rejected')
    if (refused !== undefined) throw nothingRan(refused.reason)
    transactional.add(stream)
  }

  /**
   * Sends nothing unless the connection is ready. After a break, ioredis would keep some of the commands for the next connection, and drop
   * others. Without `MULTI`, each of them would run by itself.
   */
  async sendAtomic(commands: readonly Command[], timeoutMs?: number): Promise<readonly (Reply | Error)[]> {
    if (this.#redis.status !== 'ready') throw new NotSentError('There is no connection to Redis')
    if (commands.some(({ sending }) => sending?.over)) throw new AbortError('a transaction')
    const sent = this.#pending.sendTogether(this.#redis, [MULTI, ...commands, EXEC], timeoutMs)
    const [begun, ...queued] = await Promise.allSettled(sent)
    const done = queued.pop()
    if (done === undefined || begun === undefined) throw new NotSentError('Nothing was sent')
    if (begun.status === 'rejected' && isRedissonError(begun.reason, 'COMMAND'))
      throw new CommandError('multi', { cause: begun.reason.cause as Error, mayHaveRun: true })
    if (done.status === 'rejected') throw reasonOf(queued, done.reason)
    if (!Array.isArray(done.value))
      throw new ConnectionLostError('Redis has not replied as to a transaction', { cause: notRedis() })
    return (done.value as readonly (Reply | Error)[]).map((reply, index) =>
      isReply(reply) ? translateReply(reply, commands[index]?.name ?? '', addressOf(this.#redis)) : reply,
    )
  }
}

/** Returns the error of a transaction without commands. If its reply was lost, nothing has run. */
function nothingRan(error: unknown): unknown {
  if (!mayHaveBeenSent(error)) return error
  return new NotSentError('The connection to Redis was lost before a transaction was sent', { cause: error })
}

/** Returns why a transaction has failed: the refusal of one of its commands, or the error of `EXEC`. */
function reasonOf(queued: readonly PromiseSettledResult<Reply>[], error: unknown): unknown {
  if (!isRedissonError(error, 'COMMAND')) return error
  const refused = queued.find((each) => each.status === 'rejected')
  return refused === undefined ? error : (refused.reason as unknown)
}
