import { isRedissonError, RedissonError } from './redisson-error.js'

/**
 * The operation takes more than one request, or waits, and so cannot be part of a batch; or the function of the batch has called an object that is not of
 * the batch, but of its client. Nothing was sent of the batch.
 */
export class NotInBatchError extends RedissonError {
  override readonly name = 'NotInBatchError'
  override readonly code = 'NOT_IN_BATCH'

  /** @param why - what to do instead, or why not */
  constructor(what: string, why?: string) {
    super(`${what} cannot be part of a batch${why === undefined ? '' : `, ${why}`}`)
  }
}

/** A call of a batch that has failed. */
export interface BatchFailure {
  /** Where it is among {@link BatchError.results}; undefined if the function of the batch did not return its promise. */
  readonly index: number | undefined
  /** The name of the object; undefined if it has none, or the promise was not made by the batch. */
  readonly object: string | undefined
  /** The method; undefined if the promise was not made by the batch. */
  readonly method: string | undefined
  /** What it rejected with. */
  readonly error: unknown
}

/** What is known of a batch that has failed. */
export interface BatchErrorFacts {
  /** How many calls were made. */
  readonly calls: number
  /** Those that have failed, in their order. */
  readonly failures: readonly BatchFailure[]
  /** What became of all that the function returned. */
  readonly results: readonly PromiseSettledResult<unknown>[]
}

/**
 * Calls of a batch have failed, or too few replicas have confirmed them.
 *
 * The cause is the error of the first call that failed, or a {@link NotReplicatedError}. What the other calls have changed stays.
 * {@link RedissonError.mayHaveRun} is false if nothing of the batch has run.
 */
export class BatchError extends RedissonError {
  override readonly name = 'BatchError'
  override readonly code = 'BATCH'
  readonly #facts: BatchErrorFacts

  constructor(facts: BatchErrorFacts, cause: unknown = facts.failures[0]?.error) {
    super(problemOf(facts), {
      cause,
      mayHaveRun:
        failedCalls(facts).length < facts.calls ||
        facts.failures.some(({ error }) => isRedissonError(error) && error.mayHaveRun),
    })
    this.#facts = facts
  }

  /** The calls that have failed, in their order. It is not printed; the cause is. */
  get failures(): readonly BatchFailure[] {
    return this.#facts.failures
  }

  /**
   * What became of each promise that the function of the batch returned, in its order. It is not printed, as it has values of the
   * program.
   */
  get results(): readonly PromiseSettledResult<unknown>[] {
    return this.#facts.results
  }
}

/** Without what else the function of the batch returned. */
function failedCalls({ failures }: BatchErrorFacts): readonly BatchFailure[] {
  return failures.filter(({ method }) => method !== undefined)
}

function problemOf(facts: BatchErrorFacts): string {
  const { calls, failures } = facts
  if (failures.length === 0) return `Too few replicas have confirmed the ${calls} calls of the batch`
  const failed = failedCalls(facts)
  const [first] = failed
  if (first === undefined)
    return `A promise was rejected that the function of the batch returned, and no call`
  const of = first.object === undefined ? '' : ` of ${first.object.slice(0, 80)}`
  const what = `${failed.length} of ${calls} calls of the batch have failed, first ${first.method ?? ''}()${of}`
  return failed.length === calls ? what + commonReason(failed) : what
}

/** Why all calls have failed, if they have failed in one way, as where Redis cannot be reached. */
function commonReason([first, ...others]: readonly BatchFailure[]): string {
  const error = first?.error
  if (!isRedissonError(error)) return ''
  return others.every((other) => isRedissonError(other.error, error.code)) ? `: ${error.message}` : ''
}
