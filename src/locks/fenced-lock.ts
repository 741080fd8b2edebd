import type { FencedHold, RFencedLock } from '../api/locks/fenced-lock.js'
import type {
  AcquireOptions,
  LockHold,
  LockOptions,
  TryAcquireOptions,
  TryLockOptions,
  WithLockOptions,
} from '../api/locks/lock.js'
import { UnexpectedReplyError } from '../errors/reply-errors.js'
import { hastyRequest, inTime, patientRequest } from './lock-request.js'
import { RedissonLock, type LockFacts } from './lock.js'

/** A reentrant lock that numbers its changes of hands. */
export class RedissonFencedLock extends RedissonLock implements RFencedLock {
  readonly #lastToken: () => Promise<number>

  constructor(facts: LockFacts, lastToken: () => Promise<number>) {
    super(facts)
    this.#lastToken = lastToken
  }

  async lockAndGetToken(options?: number | LockOptions): Promise<number> {
    return present((await this.take(patientRequest(options))).token)
  }

  async tryLockAndGetToken(options?: number | TryLockOptions, leaseMs?: number): Promise<number | null> {
    const hold = await inTime(this.take(hastyRequest(options, leaseMs)), null)
    return hold === null ? null : present(hold.token)
  }

  getToken(): Promise<number> {
    return this.#lastToken()
  }

  override async acquire(options?: AcquireOptions): Promise<FencedHold> {
    return fenced(await super.acquire(options))
  }

  override async tryAcquire(options?: TryAcquireOptions): Promise<FencedHold | null> {
    const hold = await super.tryAcquire(options)
    return hold === null ? null : fenced(hold)
  }

  override withLock<T>(fn: (hold: FencedHold) => T | PromiseLike<T>, options?: WithLockOptions): Promise<T> {
    return super.withLock(typeof fn === 'function' ? (hold) => fn(fenced(hold)) : fn, options)
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
