import { tracingChannel } from 'node:diagnostics_channel'
import type { RequestTrace } from '../../api/diagnostics.js'
import { isRedissonError } from '../../errors/redisson-error.js'
import { withoutWords } from '../../errors/without-words.js'
import type { Transmission } from '../operation/transmission.js'
import type { Mutable } from '../../util/mutable.js'

const channel = tracingChannel<RequestTrace>('ioredisson:request')

/** Whether requests have subscribers. */
export function isTraced(): boolean {
  return channel.hasSubscribers
}

/**
 * Notifies the subscribers of the start and the end of a request.
 *
 * Node adds to the trace what its promise settles with. So that promise has no result, and its error is not that of the caller.
 */
export async function traced<R>(request: Transmission<unknown>, run: () => Promise<R>): Promise<R> {
  const { kind, name } = request
  const trace: Mutable<RequestTrace> = { kind, name, attempts: 0, waitedMs: 0, outcome: undefined }
  const end = (outcome: RequestTrace['outcome']): void => {
    const { attempts, elapsedMs } = request.facts
    Object.assign(trace, { attempts, waitedMs: elapsedMs, outcome })
  }
  const running = Promise.withResolvers<R>()
  const runAndEnd = async (): Promise<void> => {
    try {
      running.resolve(await run())
      end('answered')
    } catch (error) {
      running.reject(error)
      end(isRedissonError(error) && error.mayHaveRun ? 'unknown' : 'failed')
      throw withoutWords(error, name)
    }
  }
  await channel.tracePromise(runAndEnd, trace).catch(() => undefined)
  return await running.promise
}
