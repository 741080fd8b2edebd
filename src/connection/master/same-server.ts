import type { Redis } from 'ioredis'
import { decideUse } from '../login/before-use.js'
import { isToldWhere, knownAddressOf } from '../node/node-link.js'

/** The run ids of the servers that connections have reached. An address may be one of several of the same server. */
const servers = new WeakMap<Redis, string | undefined>()

/** Remembers which server a connection reaches, for {@link demandServerOf}. */
export function rememberServer(redis: Redis): void {
  decideUse(redis, ({ run_id: id }, check) => {
    servers.set(redis, id)
    return check()
  })
}

/**
 * Refuses to use a connection that reaches another server than the leader, while the leader is ready.
 *
 * It may have begun to connect before a failover, or have asked a sentinel that does not know of it yet.
 */
export function demandServerOf(leader: Redis, redis: Redis): void {
  if (!isToldWhere(redis)) return
  decideUse(redis, ({ run_id: id }, check) => (leader.status !== 'ready' || isSame(id)) && check())
  const isSame = (id: string | undefined): boolean => {
    const known = servers.get(leader)
    if (id !== undefined && known !== undefined) return id === known
    const address = knownAddressOf(leader)
    return address === undefined || knownAddressOf(redis) === address
  }
}
