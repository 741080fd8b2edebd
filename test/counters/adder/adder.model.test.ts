import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Redisson, type RedissonClient, type RLongAdder } from '../../../src/index.js'
import { reply } from '../../../src/counters/adder/adder.scripts.js'
import type { ServerNode, SingleTopology } from '../../support/launch/topology.js'
import { noLeaks } from '../../support/no-leaks.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import { single } from '../../support/topologies.js'

const CLIENTS = 3
const OBJECTS = 2

/** Enough attempts that none fails in the end. */
const SETTINGS = { timeout: 200, retryDelay: 5, reconnectionDelay: 5, retryAttempts: 10 }

/** What clients do with their objects, and what the network does to them. */
const move = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      what: fc.constant('add' as const),
      client: fc.nat(CLIENTS - 1),
      object: fc.nat(OBJECTS - 1),
      value: fc.integer({ min: -1_000, max: 1_000 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      what: fc.constantFrom('sum' as const, 'reset' as const, 'destroy' as const),
      client: fc.nat(CLIENTS - 1),
      object: fc.nat(OBJECTS - 1),
    }),
  },
  { weight: 1, arbitrary: fc.record({ what: fc.constantFrom('cut' as const, 'loseReply' as const) }) },
)

type Move = typeof move extends fc.Arbitrary<infer M> ? M : never

/** An object, and what it should have added. */
interface Added {
  readonly adder: RLongAdder
  sum: number
}

describe('sums of several clients that lose connections', () => {
  let door: Proxied<SingleTopology<ServerNode>>
  let clients: readonly RedissonClient[]
  let runs = 0

  noLeaks(single, { except: /:[0-9a-f]{32}:(counter|semaphore)$/ })

  beforeAll(async () => {
    door = await proxied(single)
    clients = await Promise.all(
      Array.from({ length: CLIENTS }, () => Redisson.create(door.options(SETTINGS))),
    )
  })

  afterAll(async () => {
    await Promise.all(clients.map((client) => client.shutdown()))
    await door.stop()
  })

  const newObject = (client: number): Added => {
    const adder = (clients[client] as RedissonClient).getLongAdder(`model-adder-${String(runs)}`)
    return { adder, sum: 0 }
  }

  const play = async (moves: readonly Move[]) => {
    runs += 1
    const objects = clients.map((_, client) => Array.from({ length: OBJECTS }, () => newObject(client)))
    const all = () => objects.flat()
    /** After a sum of its own, a client hears the requests of all others. */
    const listening = async () => {
      for (const [first] of objects) await first?.adder.sum()
    }
    for (const each of moves) {
      if (!('client' in each)) {
        for (const proxy of door.proxies)
          if (each.what === 'cut') proxy.cut()
          else proxy.loseReplyTo(reply.sha)
        continue
      }
      const ofClient = objects[each.client] as Added[]
      const object = ofClient[each.object] as Added
      if (each.what === 'add') {
        object.adder.add(each.value)
        object.sum += each.value
      } else if (each.what === 'destroy') {
        await object.adder.destroy()
        ofClient[each.object] = newObject(each.client)
      } else {
        await listening()
        if (each.what === 'reset') {
          await object.adder.reset()
          for (const one of all()) one.sum = 0
        }
        expect(await object.adder.sum()).toBe(all().reduce((sum, one) => sum + one.sum, 0))
      }
    }
    for (const { adder } of all()) await adder.destroy()
  }

  it('are those of all objects that are not destroyed', { timeout: 300_000 }, async () => {
    await fc.assert(fc.asyncProperty(fc.array(move, { minLength: 1, maxLength: 25 }), play), { numRuns: 40 })
  })
})
