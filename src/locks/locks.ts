import type { RFencedLock } from '../api/locks/fenced-lock.js'
import type { FencingGuard } from '../api/locks/fencing-guard.js'
import type { RLock } from '../api/locks/lock.js'
import type { ReadWriteLockOptions, RReadWriteLock } from '../api/locks/read-write-lock.js'
import type { SpinLockOptions } from '../api/locks/spin-lock.js'
import type { LockSettings } from '../api/redisson-client.js'
import { demandOptions, keyOf, wholeNumber } from '../core/arguments.js'
import { lockToken } from '../core/names.js'
import { Lines } from '../core/lines.js'
import type { ObjectContext } from '../core/object-context.js'
import type { RenewalKind } from '../renewal/lease.js'
import { shown } from '../util/shown.js'
import { pausesOf } from './backoff.js'
import * as fair from './fair-lock.scripts.js'
import { waiterRenewal } from './fair-lock.renewal.js'
import { FairProtocol, WAITER_ALIVE_MS } from './fair-protocol.js'
import { RedissonFencedLock } from './fenced-lock.js'
import * as fenced from './fenced-lock.scripts.js'
import { RedissonFencingGuard } from './fencing-guard.js'
import { LocalHolds } from './local-holds.js'
import { LockKeeper } from './lock-keeper.js'
import type { LockProtocol } from './lock-protocol.js'
import { RedissonLock, type LockFacts } from './lock.js'
import { lockRenewal } from './lock.renewal.js'
import * as plain from './lock.scripts.js'
import { QueuedWaiters } from './queued-waiters.js'
import { ReadProtocol } from './read-protocol.js'
import { RedissonReadWriteLock } from './read-write-lock.js'
import { readRenewal, waitingRenewal } from './read-write-lock.renewal.js'
import { ReentrantProtocol, type LockLines, type LockScripts, type Variant } from './reentrant-protocol.js'
import { SpinProtocol } from './spin-protocol.js'
import { Unsettled } from './unsettled.js'
import { ValueGroupProtocol, type ValueLines } from './value-group-protocol.js'
import { valueNames } from './value-names.js'
import { WriteProtocol } from './write-protocol.js'

const PLAIN: LockScripts = { acquire: plain.acquire, release: plain.release }
const STRICT: LockScripts = { acquire: plain.acquireOnce, release: plain.release }
const FENCED: LockScripts = { acquire: fenced.acquire, release: fenced.release }

