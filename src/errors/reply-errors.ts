import { RedissonError } from './redisson-error.js'

/** Redis answered a command with an error. */
export class CommandError extends RedissonError {
  override readonly name = 'CommandError'
  override readonly code = 'COMMAND'
  /** The command that failed. */
  readonly command: string

  constructor(command: string, options: { readonly cause: Error }) {
    super(`${command}: ${options.cause.message}`, options)
    this.command = command
  }
}

/** A script failed on the server. */
export class ScriptError extends RedissonError {
  override readonly name = 'ScriptError'
  override readonly code = 'SCRIPT'
  /** The script that failed, such as `lock/acquire`. */
  readonly script: string

  constructor(script: string, options: { readonly cause: Error }) {
    super(`${script}: ${options.cause.message}`, options)
    this.script = script
  }
}

/** Redis answered with something else than was asked for. */
export class UnexpectedReplyError extends RedissonError {
  override readonly name = 'UnexpectedReplyError'
  override readonly code = 'UNEXPECTED_REPLY'

  constructor(expected: string, reply: unknown) {
    super(`Expected Redis to answer ${expected}, got ${JSON.stringify(reply)}`)
  }
}

/** The name belongs to an object of another kind. Nothing was changed. */
export class WrongTypeError extends RedissonError {
  override readonly name = 'WrongTypeError'
  override readonly code = 'WRONG_TYPE'
  /** The name that both objects claim. */
  readonly object: string

  constructor(object: string, options: { readonly cause: Error }) {
    super(`${object} holds an object of another kind: ${options.cause.message}`, options)
    this.object = object
  }
}
