import type { FencedHold, RFencedLock } from '../../api/locks/fenced-lock.js'
import type {
  AcquireOptions,
  LockHold,
  LockOptions,
  TryAcquireOptions,
  TryLockOptions,
  WithLockOptions,
} from '../../api/locks/lock.js'
import { ALONE, demandNoMore } from '../../core/options.js'
import { UnexpectedReplyError } from '../../errors/reply-errors.js'
import { showOnly } from '../../util/show-only.js'
import { inTime, lockRequest, tryLockRequest } from '../shared/lock-request.js'
import type { LockDeps } from '../shared/lock-deps.js'
import { RedissonLock } from '../shared/lock.js'

/** A reentrant lock that numbers its changes of hands. */
export class RedissonFencedLock extends RedissonLock implements RFencedLock {
  static {
    showOnly(this, 'RFencedLock', ({ name }) => ({ name }))
  }

  readonly #lastToken: () => Promise<number>

  constructor(facts: LockDeps, lastToken: () => Promise<number>) {
    super(facts)
    this.#lastToken = lastToken
  }

  async lockAndGetToken(options?: number | LockOptions, surplus?: unknown): Promise<number> {
    demandNoMore(surplus)
    return present((await this.plain.acquire(lockRequest(this.name, options))).token)
  }

  async tryLockAndGetToken(
    options?: number | TryLockOptions,
    leaseMs?: number,
    surplus?: unknown,
  ): Promise<number | undefined> {
    demandNoMore(surplus)
    const hold = await inTime(this.plain.acquire(tryLockRequest(this.name, options, leaseMs)))
    return hold && present(hold.token)
  }

  async getToken(surplus?: unknown): Promise<number> {
    demandNoMore(surplus, ALONE)
    return await this.#lastToken()
  }

  override async acquire(options?: AcquireOptions, surplus?: unknown): Promise<FencedHold> {
    return fenced(await super.acquire(options, surplus))
  }

  override async tryAcquire(options?: TryAcquireOptions, surplus?: unknown): Promise<FencedHold | undefined> {
    const hold = await super.tryAcquire(options, surplus)
    return hold && fenced(hold)
  }

  override withLock<T>(
    fn: (hold: FencedHold) => T | PromiseLike<T>,
    options?: WithLockOptions,
    surplus?: unknown,
  ): Promise<T> {
    return super.withLock(typeof fn === 'function' ? (hold) => fn(fenced(hold)) : fn, options, surplus)
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