/** Makes the locks of a client. What those of one name share, whoever asked for them, is kept here. */
export class Locks {
  readonly #context: ObjectContext
  readonly #asking = new Set<string>()
  /** Who holds what. Most kinds are one hash in Redis, and so one set of holders; a read-write lock has two sides. */
  readonly #holds = { plain: new LocalHolds(), read: new LocalHolds(), write: new LocalHolds() }
  readonly #groups = new LocalHolds()
  readonly #unsettled = new Unsettled()
  readonly #values: { holds: LocalHolds; lines: ValueLines } = { holds: new LocalHolds(), lines: new Lines() }
  /** Only waiters of one kind can leave a lock to each other. */
  readonly #lines: Readonly<Record<'plain' | 'fenced' | 'strict' | 'write', LockLines>> = {
    plain: new Lines(),
    fenced: new Lines(),
    strict: new Lines(),
    write: new Lines(),
  }
  readonly #renewals: Readonly<Record<'plain' | 'read' | 'waiter' | 'writer', RenewalKind>>
  readonly #waiters: QueuedWaiters

  constructor(context: ObjectContext) {
    const { executor, config } = context
    this.#context = context
    this.#renewals = {
      plain: lockRenewal(executor),
      read: readRenewal(executor),
      waiter: waiterRenewal(executor, config),
      writer: waitingRenewal(executor),
    }
    this.#waiters = new QueuedWaiters({ leaseMs: WAITER_ALIVE_MS, batchSize: config.lockWatchdogBatchSize })
  }

  getLock(name: string, settings: LockSettings): RLock {
    return this.#make(name, settings, (key) => this.#reentrant(key, PLAIN, this.#lines.plain))
  }

  getFencedLock(name: string, settings: LockSettings): RFencedLock {
    const key = keyOf(this.#context, name)
    const protocol = this.#reentrant(key, FENCED, this.#lines.fenced)
    const call = { keys: { token: lockToken(key) }, args: {} }
    const lastToken = () => this.#context.executor.run(fenced.lastToken, call)
    return new RedissonFencedLock(this.#facts(name, key, settings, protocol), lastToken)
  }

  getFencingGuard(name: string): FencingGuard {
    return new RedissonFencingGuard(this.#context, name, keyOf(this.#context, name))
  }

  getNonReentrantLock(name: string, settings: LockSettings): RLock {
    return this.#make(name, settings, (key) => this.#reentrant(key, STRICT, this.#lines.strict))
  }

  getFairLock(name: string, settings: LockSettings): RLock {
    return this.#make(name, settings, (key) => this.#fair(key, fair.acquire))
  }

  getNonReentrantFairLock(name: string, settings: LockSettings): RLock {
    return this.#make(name, settings, (key) => this.#fair(key, fair.acquireOnce))
  }

  getSpinLock(name: string, options: SpinLockOptions & LockSettings): RLock {
    demandOptions(options)
    const { backoff = { type: 'exponential' }, ...settings } = options
    pausesOf(backoff) // so that a mistake shows here
    const variant = { ...this.#variant(PLAIN, new Lines()), pauses: () => pausesOf(backoff) }
    return this.#make(name, settings, (key) => new SpinProtocol(this.#context, key, variant))
  }

  getReadWriteLock(name: string, options: ReadWriteLockOptions & LockSettings): RReadWriteLock {
    demandOptions(options)
    const { prefer = 'reader', ...settings } = options
    demandPreference(prefer)
    const key = keyOf(this.#context, name)
    const { read: ofReaders, plain: ofWriter, writer } = this.#renewals
    const waiting = { waiters: this.#waiters, kind: writer }
    const reading = new ReadProtocol(this.#context, key, { renewal: ofReaders, prefer })
    const writing = new WriteProtocol(this.#context, key, {
      renewal: ofWriter,
      prefer,
      lines: this.#lines.write,
      waiting,
    })
    const read = { ...this.#facts(name, key, settings, reading, this.#holds.read), key: `read:${key}` }
    const write = { ...this.#facts(name, key, settings, writing, this.#holds.write), key: `write:${key}` }
    return new RedissonReadWriteLock(name, {
      read: new RedissonLock({ ...read, side: { mode: 'read', opposite: write } }),
      write: new RedissonLock({ ...write, side: { mode: 'write', opposite: read } }),
    })
  }

  getValueLock(name: string, values: Iterable<string | Uint8Array>): RLock {
    const key = keyOf(this.#context, name)
    const names = valueNames(values)
    const { holds, lines } = this.#values
    const identity = `${key} ${names}`
    const protocol = new ValueGroupProtocol(this.#context, key, names, lines)
    const { syncedReplicas } = this.#context.config
    const facts = { name, key, identity, protocol, holds, unsettled: this.#unsettled, syncedReplicas }
    const keeper = new LockKeeper(this.#context, facts)
    return new RedissonLock(this.#factsOf(name, `values:${identity}`, keeper))
  }

  /** Waits until those who were sent home have left the queues that Redis keeps, unless Redis does not answer. */
  close(): Promise<void> {
    return this.#waiters.close(this.#context.config.timeoutMs)
  }

  #reentrant(key: string, scripts: LockScripts, lines: LockLines): ReentrantProtocol {
    return new ReentrantProtocol(this.#context, key, this.#variant(scripts, lines))
  }

  #variant(scripts: LockScripts, lines: LockLines): Variant {
    return { renewal: this.#renewals.plain, lines, scripts, unsettled: this.#unsettled }
  }

  #fair(key: string, acquire: typeof fair.acquire): FairProtocol {
    const waiting = { waiters: this.#waiters, kind: this.#renewals.waiter }
    return new FairProtocol(this.#context, key, { renewal: this.#renewals.plain, acquire, waiting })
  }

  #make(name: string, settings: LockSettings, protocolOf: (key: string) => LockProtocol): RLock {
    const key = keyOf(this.#context, name)
    return new RedissonLock(this.#facts(name, key, settings, protocolOf(key)))
  }

  #facts(
    name: string,
    key: string,
    settings: LockSettings,
    protocol: LockProtocol,
    holds: LocalHolds = this.#holds.plain,
  ): LockFacts {
    demandOptions(settings)
    const replicas = settings.syncedReplicas ?? this.#context.config.syncedReplicas
    const syncedReplicas = wholeNumber('syncedReplicas', replicas, 0)
    const unsettled = this.#unsettled
    const keeper = new LockKeeper(this.#context, { name, key, protocol, holds, unsettled, syncedReplicas })
    return this.#factsOf(name, key, keeper)
  }

  #factsOf(name: string, key: string, keeper: LockKeeper): LockFacts {
    return { context: this.#context, name, key, keeper, asking: this.#asking, groups: this.#groups }
  }
}

function demandPreference(prefer: unknown): void {
  if (prefer === 'reader' || prefer === 'writer') return
  throw new RangeError(`Expected \`prefer\` to be 'reader' or 'writer', got ${shown(prefer)}`)
}
