import { afterAll, beforeAll, describe, it } from 'vitest'
import { Redisson, type RedissonClient } from '../../src/index.js'
import { demandRefusals, type Call } from '../contracts/demand-refusals.js'
import { KEPT, subjects, type AnySubject } from '../contracts/subjects.js'
import { Monitor } from '../support/monitor.js'
import { noLeaks } from '../support/no-leaks.js'
import { single } from '../support/topologies.js'

/** The methods by name, each with all that it takes and one more, without those that take any number of arguments. */
function callsOf({ methods }: AnySubject): readonly Call[] {
  return Object.entries(methods).flatMap(
    ([
      method,
      {
        forms: [most = []],
      },
    ]) => {
      if (most.some(({ isRest }) => isRest)) return []
      const args = most.map(({ sound }) => sound)
      return [Symbol('surplus'), {}, null].map((surplus): Call => [method, [...args, surplus]])
    },
  )
}

describe('a surplus argument', () => {
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
    'of any method is refused, and nothing is sent: %s',
    async (name, subject) => {
      await demandRefusals(name, callsOf(subject), {
        client,
        monitor,
        words: /^Expected no further argument, got /,
      })
    },
  )
})
