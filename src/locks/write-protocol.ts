import type { SyncedResult } from '../command/command-executor.js'
import type { ObjectContext } from '../core/object-context.js'
import type { Attempt } from '../pubsub/wait-until.js'
import { Lease, type RenewalKind } from '../renewal/lease.js'
import type { Acquired } from './acquired.js'
import { LockLine } from './lock-line.js'
import { passesBy, type Claim, type Return, type Won } from './lock-protocol.js'
import { acquireWrite, releaseWrite, stopWaiting, undoWrite } from './read-write-lock.scripts.js'
import { relet } from './lock.scripts.js'
import type { QueuedWaiters } from './queued-waiters.js'
import { ReadWriteProtocol, wakeAll, WAITING_WRITER_MS, type Preference } from './read-write-protocol.js'
import type { LockLines } from './reentrant-protocol.js'

/** Who only tries holds up no readers. */
const isPatient = ({ waitMs }: Claim): boolean => waitMs > 0

/** How the field of a writer ends. */
const AS_WRITER = ':write'

interface WriteSide {
  readonly renewal: RenewalKind
  readonly prefer: Preference
  readonly lines: LockLines
  /** Tells Redis again and again that a writer still waits. */
  readonly waiting: { readonly waiters: QueuedWaiters; readonly kind: RenewalKind }
}

/** The write side of a read-write lock on the wire. */
export class WriteProtocol extends ReadWriteProtocol {
  readonly #lines: LockLines
  readonly #waiting: WriteSide['waiting']
  readonly #open = () => new LockLine(this.context, this.keys.channel, wakeAll)

  constructor(context: ObjectContext, lock: string, { renewal, prefer, lines, waiting }: WriteSide) {
    const side = { acquire: acquireWrite, undo: undoWrite, mindsWriters: isPatient }
    super(context, lock, { mode: 'write', renewal, prefer, ...side })
    this.#lines = lines
    this.#waiting = waiting
  }

  fieldOf(owner: string): string {
    return owner + AS_WRITER
  }

  protected ownerOf(field: string): string {
    return field.slice(0, -AS_WRITER.length)
  }

  release({ owner, holds, leaseMs, request, again }: Return): Promise<number> {
    const args = { owner, holds, leaseMs, publish: this.publish }
    const call = { keys: { ...this.keys, request }, args }
    return this.context.executor.run(releaseWrite, call, { remember: holds === 0 || again })
  }

  async relet(owner: string, leaseMs: number): Promise<boolean> {
    const call = { keys: { lock: this.keys.lock }, args: { owner, leaseMs } }
    return (await this.context.executor.run(relet, call)) === 1
  }

  override acquire(claim: Claim, request: string, replicas: number): Promise<SyncedResult<Acquired>> {
    return this.#waiting.waiters.asks(claim, super.acquire(claim, request, replicas))
  }

  /** Where writers go first, readers hear of one by its first attempt, which belongs to the waiting therefore. */
  triesFirst(claim: Claim): boolean {
    if (this.#isPreferred(claim)) return false
    return passesBy(claim) || this.#lines.of(this.keys.lock) === undefined
  }

  wait(claim: Claim, attempt: () => Promise<Attempt<Won>>): Promise<Won | undefined> {
    if (this.#isPreferred(claim)) return this.#waitPreferred(claim, attempt)
    return this.#lines.stand(this.keys.lock, this.#open, (line) => line.wait(claim, attempt))
  }

  #isPreferred({ waitMs }: Claim): boolean {
    return this.prefer === 'writer' && waitMs > 0
  }

  /** Has readers let this writer go first for as long as it waits. */
  #waitPreferred(claim: Claim, attempt: () => Promise<Attempt<Won>>): Promise<Won | undefined> {
    const wait = () =>
      this.#lines.stand(this.keys.lock, this.#open, (line) => this.#whileSaying(claim, line, attempt))
    const leave = () => this.#stopWaiting(claim.owner)
    return this.#waiting.waiters.visit(claim, { attempt, wait, leave })
  }

  async #whileSaying(
    claim: Claim,
    line: LockLine,
    attempt: () => Promise<Attempt<Won>>,
  ): Promise<Won | undefined> {
    const { waiters, kind } = this.#waiting
    const slot = this.context.servers.slotOf(this.keys.lock)
    const keep = () => {
      lease.confirm(performance.now(), WAITING_WRITER_MS)
      waiters.keep(lease)
    }
    const lease = new Lease(
      { kind, name: this.keys.writers, owner: claim.owner, slot },
      {
        onLeaseLost(reason) {
          if (reason === 'not-held') line.wake() // Redis has forgotten that it waits, and hears it with the next attempt
          if (reason === 'expired') keep() // Redis is silent; that is for Redis to judge
        },
      },
    )
    lease.renewed = true
    const once = async () => {
      const next = await attempt()
      if (!next.done) keep()
      return next
    }
    keep()
    try {
      return await line.wait(claim, once)
    } finally {
      waiters.drop(lease)
    }
  }

  #stopWaiting(owner: string): Promise<number> {
    const call = { keys: this.keys, args: { owner, publish: this.publish } }
    return this.context.executor.run(stopWaiting, call)
  }
}
