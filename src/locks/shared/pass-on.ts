import type { TimedResult } from '../../command/command-executor.js'
import type { TookOver } from './acquire-reply.js'
import type { AcquireRequest, SendClaim } from './lock-driver.js'

/**
 * Has the first waiter of this process take a lock over from its holder, if there is one that is ready. Returns what came of that for
 * the holder as well; undefined where no waiter was ready.
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
