import type { PermitHold } from '../api/synchronizers/permit-expirable-semaphore.js'
import { askingSignal } from '../core/loss-signal.js'
import type { LockLossReason } from '../errors/lock-errors.js'
import { isRedissonError } from '../errors/redisson-error.js'
import { PermitLostError, PermitNotHeldError } from '../errors/synchronizer-errors.js'
import type { Lease, LeaseHolder } from '../renewal/lease.js'

interface PermitFacts {
  /** The name of the semaphore, as the program gave it. */
  readonly semaphore: string
  readonly id: string
  /** Makes the lease of the permit. */
  readonly leaseOf: (holder: LeaseHolder) => Lease
  /** Gives the permit back; answers whether it was lent. No renewal is sent after this was called. */
  readonly giveBack: (lease: Lease) => Promise<boolean>
}

/** A permit that this process looks after, as its holder sees it. */
export class PermitHandle implements PermitHold {
  readonly id: string
  readonly lease: Lease
  readonly #semaphore: string
  readonly #giveBack: PermitFacts['giveBack']
  #givenBack = false
  #lost: PermitLostError | undefined
  #controller: AbortController | undefined
  #signal: AbortSignal | undefined

  constructor({ semaphore, id, leaseOf, giveBack }: PermitFacts) {
    this.id = id
    this.#semaphore = semaphore
    this.#giveBack = giveBack
    this.lease = leaseOf({
      onLeaseLost: (reason) => {
        this.#lose(reason)
      },
    })
  }

  /** Why it was lost, if it was. */
  get lost(): PermitLostError | undefined {
    if (!this.#givenBack && this.lease.expired) this.#lose('expired')
    return this.#lost
  }

  get isGivenBack(): boolean {
    return this.#givenBack
  }

  get isHeld(): boolean {
    return !this.#givenBack && this.lost === undefined
  }

  /** Made only when somebody asks for it. */
  get signal(): AbortSignal {
    this.#signal ??= this.#makeSignal()
    return this.#signal
  }

  /** What was lost by this process's clock may still be lent, so Redis is asked in any case. */
  async release(): Promise<void> {
    const { lost } = this
    const options = lost && { cause: lost }
    if (this.#givenBack) throw new PermitNotHeldError(this.#semaphore, [this.id], options)
    this.#givenBack = true
    if (!(await this.#giveBack(this.lease))) throw new PermitNotHeldError(this.#semaphore, [this.id], options)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#givenBack) return
    try {
      await this.release()
    } catch (error) {
      if (!isRedissonError(error, 'PERMIT_NOT_HELD')) throw error
    }
  }

  #lose(reason: LockLossReason): void {
    if (this.#lost !== undefined || this.#givenBack) return
    const why = reason === 'forced' ? 'not-held' : reason
    this.#lost = new PermitLostError({ semaphore: this.#semaphore, id: this.id, reason: why })
    this.#controller?.abort(this.#lost)
  }

  #makeSignal(): AbortSignal {
    const controller = new AbortController()
    if (this.lost !== undefined) controller.abort(this.lost)
    this.#controller = controller
    return askingSignal(controller, () => this.lost)
  }
}
