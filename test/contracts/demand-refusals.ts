import { inspect } from 'node:util'
import { expect } from 'vitest'
import type { RedissonClient } from '../../src/index.js'
import type { Deed, Monitor } from '../support/monitor.js'
import { subjects, type AnySubject } from './subjects.js'
import { called } from './takes.js'

/** As a program without types calls. */
type Untyped = Readonly<Record<string, (...args: readonly unknown[]) => unknown>>

export type Call = readonly [method: string, args: readonly unknown[]]

interface Refusals {
  readonly client: RedissonClient
  readonly monitor: Monitor
  readonly words: RegExp
}

/** Whether it removes what Redis remembers of requests for up to a second, as a client does behind them. */
const isCleanUp = ({ words: [command, ...keys] }: Deed) =>
  command === 'unlink' && keys.every((key) => /^redisson_(unlock_latch|_once):/.test(key))

/** Demands that each of the calls is refused in these words, that nothing is sent, and no function called. */
export async function demandRefusals(
  name: string,
  calls: readonly Call[],
  { client, monitor, words }: Refusals,
): Promise<void> {
  const { make, free } = subjects[name] as AnySubject
  const object = (await make(client, name)) as Untyped
  try {
    const { length } = await monitor.deeds()
    const heeded: string[] = []
    for (const [method, args] of calls) {
      const call = async () => await object[method]?.(...args)
      const outcome: unknown = await call().catch((reason: unknown) => reason)
      const isRefused =
        outcome instanceof Error &&
        [TypeError, RangeError].some((kind) => outcome.constructor === kind) &&
        words.test(outcome.message)
      if (!isRefused)
        heeded.push(`${method}(${args.map((each) => inspect(each)).join(', ')}): ${String(outcome)}`)
    }
    expect(heeded).toEqual([])
    expect((await monitor.deeds()).slice(length).filter((deed) => !isCleanUp(deed))).toEqual([])
    expect(called).not.toHaveBeenCalled()
  } finally {
    await free?.(client, name)
  }
}
