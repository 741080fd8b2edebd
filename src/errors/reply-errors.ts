import { RedissonError, type RedissonErrorOptions } from './redisson-error.js'

/** What Redis said, and whether an earlier copy of the request may have run. */
export interface ReplyErrorOptions extends RedissonErrorOptions {
  /** What the server said. */
  readonly cause: Error
  /** What the user needs rights for, where the server refused one and did not say for what. */
  readonly needs?: string | undefined
}

function saidOf({ cause, needs }: ReplyErrorOptions): string {
  return needs === undefined ? cause.message : `${cause.message} (it needs the ${needs})`
}

/** Redis replied to a command with an error. */
export class CommandError extends RedissonError {
  override readonly name = 'CommandError'
  override readonly code = 'COMMAND'
  /** What the server said. */
  declare readonly cause: Error
  /** The command that failed. */
  readonly command: string
  /**
   * The keys, commands or channels that the request needs, such as `keys a, b`, where Redis has refused one to the user and did not say which. Undefined
   * for other errors.
   */
  readonly needs: string | undefined

  constructor(command: string, options: ReplyErrorOptions) {
    super(`${command}: ${saidOf(options)}`, options)
    this.command = command
    this.needs = options.needs
  }
}

/**
 * A script or a function failed on the server, perhaps after it had begun to change something. {@link RedissonError.mayHaveRun} is false where the
 * server refused to run it at all, such as to a user without the right.
 */
export class ScriptError extends RedissonError {
  override readonly name = 'ScriptError'
  override readonly code = 'SCRIPT'
  /** The script or the function that failed, such as `lock/acquire`. */
  readonly script: string
  /**
   * The keys or commands that the script needs, such as `keys a, b`, where Redis has refused one to the user and did not say which. Undefined for
   * other errors.
   */
  readonly needs: string | undefined

  constructor(script: string, { mayHaveRun = true, cause, needs }: ReplyErrorOptions) {
    super(`${script}: ${saidOf({ cause, needs })}`, { mayHaveRun, cause })
    this.script = script
    this.needs = needs
  }
}

/** Redis sent an unexpected reply. The operation may have been done. The content of texts is left out: it may be a secret. */
export class UnexpectedReplyError extends RedissonError {
  override readonly name = 'UnexpectedReplyError'
  override readonly code = 'UNEXPECTED_REPLY'

  constructor(expected: string, reply: unknown) {
    super(`Expected Redis to reply with ${expected}, got ${shown(reply)}`, { mayHaveRun: true })
  }
}

/** How many items of a list are shown. */
const SHOWN_ITEMS = 3

function shown(reply: unknown): string {
  if (reply === null || typeof reply === 'number') return String(reply)
  if (typeof reply === 'string') return `a text of ${String(Buffer.byteLength(reply))} bytes`
  if (reply instanceof Uint8Array) return `a text of ${String(reply.length)} bytes`
  if (!Array.isArray(reply)) return `a value of type ${typeof reply}`
  const items = reply.slice(0, SHOWN_ITEMS).map(shown)
  return `[${items.join(', ')}${reply.length > SHOWN_ITEMS ? `, … ${String(reply.length)} items` : ''}]`
}

/**
 * An integer from Redis is beyond 2⁵³ − 1, so that a `number` would lose digits of it. Ask for a `bigint`.
 *
 * The operation has been done.
 */
export class UnsafeIntegerError extends RedissonError {
  override readonly name = 'UnsafeIntegerError'
  override readonly code = 'UNSAFE_INTEGER'
  /** The integer, in digits. */
  readonly digits: string

  constructor(digits: string) {
    super(
      `Expected Redis to reply with an integer up to 2^53 - 1, got ${digits}; a bigint has all of its digits`,
      {
        mayHaveRun: true,
      },
    )
    this.digits = digits
  }
}

/** What a {@link WrongTypeError} is made with. */
export interface WrongTypeErrorOptions extends ReplyErrorOptions {
  /** See {@link WrongTypeError.isOneOfSeveral}. */
  readonly isOneOfSeveral?: boolean
}

/** The name belongs to an object of another kind. Nothing was changed. */
export class WrongTypeError extends RedissonError {
  override readonly name = 'WrongTypeError'
  override readonly code = 'WRONG_TYPE'
  /** The name that both objects claim; of several names the first. */
  readonly object: string
  /** Whether the call was about several names, as a union of sets is. Redis does not say which of them belongs to an object of another kind. */
  readonly isOneOfSeveral: boolean

  constructor(object: string, { isOneOfSeveral = false, ...options }: WrongTypeErrorOptions) {
    const names = isOneOfSeveral ? `One of ${object} and the other names` : object
    super(`${names} holds an object of another kind: ${options.cause.message}`, options)
    this.object = object
    this.isOneOfSeveral = isOneOfSeveral
  }
}
