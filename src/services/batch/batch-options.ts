import type { BatchOptions } from './batch.api.js'
import type { BatchRunOptions } from '../../command/batch/batch-executor.js'
import { checkedSignal, flag, milliseconds, wholeNumber } from '../../core/arguments/arguments.js'
import { demandOptions, known } from '../../core/arguments/options.js'
import { inspectWord } from '../../util/inspect-short.js'

const BATCH = known<BatchOptions>({
  mode: true,
  skipResult: true,
  syncedReplicas: true,
  responseTimeoutMs: true,
  exactlyOnce: true,
  signal: true,
})

/** The longest one that timers of Node know. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1

/** What the options of a batch mean. */
export interface BatchSettings {
  readonly skipResult: boolean
  readonly run: BatchRunOptions
  readonly signal: AbortSignal | undefined
}

/** @throws TypeError or RangeError for options that are unknown or wrong */
export function batchSettings(options: BatchOptions): BatchSettings {
  demandOptions(options, BATCH)
  const { mode = 'pipeline', skipResult, syncedReplicas = 0, responseTimeoutMs, exactlyOnce } = options
  const signal = checkedSignal(options.signal)
  if (!['pipeline', 'atomic'].includes(mode))
    throw new RangeError(`Expected \`mode\` to be 'pipeline' or 'atomic', got ${inspectWord(mode)}`)
  return {
    skipResult: flag('skipResult', skipResult),
    run: {
      atomic: mode === 'atomic',
      replicas: wholeNumber('syncedReplicas', syncedReplicas, 0),
      timeoutMs: responseTimeoutMs === undefined ? undefined : timeout(responseTimeoutMs),
      exactlyOnce: flag('exactlyOnce', exactlyOnce),
      mayBeGivenUp: signal !== undefined,
    },
    signal,
  }
}

function timeout(responseTimeoutMs: number): number {
  if (milliseconds('responseTimeoutMs', responseTimeoutMs) > 0 && responseTimeoutMs <= LONGEST_TIMEOUT_MS)
    return responseTimeoutMs
  throw new RangeError(
    `Expected \`responseTimeoutMs\` to be more than 0 and at most ${LONGEST_TIMEOUT_MS}, got ${responseTimeoutMs}`,
  )
}
