import type { RFencedLock } from './fenced/fenced-lock.api.js'
import type { FencingGuard } from './fencing-guard/fencing-guard.api.js'
import type { RLock } from './shared/lock.api.js'
import type { LockSettings } from './locks.api.js'
import type { ReadWriteLockOptions, RReadWriteLock } from './read-write/read-write-lock.api.js'
import type { SpinLockOptions } from './spin/spin-lock.api.js'
import { lockToken } from '../core/context/names.js'
import { WaitQueues } from '../waiting/wait-queues.js'
import type { LockContext } from '../core/context/object-context.js'
import { demandOptions, known } from '../core/arguments/options.js'
import { pausesOf } from './spin/backoff.js'
import * as fair from './fair/fair-lock.scripts.js'
import { waiterRenewal } from './fair/fair-lock.renewal.js'
import { FairLockDriver, WAITER_ALIVE_MS, type FairVariant } from './fair/fair-lock-driver.js'
import { RedissonFencedLock } from './fenced/fenced-lock.js'
import * as fenced from './fenced/fenced-lock.scripts.js'
import { RedissonFencingGuard } from './fencing-guard/fencing-guard.js'
import { MultiValueLocks } from './multi-value/multi-value-locks.js'
import { ReadWriteLocks } from './read-write/read-write-locks.js'
import { lockRenewal } from './reentrant/lock.renewal.js'
import * as plain from './reentrant/lock.scripts.js'
import { ReentrantLockDriver, type LockScripts, type Variant } from './reentrant/reentrant-lock-driver.js'
import { LocalHolds } from './shared/hold/local-holds.js'
import { lockIdentity, lockNames, type LockKey, type LockNames } from './shared/hold/lock-names.js'
import { LockAssembly } from './shared/lock-assembly.js'
import type { LockDeps } from './shared/lock-deps.js'
import type { LockDriver } from './shared/engine/lock-driver.js'
import { RedissonLock } from './shared/lock.js'
import type { LockQueues } from './shared/queue/lock-queue.js'
import { Turns } from './shared/queue/turns.js'
import { WaiterHeartbeats } from './shared/queue/waiter-heartbeats.js'
import { SpinLockDriver } from './spin/spin-lock-driver.js'

const PLAIN: LockScripts = { acquire: plain.acquire, takeOver: plain.takeOver }
const STRICT: LockScripts = { acquire: plain.acquireOnce, takeOver: plain.takeOver }
const FENCED: LockScripts = { acquire: fenced.acquire, takeOver: fenced.takeOver }

const SPIN_LOCK = known<SpinLockOptions & LockSettings>({ backoff: true, syncedReplicas: true })

