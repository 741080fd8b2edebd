import type { Redis } from 'ioredis'

/** The fields of a server's `INFO` that are used here. All are missing if the user may not ask. */
export interface ServerInfo {
  readonly role?: string
  readonly redis_mode?: string
  readonly run_id?: string
}

/** Members of ioredis that its types keep private. */
interface Inside {
  readonly connector: {
    /** Decides by a server's `INFO` whether the connection may be used. */
    check: (info: ServerInfo) => boolean
  }
}

/**
 * Uses a connection only if the server is the right one. Otherwise ioredis connects again.
 *
 * @param isRight - decides; `check` makes the decision of ioredis
 */
export function decideUse(redis: Redis, isRight: (info: ServerInfo, check: () => boolean) => boolean): void {
  const { connector } = redis as unknown as Inside
  const check = connector.check.bind(connector)
  connector.check = (info) => isRight(info, () => check(info))
}
