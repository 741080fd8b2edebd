import type { BatchOptions } from './batch.api.js'
import { untilEnded } from '../../core/holds/ended-calls.js'
import type { BatchExecutor, BatchRunOptions } from '../../command/batch/batch-executor.js'
import { demandFunction } from '../../core/arguments/arguments.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import { BatchError, NotInBatchError } from '../../errors/batch-errors.js'
import { AbortError } from '../../errors/client-errors.js'
import { inspectShort } from '../../util/inspect-short.js'
import { demandAllowed, refusingCalls } from '../../util/refused-calls.js'
import { BatchCalls } from './batch-calls.js'
import { BatchContext } from './batch-context.js'
import { batchSettings } from './batch-options.js'

/** A batch in errors. */
const BATCH = 'a batch'

/** What a batch is made of. */
export interface BatchDeps {
  readonly context: ObjectContext
  /** Makes an executor that collects. */
  readonly collect: (options: BatchRunOptions) => BatchExecutor
  /** Hands out objects over a context. */
  readonly objectsOf: (context: ObjectContext, calls: Pick<BatchCalls, 'watched' | 'called'>) => object
}

/** Runs a function that makes calls, sends these together, and returns what it has returned the promises of. */
export async function runBatch(
  { context, collect, objectsOf }: BatchDeps,
  fn: (batch: never) => unknown,
  options: BatchOptions = {},
): Promise<unknown> {
  const { closing } = context
  demandAllowed(closing, 'batch()')
  demandFunction(fn)
  const { skipResult, run, signal } = batchSettings(options)
  demandNotAborted(signal)
  const executor = collect(run)
  const calls = new BatchCalls(() => executor.count)
  const batch = objectsOf(new BatchContext(context, executor, calls.called), calls)
  const returned = collected(executor, calls, () =>
    listOf(
      refusingCalls(closing, notOfBatch, () => fn(batch as never)),
      skipResult,
    ),
  )
  // From now on no rejection is unheard, also of promises that the program has made of those of the batch.
  const own = calls.areAll(returned) ? undefined : Promise.allSettled(returned)
  try {
    await calls.demandRequests()
    executor.demandOnePlace()
    demandNotAborted(signal)
  } catch (error) {
    abandon(executor, calls, error)
    throw error
  }
  const untilAborted = <R>(result: Promise<R>): Promise<R> =>
    untilEnded(result, { signal, request: BATCH, mayHaveRun: () => executor.giveUp() }).catch(
      (error: unknown) => {
        calls.hear()
        throw error
      },
    )
  const unconfirmed = await untilAborted(executor.execute())
  const results = await calls.results()
  const outcomes = own && (await untilAborted(own))
  const values = outcomes === undefined ? results : valuesOf(outcomes)
  if (results === undefined || values === undefined || unconfirmed !== undefined)
    throw await failureOf(calls, returned, { outcomes, unconfirmed })
  calls.letGo()
  return skipResult ? undefined : values
}

/** What `fn` returns. No call is added after that, and none stays open if it throws. */
function collected<R>(executor: BatchExecutor, calls: BatchCalls, fn: () => R): R {
  try {
    const returned = fn()
    executor.seal()
    calls.seal()
    return returned
  } catch (error) {
    abandon(executor, calls, error)
    throw error
  }
}

/** The refusal of a call that would go past the batch, at once and by itself. */
function notOfBatch(call: string): NotInBatchError {
  return new NotInBatchError(
    call,
    'because it was called on an object of the client: get the object from the batch, or call it after the batch',
  )
}

function demandNotAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw new AbortError(BATCH, { cause: signal.reason })
}

function abandon(executor: BatchExecutor, calls: BatchCalls, reason: unknown): void {
  calls.seal()
  calls.hear()
  executor.abandon(reason)
}

/** How a batch has failed. */
interface Failure {
  /** What became of what the function has returned; undefined if these are the promises of all calls. */
  readonly outcomes: readonly PromiseSettledResult<unknown>[] | undefined
  readonly unconfirmed: unknown
}

/** Uses the outcomes that are known: each further call of `then()` would run a query builder of the program again. */
async function failureOf(
  calls: BatchCalls,
  returned: readonly unknown[],
  { outcomes, unconfirmed }: Failure,
): Promise<BatchError> {
  const results = outcomes ?? (await Promise.allSettled(returned))
  const failures = await calls.failures(returned, results)
  return new BatchError({ calls: calls.count, failures, results }, failures[0]?.error ?? unconfirmed)
}

/** The values of promises; undefined if one was rejected. */
function valuesOf(results: readonly PromiseSettledResult<unknown>[]): readonly unknown[] | undefined {
  const values: unknown[] = []
  for (const result of results) {
    if (result.status === 'rejected') return undefined
    values.push(result.value)
  }
  return values
}

/** What the function returned, which must be there at once: nothing is sent before the function has returned. */
function listOf(returned: unknown, skipResult: boolean): readonly unknown[] {
  if (Array.isArray(returned)) return returned
  if (returned === undefined && skipResult) return []
  if (returned instanceof Promise) {
    returned.catch(() => undefined)
    throw new TypeError(
      'Expected `fn` to return a list of promises, got a promise: fn is not to be async, as nothing is sent before it returns',
    )
  }
  throw new TypeError(`Expected \`fn\` to return a list of promises, got ${inspectShort(returned)}`)
}
