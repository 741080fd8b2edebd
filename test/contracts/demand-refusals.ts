import { inspect } from 'node:util'
import { expect } from 'vitest'
import type { Deed } from '../support/monitor.js'
import type { WatchedClient } from '../support/watched-client.js'
import { subjects, type AnySubject } from './subjects.js'
import { called } from './takes.js'

/** As a program without types calls. */
type Untyped = Readonly<Record<string, (...args: readonly unknown[]) => unknown>>

export type Call = readonly [method: string, args: readonly unknown[]]

/** Whether it removes what Redis remembers of requests for up to a second, as a client does behind them. */
export const isCleanUp = ({ words: [command, ...keys] }: Deed) =>
  command === 'unlink' && keys.every((key) => /^redisson_(unlock_latch|_once):/.test(key))

/** Demands that each of the calls is refused in these words, that nothing is sent, and no function called. */
export async function demandRefusals(
  name: string,
  calls: readonly Call[],
  { client, monitor }: WatchedClient,
  words: RegExp,
): Promise<void> {
  const { make, free, worksByItself = false } = subjects[name] as AnySubject
  const object = (await make(client, name)) as Untyped
  try {
    const { length } = await monitor.deeds()
    const accepted: string[] = []
    for (const [method, args] of calls) {
      const call = async () => await object[method]?.(...args)
      const outcome: unknown = await call().catch((reason: unknown) => reason)
      const isRefused =
        outcome instanceof Error &&
        [TypeError, RangeError].some((kind) => outcome.constructor === kind) &&
        words.test(outcome.message)
      if (!isRefused)
        accepted.push(`${method}(${args.map((each) => inspect(each)).join(', ')}): ${String(outcome)}`)
    }
    expect(accepted).toEqual([])
    const sent = (await monitor.deeds()).slice(length).filter((deed) => !isCleanUp(deed))
    expect(worksByItself ? [] : sent).toEqual([])
    expect(called).not.toHaveBeenCalled()
  } finally {
    await free?.(client, name)
  }
}
