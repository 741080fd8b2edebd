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
})