/** Makes the locks of a client. What those share that are one hash of owner to hold count is kept here, by name. */
export class Locks {
  readonly #context: LockContext
  readonly #assembly: LockAssembly
  readonly #readWrite: ReadWriteLocks
  readonly #values: MultiValueLocks
  readonly #turns: Turns
  readonly #holds = new LocalHolds()
  /** Only waiters of one kind can take a lock over from each other. */
  readonly #queues: Readonly<Record<'plain' | 'fenced' | 'strict', LockQueues>> = {
    plain: new WaitQueues(),
    fenced: new WaitQueues(),
    strict: new WaitQueues(),
  }
  readonly #fair: Pick<FairVariant, 'waiting' | 'queues'>
  readonly #renewal: Variant['renewal']

  constructor(context: LockContext) {
    const { executor, config } = context
    const { lockWatchdogBatchSize: batchSize } = config
    const waiters = new WaiterHeartbeats({ leaseMs: WAITER_ALIVE_MS, batchSize })
    const turns = new Turns(context)
    const assembly = new LockAssembly(context)
    this.#context = context
    this.#assembly = assembly
    this.#turns = turns
    this.#renewal = lockRenewal(executor)
    this.#fair = { waiting: { waiters, kind: waiterRenewal(executor, config) }, queues: new WaitQueues() }
    this.#readWrite = new ReadWriteLocks(context, { assembly, turns, waiters })
    this.#values = new MultiValueLocks(context, assembly, turns)
    context.onClose(async (deadline) => {
      turns.close()
      const { cleanups } = assembly
      // Those who were waiting leave the queues in Redis, and what reached no caller is released, if Redis answers.
      await Promise.all([waiters.close(deadline.within(Infinity)), cleanups.untilAllClean(deadline)])
    })
  }

  getLock(name: string, settings: LockSettings = {}): RLock {
    return this.#make(name, settings, (key) => this.#reentrant(key, PLAIN, this.#queues.plain))
  }

  getFencedLock(name: string, settings: LockSettings = {}, key?: string): RFencedLock {
    const names = lockNames(this.#context, name, key)
    const driver = this.#reentrant(names.key, FENCED, this.#queues.fenced)
    const call = { keys: { token: lockToken(names.key) }, args: {} }
    const lastToken = () => this.#context.executor.run(fenced.lastToken, call)
    return new RedissonFencedLock(this.#depsOf(names, driver, settings), lastToken)
  }

  getFencingGuard(name: string): FencingGuard {
    return new RedissonFencingGuard(this.#context, name, lockNames(this.#context, name).key)
  }

  getNonReentrantLock(name: string, settings: LockSettings = {}): RLock {
    return this.#make(name, settings, (key) => this.#reentrant(key, STRICT, this.#queues.strict))
  }

  getFairLock(name: string, settings: LockSettings = {}): RLock {
    return this.#make(name, settings, (key) => this.#fairly(key, fair.acquire))
  }

  getNonReentrantFairLock(name: string, settings: LockSettings = {}): RLock {
    return this.#make(name, settings, (key) => this.#fairly(key, fair.acquireOnce))
  }

  getSpinLock(name: string, options: SpinLockOptions & LockSettings = {}): RLock {
    demandOptions(options, SPIN_LOCK)
    const { backoff = { type: 'exponential' }, ...settings } = options
    pausesOf(backoff) // so that a mistake shows here
    const variant = { ...this.#variant(PLAIN, new WaitQueues()), pauses: () => pausesOf(backoff) }
    return this.#make(name, settings, (key) => new SpinLockDriver(this.#context, key, variant))
  }

  getReadWriteLock(name: string, options: ReadWriteLockOptions & LockSettings = {}): RReadWriteLock {
    return this.#readWrite.get(name, options)
  }

  getValueLock(name: string, values: Iterable<string | Uint8Array>): RLock {
    return this.#values.get(name, values)
  }

  #reentrant(key: LockKey, scripts: LockScripts, queues: LockQueues): ReentrantLockDriver {
    return new ReentrantLockDriver(this.#context, key, this.#variant(scripts, queues))
  }

  #variant(scripts: LockScripts, queues: LockQueues): Variant {
    return { renewal: this.#renewal, queues, turns: this.#turns, scripts }
  }

  #fairly(key: LockKey, acquire: FairVariant['acquire']): FairLockDriver {
    const holds = () => this.#holds.of(lockIdentity('plain', key))
    return new FairLockDriver(this.#context, key, { ...this.#fair, renewal: this.#renewal, acquire, holds })
  }

  #make(name: string, settings: LockSettings, driverOf: (key: LockKey) => LockDriver): RLock {
    const names = lockNames(this.#context, name)
    return new RedissonLock(this.#depsOf(names, driverOf(names.key), settings))
  }

  #depsOf(names: LockNames, driver: LockDriver, settings: LockSettings): LockDeps {
    const identity = lockIdentity('plain', names.key)
    const engine = this.#assembly.engineOf({ ...names, identity, driver, holds: this.#holds }, settings)
    return this.#assembly.depsOf(identity, engine)
  }
}
