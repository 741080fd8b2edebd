import {
  isRedissonError as isErrorOf,
  type RedissonError,
  type RedissonErrorCode,
} from '../redisson-error.js'
import type { BatchError, NotInBatchError } from '../batch-errors.js'
import type {
  AbortError,
  ClientClosedError,
  ConfigError,
  CrossSlotError,
  OtherCopyError,
} from '../client-errors.js'
import type { CodecError, MissingPackageError } from '../codec-errors.js'
import type {
  AuthenticationError,
  ConnectionLostError,
  CredentialsError,
  ReplyTimeoutError,
  ServerNotReadyError,
  SubscriptionTimeoutError,
} from '../connection-errors.js'
import type {
  ForkedThreadError,
  LockLostError,
  LockNotHeldError,
  LockReentryError,
  LockTimeoutError,
  NestedLockError,
  NotReplicatedError,
  StaleTokenError,
} from '../lock-errors.js'
import type { NoSuchObjectError, NotificationsDisabledError, ObjectExistsError } from '../object-errors.js'
import type {
  CommandError,
  ScriptError,
  UnexpectedReplyError,
  UnsafeIntegerError,
  WrongTypeError,
} from '../reply-errors.js'
import type { ElectionRunningError, MarkLostError } from '../service-errors.js'
import type {
  PermitLostError,
  PermitNotHeldError,
  PermitTimeoutError,
  RateNotSetError,
  RateTooLowError,
} from '../synchronizer-errors.js'
import type { MessageOverflowError, UnsupportedCommandError } from '../topic-errors.js'
import type { CacheTimeoutError } from '../../caches/cache/cache.errors.js'
import type { NoSuchMemberError } from '../../collections/geo/geo.errors.js'
import type { IndexOutOfBoundsError } from '../../collections/list/list.errors.js'
import type { EntryContendedError, NestedComputeError } from '../../collections/map/map.errors.js'
import type {
  AdderDestroyedError,
  AdderTimeoutError,
  CounterOverflowError,
} from '../../counters/shared/counter.errors.js'
import type {
  NodeIdLostError,
  SnowflakeLayoutError,
  SnowflakeTimeError,
  SnowflakeTimeoutError,
} from '../../counters/snowflake/snowflake.errors.js'
import type { MultiUnlockError, QuorumError, SameLockError } from '../../locks/multi/group.errors.js'
import type { BinaryStreamChangedError } from '../../objects/binary-stream/binary-stream.errors.js'
import type { FilterNotInitializedError } from '../../probabilistic/bloom-filter/bloom-filter.errors.js'
import type {
  DeliveryCancelledError,
  DeliveryLostError,
} from '../../queues/reliable-queue/reliable-queue.errors.js'
import type {
  CapacityNotSetError,
  NoSuchElementError,
  QueueFullError,
} from '../../queues/shared/queue.errors.js'
import type { NoSuchGroupError } from '../../streams/stream/stream.errors.js'
import type {
  WorkLostError,
  WorkQueueFullError,
  WorkTimeoutError,
} from '../../synchronizers/work-limiter/work-limiter.errors.js'

/** Every error of this library: one class for each code. */
export type AnyRedissonError =
  | ClientClosedError
  | AbortError
  | ConfigError
  | CrossSlotError
  | AuthenticationError
  | CredentialsError
  | OtherCopyError
  | ConnectionLostError
  | ReplyTimeoutError
  | ServerNotReadyError
  | SubscriptionTimeoutError
  | MessageOverflowError
  | UnsupportedCommandError
  | CommandError
  | ScriptError
  | UnexpectedReplyError
  | UnsafeIntegerError
  | WrongTypeError
  | NoSuchObjectError
  | ObjectExistsError
  | NotificationsDisabledError
  | CounterOverflowError
  | AdderTimeoutError
  | AdderDestroyedError
  | NodeIdLostError
  | SnowflakeTimeoutError
  | SnowflakeLayoutError
  | SnowflakeTimeError
  | NestedComputeError
  | EntryContendedError
  | IndexOutOfBoundsError
  | NoSuchElementError
  | CapacityNotSetError
  | QueueFullError
  | DeliveryLostError
  | DeliveryCancelledError
  | FilterNotInitializedError
  | NoSuchMemberError
  | NoSuchGroupError
  | BinaryStreamChangedError
  | CacheTimeoutError
  | LockNotHeldError
  | LockLostError
  | LockTimeoutError
  | NestedLockError
  | ForkedThreadError
  | LockReentryError
  | StaleTokenError
  | MultiUnlockError
  | QuorumError
  | SameLockError
  | NotReplicatedError
  | PermitTimeoutError
  | PermitNotHeldError
  | PermitLostError
  | RateNotSetError
  | RateTooLowError
  | WorkTimeoutError
  | WorkQueueFullError
  | WorkLostError
  | MarkLostError
  | ElectionRunningError
  | CodecError
  | MissingPackageError
  | NotInBatchError
  | BatchError

/** The class of the errors with a certain code. */
export type RedissonErrorOf<C extends RedissonErrorCode> = Extract<AnyRedissonError, Record<'code', C>>

/**
 * Checks whether an error of this library has a certain code. Its type is the class with that code then.
 *
 * Unlike `instanceof`, it also knows errors of another copy of the package.
 *
 * @throws TypeError for a code that no error has
 * @example
 * ```ts
 * if (isRedissonError(error, 'LOCK_TIMEOUT')) console.log(error.holder)
 * ```
 */
export function isRedissonError<C extends RedissonErrorCode>(
  error: unknown,
  code: C,
): error is RedissonErrorOf<C>
/** Checks whether an error comes from this library, and optionally which one it is. */
export function isRedissonError(error: unknown, code?: RedissonErrorCode): error is RedissonError
export function isRedissonError(error: unknown, code?: RedissonErrorCode): boolean {
  return isErrorOf(error, code)
}
