import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { Redisson, type RedissonClient } from '../../src/index.js'
import { filled, KEPT, subjects, type AnySubject } from '../contracts/subjects.js'
import { noLeaks } from '../support/no-leaks.js'
import { single } from '../support/topologies.js'
import { anyCall, faultOf, shownCall, type Call } from './calls.js'
import { Planted } from './given.js'

/** Few enough for every day; `REDISSON_TEST_FUZZ_RUNS` asks for more. */
const RUNS = Number(process.env['REDISSON_TEST_FUZZ_RUNS'] ?? 100)
const CALLS_IN_A_RUN = 25

/** A call that waits for ever, as it may, ends with the client after this time. */
const PATIENCE_MS = 150

const SETTLED_WITHIN_MS = 5000

/** The ends of names; what they begin with tells the objects apart. */
const endings = fc.constantFrom(
  '',
  '{',
  '}',
  '{}',
  '{a}',
  '}{',
  ' ',
  '\r\n',
  '\u0000',
  '😀',
  '*',
  'x'.repeat(10_000),
)

describe('any argument of any method', () => {
  const [server] = single.nodes
  const unhandled: unknown[] = []
  const remember = (reason: unknown) => {
    if (!(reason instanceof Planted)) unhandled.push(reason) // what a listener throws has nowhere else to go
  }
  let tidier: RedissonClient

  noLeaks(single, { keys: 'any' }) // each run looks for its own

  beforeAll(async () => {
    tidier = await Redisson.create(single.options())
    vi.spyOn(process, 'emitWarning').mockReturnValue(undefined)
    process.on('unhandledRejection', remember).on('uncaughtException', remember)
  })

  afterAll(async () => {
    process.off('unhandledRejection', remember).off('uncaughtException', remember)
    vi.restoreAllMocks()
    await tidier.shutdown()
  })

  it(
    'is accepted or refused with a message, and in time, and does no damage',
    { timeout: 600_000, tags: ['random', 'timed'] },
    async () => {
      const calls = fc.array(anyCall, { minLength: 1, maxLength: CALLS_IN_A_RUN, size: 'max' })
      await fc.assert(
        fc.asyncProperty(endings, calls, async (ending, some) => {
          // What is asked for when the end has begun is a matter of its own.
          await demandOrder(ending, [
            ...some.filter((call) => !endsTheClient(call)),
            ...some.filter(endsTheClient),
          ])
        }),
        { numRuns: RUNS },
      )
    },
  )

  const demandOrder = async (ending: string, calls: readonly Call[]): Promise<void> => {
    await server.command('FLUSHALL') // what a failed run has left
    const client = await Redisson.create(single.options())
    const objects = await makeAll(client, ending, calls)
    const outcomes = calls.map(async (call) => {
      const fault = await faultOf(call, objects.get(call.subject) as object)
      return fault === undefined ? [] : [`${shownCall(call)} ${fault}`]
    })
    const all = Promise.all(outcomes)
    await Promise.race([all, sleep(PATIENCE_MS)])
    if (!calls.some(endsTheClient))
      expect(await client.getLock('works').withLock(() => 'still')).toBe('still')
    await client.shutdown()
    const late = new AbortController()
    const settled = await Promise.race([
      all,
      sleep(SETTLED_WITHIN_MS, ['something never settled'], { signal: late.signal }),
    ])
    late.abort()
    expect(settled.flat()).toEqual([])
    expect(unhandled.splice(0)).toEqual([])
    for (const subject of objects.keys()) await subjects[subject]?.free?.(tidier, nameOf(subject, ending))
    expect(await keysLeft()).toEqual([])
  }

  /** The keys that do not go by themselves, as leases do, and the cells of a rate. */
  const keysLeft = async (): Promise<string[]> => {
    const keys = (await server.command('KEYS', '*')) as string[]
    const times = await Promise.all(keys.map((key) => server.command('PTTL', key)))
    await server.command('FLUSHALL')
    return keys.filter((key, n) => times[n] === -1 && !KEPT.test(key))
  }
})

async function makeAll(
  client: RedissonClient,
  ending: string,
  calls: readonly Call[],
): Promise<Map<string, object>> {
  const names = new Set(calls.map(({ subject }) => subject))
  const made = await Promise.all(
    [...names].map(
      async (name) =>
        [name, await filled(subjects[name] as AnySubject, client, nameOf(name, ending))] as const,
    ),
  )
  return new Map(made)
}

function nameOf(subject: string, ending: string): string {
  return `${subject === 'fencingGuard' ? 'guarded' : subject}${ending}`
}

function endsTheClient({ subject, method }: Call): boolean {
  return subject === 'client' && (method === 'shutdown' || method === Symbol.asyncDispose)
}
