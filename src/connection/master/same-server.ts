import type { Redis } from 'ioredis'
import { decideUse } from '../login/before-use.js'
import { isToldWhere, knownAddressOf } from '../node/node-link.js'

/** What the servers call themselves that connections have come to. An address may be one of several of the same server. */
const servers = new WeakMap<Redis, string | undefined>()

/** Keeps in mind which server a connection comes to, for {@link demandServerOf}. */
export function rememberServer(redis: Redis): void {
  decideUse(redis, ({ run_id: id }, check) => {
    servers.set(redis, id)
    return check()
  })
}

/**
 * Has a connection not be used that comes to another server than one that is ready.
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
