import { describe, expectTypeOf, it } from 'vitest'
import {
  isRedissonError,
  type AnyRedissonError,
  type LockTimeoutError,
  type QuorumError,
  type RedissonError,
  type RedissonErrorCode,
} from '../../src/index.js'

describe('isRedissonError', () => {
  const caught: unknown = new Error()

  it('narrows to the class of a code', () => {
    if (isRedissonError(caught, 'LOCK_TIMEOUT')) expectTypeOf(caught).toEqualTypeOf<LockTimeoutError>()
    if (isRedissonError(caught, 'NO_QUORUM')) expectTypeOf(caught).toEqualTypeOf<QuorumError>()
  })

  it('narrows to any error without a code', () => {
    if (isRedissonError(caught)) expectTypeOf(caught).toEqualTypeOf<RedissonError>()
    if (isRedissonError(caught, undefined)) expectTypeOf(caught).toEqualTypeOf<RedissonError>()
  })

  it('narrows to what classes have in common where the code may be one of several', () => {
    const code = 'LOCK_TIMEOUT' as 'LOCK_TIMEOUT' | 'NO_QUORUM'
    if (isRedissonError(caught, code)) expectTypeOf(caught).toEqualTypeOf<LockTimeoutError | QuorumError>()
    const any = 'LOCK_TIMEOUT' as RedissonErrorCode
    if (isRedissonError(caught, any)) expectTypeOf(caught).toExtend<RedissonError>()
  })

  it('leaves other errors what they were', () => {
    const error = caught as RedissonError
    if (!isRedissonError(error, 'LOCK_TIMEOUT')) expectTypeOf(error).toEqualTypeOf<RedissonError>()
  })

  it('knows the class of every code', () => {
    expectTypeOf<AnyRedissonError['code']>().toEqualTypeOf<RedissonErrorCode>()
  })
})
