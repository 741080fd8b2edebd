import { channel as channelOf } from 'node:diagnostics_channel'
import type { DelayedRelease } from '../../api/diagnostics.js'
import { MultiUnlockError } from '../../locks/multi/group.errors.js'
import { isRedissonError } from '../../errors/redisson-error.js'
import { withoutWords } from '../../errors/without-words.js'
import { withoutAsyncContext } from '../../util/time/without-async-context.js'
import type { LockContext } from './object-context.js'

const channel = channelOf('ioredisson:hold:delayed')

/** What is released after its function or block has come to its end. */
interface Ended {
  /** What traces call it. */
  readonly kind: string
  /** Its key in Redis. */
  readonly key: string
  /** The name, as the program gave it. */
  readonly name: string
  /** Who held it; absent for what has no owner. */
  readonly owner?: string
}

/**
 * Looks at what became of a release in time. One that Redis has not confirmed goes on in the background, and the program is notified: its
 * work is done, so that the caller must not be told to repeat it.
 *
 * @param release - undefined while it is under way
 * @returns the error of Redis if there was nothing to release
 */
export function refusalOf(
  { events }: Pick<LockContext, 'events'>,
  { kind, key, name, owner }: Ended,
  release: PromiseSettledResult<unknown> | undefined,
): Error | undefined {
  if (release?.status === 'fulfilled') return undefined
  const error = release?.reason as Error | undefined
  if (saysNotHeld(error)) return error
  const why = error && { error: withoutWords(error, 'The release') }
  publish({ kind, name: key, ...why })
  events.emit('releaseDelayed', { kind, name, owner, error })
  return undefined
}

function publish(trace: DelayedRelease): void {
  if (!channel.hasSubscribers) return
  withoutAsyncContext(() => {
    channel.publish(trace)
  })
}

function saysNotHeld(error: unknown): boolean {
  return (
    isRedissonError(error, 'NOT_HELD') ||
    isRedissonError(error, 'PERMIT_NOT_HELD') ||
    isRedissonError(error, 'PERMIT_LOST') ||
    isOfAnotherType(error)
  )
}

function isOfAnotherType(error: unknown): boolean {
  if (error instanceof MultiUnlockError) return error.failures.some((member) => isOfAnotherType(member.error))
  return isRedissonError(error, 'WRONG_TYPE')
}
