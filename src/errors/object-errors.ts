import { RedissonError, type RedissonErrorOptions } from './redisson-error.js'

/** There is no object of that name, so that it cannot be renamed; or no library that could be deleted, or no function that could be called. */
export class NoSuchObjectError extends RedissonError {
  override readonly name = 'NoSuchObjectError'
  override readonly code = 'NO_SUCH_OBJECT'
  /** The name, as the program gave it. */
  readonly object: string

  constructor(object: string, kind = 'object', options?: RedissonErrorOptions) {
    super(`There is no ${kind} ${object}`, options)
    this.object = object
  }
}

/** There is an object of that name, or a library or a function, which is not to be replaced. Nothing was changed at that server. */
export class ObjectExistsError extends RedissonError {
  override readonly name = 'ObjectExistsError'
  override readonly code = 'OBJECT_EXISTS'
  /** The name, as the program gave it. */
  readonly object: string

  constructor(object: string, kind = 'an object', options?: RedissonErrorOptions) {
    super(`There is ${kind} ${object} already`, options)
    this.object = object
  }
}

/** The server does not tell of the event of an object, and so it cannot be listened to. */
export class NotificationsDisabledError extends RedissonError {
  override readonly name = 'NotificationsDisabledError'
  override readonly code = 'NOTIFICATIONS_DISABLED'
  /** The name, as the program gave it. */
  readonly object: string
  /** The flags that `notify-keyspace-events` has to have for it, such as `Kg`. */
  readonly needed: string
  /** The flags that it has. */
  readonly configured: string

  constructor(facts: {
    readonly object: string
    readonly event: string
    readonly needed: string
    readonly configured: string
  }) {
    const { object, event, needed, configured } = facts
    super(
      `The event '${event}' of ${object} needs notify-keyspace-events to have ${needed}, got '${configured}': ` +
        `CONFIG SET notify-keyspace-events ${configured}${missingIn(configured, needed)}`,
    )
    this.object = object
    this.needed = needed
    this.configured = configured
  }
}

function missingIn(configured: string, needed: string): string {
  return Array.from(needed)
    .filter((flag) => !configured.includes(flag))
    .join('')
}
