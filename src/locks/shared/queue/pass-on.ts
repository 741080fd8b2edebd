import type { TimedResult } from '../../../command/operation/command-executor.js'
import type { TookOver } from '../engine/acquire-reply.js'
import type { AcquireRequest, SendClaim } from '../engine/lock-driver.js'

/**
 * Passes a lock from its holder to the first waiter of this process, if one is ready. Returns the result for
 * the holder too; undefined if no waiter was ready.
 *
 * @param offer - offers it to the first waiter, which sends its request before this returns
 * @param takeOver - sends the waiter's request in the place of the holder's release
 */
export function passOn(
  offer: (send: SendClaim) => void,
  takeOver: (claim: AcquireRequest, request: string) => Promise<TimedResult<TookOver>>,
): Promise<TookOver> | undefined {
  let answer: Promise<TimedResult<TookOver>> | undefined
  offer(async (claim, request) => {
    answer = takeOver(claim, request)
    const { result, sentAt } = await answer
    return { result: result.acquired, sentAt, replicas: 0 }
  })
  return answer?.then(({ result }) => result)
}
