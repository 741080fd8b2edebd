import { afterAll, beforeAll, describe, it } from 'vitest'
import { Redisson, type RedissonClient } from '../../src/index.js'
import { demandRefusals, type Call } from '../contracts/demand-refusals.js'
import { KEPT, subjects, type AnySubject } from '../contracts/subjects.js'
import { Monitor } from '../support/monitor.js'
import { noLeaks } from '../support/no-leaks.js'
import { single } from '../support/topologies.js'

const GOT_NULL = /^Expected .*(, got null|, got [{[].*null)/

/** The methods, each with one argument or one option after the other that is null. */
function callsOf({ methods }: AnySubject): readonly Call[] {
  return Object.entries(methods).flatMap(([method, { forms }]) =>
    forms.flatMap((takes) =>
      takes.flatMap(({ nulls }, at) =>
        nulls.map((each): Call => [method, takes.map(({ sound }) => sound).with(at, each)]),
      ),
    ),
  )
}

/** Known defects: null is taken for what is left out, or kept as a listener. */
const heeded: readonly (readonly [name: string, ...call: Call])[] = [
  ['lexSet', 'values', [{ fromInclusive: null }]],
  ['lexSet', 'values', [{ toInclusive: null }]],
  ['rateLimiter', 'setRate', ['OVERALL', 1, 1000, { keepState: null }]],
  ['rateLimiter', 'updateRate', ['OVERALL', 1, 1000, { keepState: null }]],
  ['subscription', 'on', [null, () => undefined]],
  ['subscription', 'on', ['error', null]],
  ['subscription', 'off', [null, () => undefined]],
  ['subscription', 'off', ['error', null]],
]

describe('null', () => {
  noLeaks(single, { except: KEPT })

  let client: RedissonClient
  let monitor: Monitor
  beforeAll(async () => {
    client = await Redisson.create(single.options())
    monitor = await Monitor.of(single.nodes)
  })
  afterAll(async () => {
    await monitor[Symbol.asyncDispose]()
    await client.shutdown()
  })

  it.each(Object.entries(subjects))(
    'is not left out, but refused, and nothing is sent: %s',
    async (name, subject) => {
      await demandRefusals(name, callsOf(subject), { client, monitor, words: GOT_NULL })
    },
  )

  it.fails.each(heeded)('is refused, and nothing is sent: %s %s %j', async (name, ...call) => {
    await demandRefusals(name, [call], { client, monitor, words: GOT_NULL })
  })
})
