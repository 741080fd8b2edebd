import type { Redis } from 'ioredis'

/** What a server says of itself, as far as it is used here. All of it is missing where the user may not ask. */
export interface ServerInfo {
  readonly role?: string
  readonly redis_mode?: string
  readonly run_id?: string
}

/** What is used of ioredis that its types keep private. */
interface Inside {
  readonly connector: {
    /** Decides by a server's `INFO` whether the connection may be used. */
    check: (info: ServerInfo) => boolean
  }
}

/**
 * Has a connection be used only where the server is the right one. Otherwise ioredis connects again.
 *
 * @param isRight - is given what decides without it
 */
export function decideUse(redis: Redis, isRight: (info: ServerInfo, check: () => boolean) => boolean): void {
  const { connector } = redis as unknown as Inside
  const check = connector.check.bind(connector)
  connector.check = (info) => isRight(info, () => check(info))
}
