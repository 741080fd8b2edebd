import type { FencedHold, RFencedLock } from './fenced-lock.api.js'
import type {
  AcquireOptions,
  LockHold,
  LockOptions,
  TryAcquireOptions,
  TryLockOptions,
  WithLockOptions,
} from '../shared/lock.api.js'
import { refuseSurplus } from '../../core/arguments/options.js'
import { UnexpectedReplyError } from '../../errors/reply-errors.js'
import { showOnly } from '../../util/show-only.js'
import { inTime, lockRequest, tryLockRequest } from '../shared/engine/lock-request.js'
import type { LockDeps } from '../shared/lock-deps.js'
import { RedissonLock } from '../shared/lock.js'

/** A reentrant lock that numbers its changes of hands. */
export class RedissonFencedLock extends RedissonLock implements RFencedLock {
  static {
    showOnly(this, 'RFencedLock', ({ name }) => ({ name }))
    refuseSurplus(this)
  }

  readonly #lastToken: () => Promise<number>

  constructor(deps: LockDeps, lastToken: () => Promise<number>) {
    super(deps)
    this.#lastToken = lastToken
  }

  async lockAndGetToken(options?: number | LockOptions): Promise<number> {
    return present((await this.plain.acquire(lockRequest(this.name, options))).token)
  }

  async tryLockAndGetToken(options?: number | TryLockOptions, leaseMs?: number): Promise<number | undefined> {
    const hold = await inTime(this.plain.acquire(tryLockRequest(this.name, options, leaseMs)))
    return hold && present(hold.token)
  }

  async getToken(): Promise<number> {
    return await this.#lastToken()
  }

  override async acquire(options?: AcquireOptions): Promise<FencedHold> {
    return fenced(await super.acquire(options))
  }

  override async tryAcquire(options?: TryAcquireOptions): Promise<FencedHold | undefined> {
    const hold = await super.tryAcquire(options)
    return hold && fenced(hold)
  }

  override async withLock<T>(
    fn: (hold: FencedHold) => T | PromiseLike<T>,
    options?: WithLockOptions,
  ): Promise<T> {
    return await super.withLock(typeof fn === 'function' ? (hold) => fn(fenced(hold)) : fn, options)
  }
}

function fenced(hold: LockHold): FencedHold {
  present(hold.fencingToken)
  return hold as FencedHold
}

function present(token: number | undefined): number {
  if (token !== undefined) return token
  throw new UnexpectedReplyError('a fencing token', token)
}
