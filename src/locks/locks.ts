import type { RLock } from '../api/locks/lock.js'
import type { LockSettings } from '../api/redisson-client.js'
import type { ObjectContext } from '../core/object-context.js'
import type { RenewalKind } from '../renewal/lease.js'
import { shown } from '../util/shown.js'
import { LocalHolds } from './local-holds.js'
import { LockKeeper } from './lock-keeper.js'
import { lockRenewal } from './lock.renewal.js'
import { RedissonLock } from './lock.js'
import { ReentrantProtocol, type LockLines } from './reentrant-protocol.js'

/** Makes the locks of a client. What those of one name share, whoever asked for them, is kept here. */
export class Locks {
  readonly #context: ObjectContext
  readonly #renewal: RenewalKind
  readonly #holds = new LocalHolds()
  readonly #lines: LockLines = new Map()
  readonly #asking = new Set<string>()

  constructor(context: ObjectContext) {
    this.#context = context
    this.#renewal = lockRenewal(context.executor)
  }

  getLock(name: string, { syncedReplicas = this.#context.config.syncedReplicas }: LockSettings): RLock {
    const { config, owners } = this.#context
    const key = config.mapName(checkedName(name))
    const protocol = new ReentrantProtocol(this.#context, key, { renewal: this.#renewal, lines: this.#lines })
    const facts = { name, key, protocol, holds: this.#holds, syncedReplicas: checkedReplicas(syncedReplicas) }
    return new RedissonLock({
      name,
      key,
      keeper: new LockKeeper(this.#context, facts),
      owners,
      asking: this.#asking,
      watchdogMs: config.lockWatchdogTimeoutMs,
    })
  }
}

function checkedName(name: string): string {
  if (typeof name === 'string' && name !== '') return name
  throw new TypeError(`Expected \`name\` to be a text that is not empty, got ${shown(name)}`)
}

function checkedReplicas(replicas: number): number {
  if (Number.isInteger(replicas) && replicas >= 0) return replicas
  throw new RangeError(`Expected \`syncedReplicas\` to be a whole number, 0 or more, got ${shown(replicas)}`)
}
