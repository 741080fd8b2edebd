import type { RedissonEvents } from '../api/events.js'
import type { Connection, Reply } from '../connection/connection.js'
import type { Emitter } from '../util/emitter.js'
import { warnOnce } from '../util/warn-once.js'

/** The only policy with which Redis removes no key that is in use. */
const NO_EVICTION = 'noeviction'

type Asked = Pick<Connection, 'masters' | 'sessionOf' | 'sendTo'>

/**
 * Warns of masters that remove keys when their memory is full. Each is asked once for each of its connections, when that is there: nothing waits for it,
 * and a user who may not ask is not warned.
 */
export function watchEvictionPolicy(connection: Asked, events: Emitter<RedissonEvents>): void {
  const asked = new WeakSet()
  const ask = ({ address, purpose }: RedissonEvents['connected']) => {
    if (purpose !== 'commands') return
    for (const master of connection.masters) {
      const session = connection.sessionOf(master)
      if (session === undefined || asked.has(session)) continue
      asked.add(session)
      const where = connection.masters.length > 1 ? master : address
      void policyOf(connection, master).then((policy) => {
        if (policy !== undefined && policy !== NO_EVICTION) warnOf(policy, where)
      })
    }
  }
  events.on('connected', ask)
  events.on('reconnected', ask)
}

/** Resolves with undefined where that cannot be known. */
async function policyOf(connection: Asked, master: string): Promise<string | undefined> {
  try {
    const reply: Reply = await connection.sendTo(master, { name: 'info', args: ['memory'] })
    return /^maxmemory_policy:(\S+)/m.exec(String(reply))?.[1]
  } catch {
    return undefined // a user without the right, or a connection that has broken again
  }
}

function warnOf(policy: string, where: string): void {
  warnOnce(
    'REDISSON_EVICTION_POLICY',
    policy,
    `Redis at ${where} has the \`maxmemory-policy\` ${policy}: when its memory is full, it removes keys that are in use, such as held locks. ` +
      'Set it to `noeviction`.',
  )
}
