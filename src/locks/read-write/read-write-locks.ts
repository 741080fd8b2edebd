import type { LockSettings } from '../locks.api.js'
import type { ReadWriteLockOptions, RReadWriteLock } from './read-write-lock.api.js'
import type { LockContext } from '../../core/context/object-context.js'
import { demandOptions, known } from '../../core/arguments/options.js'
import type { RenewalKind } from '../../renewal/lease.js'
import { inspectWord } from '../../util/inspect-short.js'
import { WaitQueues } from '../../waiting/wait-queues.js'
import { lockRenewal } from '../reentrant/lock.renewal.js'
import { LocalHolds } from '../shared/hold/local-holds.js'
import { lockIdentity, lockNames, type LockNames } from '../shared/hold/lock-names.js'
import type { LockAssembly } from '../shared/lock-assembly.js'
import type { LockDriver } from '../shared/engine/lock-driver.js'
import type { LockEngine } from '../shared/engine/lock-engine.js'
import { RedissonLock } from '../shared/lock.js'
import type { Turns } from '../shared/queue/turns.js'
import type { WaiterHeartbeats } from '../shared/queue/waiter-heartbeats.js'
import { ReadLockDriver } from './read-lock-driver.js'
import { ReadNesting, WriteNesting } from './read-write-nesting.js'
import { readRenewal, waitingRenewal } from './read-write-lock.renewal.js'
import { RedissonReadWriteLock } from './read-write-lock.js'
import { WriteLockDriver, type WriteSide } from './write-lock-driver.js'

type Mode = 'read' | 'write'

interface ReadWriteLocksOptions {
  readonly assembly: LockAssembly
  readonly turns: Turns
  readonly waiters: WaiterHeartbeats
}

const READ_WRITE_LOCK = known<ReadWriteLockOptions & LockSettings>({ prefer: true, syncedReplicas: true })

/** Makes the read-write locks of a client. What those of one name share is kept here. */
export class ReadWriteLocks {
  readonly #context: LockContext
  readonly #assembly: LockAssembly
  readonly #reading: { readonly renewal: RenewalKind }
  readonly #writing: Omit<WriteSide, 'prefer'>
  readonly #holds = { read: new LocalHolds(), write: new LocalHolds() }

  constructor(context: LockContext, { assembly, turns, waiters }: ReadWriteLocksOptions) {
    const { executor } = context
    this.#context = context
    this.#assembly = assembly
    this.#reading = { renewal: readRenewal(executor) }
    this.#writing = {
      renewal: lockRenewal(executor),
      turns,
      waiting: { waiters, kind: waitingRenewal(executor) },
      queues: new WaitQueues(),
    }
  }

  get(name: string, options: ReadWriteLockOptions & LockSettings): RReadWriteLock {
    demandOptions(options, READ_WRITE_LOCK)
    const { prefer = 'reader', ...settings } = options
    demandPreference(prefer)
    const context = this.#context
    const names = lockNames(context, name)
    const { key } = names
    const engineOf = (mode: Mode, driver: LockDriver) => this.#engineOf(mode, { ...names, driver }, settings)
    const reading = engineOf('read', new ReadLockDriver(context, key, { ...this.#reading, prefer }))
    const writing = engineOf('write', new WriteLockDriver(context, key, { ...this.#writing, prefer }))
    const { owners } = context
    const toRead = { owners, identity: lockIdentity('read', key), engine: reading }
    const toWrite = { owners, identity: lockIdentity('write', key), engine: writing }
    const read = this.#assembly.depsOf(toRead.identity, reading, new ReadNesting(toRead, toWrite))
    const write = this.#assembly.depsOf(toWrite.identity, writing, new WriteNesting(toWrite, toRead))
    return new RedissonReadWriteLock(name, { read: new RedissonLock(read), write: new RedissonLock(write) })
  }

  #engineOf(
    mode: Mode,
    lock: LockNames & { readonly driver: LockDriver },
    settings: LockSettings,
  ): LockEngine {
    const other = mode === 'read' ? 'write' : 'read'
    const beside = (owner?: string) => {
      const held = lockIdentity(other, lock.key)
      return owner === undefined ? this.#holds[other].of(held) : this.#holds[other].by(held, owner)
    }
    const parts = { ...lock, identity: lockIdentity(mode, lock.key), holds: this.#holds[mode], beside }
    return this.#assembly.engineOf(parts, settings)
  }
}

function demandPreference(prefer: unknown): void {
  if (prefer === 'reader' || prefer === 'writer') return
  throw new RangeError(`Expected \`prefer\` to be 'reader' or 'writer', got ${inspectWord(prefer)}`)
}
