import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { Redisson, type RedissonClient } from '../../../src/index.js'
import {
  LARGE,
  testLostReplies,
  testOvertakenCalls,
  type CountingCall,
  type RepeatedCall,
} from '../../contracts/values/lost-replies.js'
import { allOf } from '../../support/all-of.js'
import { describeFaults, strike } from '../../support/faults.js'
import type { ServerNode, SingleTopology } from '../../support/launch/topology.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import { single } from '../../support/topologies.js'

const TIMEOUT_MS = 200

/** The set that values are moved to, and that others are stored in. */
const OTHER = 'lost-set-other'
const LIST = 'lost-set-list'

type State = readonly [set: readonly unknown[], other: readonly unknown[]]

const setOf = (client: RedissonClient, name: string, exactlyOnce = false) =>
  client.getSet<string | number>(name, { exactlyOnce })

const sorted = (values: readonly unknown[]) => values.map(String).toSorted()

const look = async (client: RedissonClient, name: string): Promise<State> => [
  sorted(await setOf(client, name).readAll()),
  sorted(await setOf(client, OTHER).readAll()),
]

/** Gives the set these values, and the other one those. */
const having =
  ([values, others]: State) =>
  async (client: RedissonClient, name: string) => {
    await client.getKeys().delete(name, OTHER, LIST)
    await setOf(client, name).addAll(values as string[])
    await setOf(client, OTHER).addAll(others as string[])
  }

const NONE: State = [[], []]
const A: State = [['a'], []]
const AB: State = [['a', 'b'], []]

type OneSet = ReturnType<typeof setOf>

function calling(
  what: string,
  call: (set: OneSet) => Promise<unknown>,
  answer: unknown,
  [before, after]: readonly [State, State],
): CountingCall {
  return {
    what,
    prepare: having(before),
    call: (client, name, exactlyOnce) => call(setOf(client, name, exactlyOnce)),
    answer,
    states: [before, after],
  }
}

const calls: readonly CountingCall[] = [
  calling('add', (set) => set.add('a'), true, [NONE, A]),
  calling('add of a value that is there', (set) => set.add('a'), false, [A, A]),
  calling('addAll', (set) => set.addAll(['a', 'b']), true, [A, AB]),
  calling('addAllCounted', (set) => set.addAllCounted(['a', 'b']), 1, [A, AB]),
  calling('tryAdd', (set) => set.tryAdd('a', 'b'), true, [NONE, AB]),
  calling('tryAdd of a value that is there', (set) => set.tryAdd('a', 'b'), false, [A, A]),
  calling('remove', (set) => set.remove('b'), true, [AB, A]),
  calling('removeAll', (set) => set.removeAll(['b', 'c']), true, [AB, A]),
  calling('removeAllCounted', (set) => set.removeAllCounted(['a', 'b', 'c']), 2, [AB, NONE]),
  calling('retainAll', (set) => set.retainAll(['a', 'c']), true, [AB, A]),
  calling('retainAll of none', (set) => set.retainAll([]), true, [AB, NONE]),
  calling('removeRandom', (set) => set.removeRandom(), 'a', [A, NONE]),
  calling('removeRandom of several', (set) => set.removeRandom(5), ['a'], [A, NONE]),
  calling('removeRandom of a large value', (set) => set.removeRandom(), LARGE, [[[LARGE], []], NONE]),
  calling('move', (set) => set.move(OTHER, 'b'), true, [AB, [['a'], ['b']]]),
  calling('union', (set) => set.union([OTHER]), 1, [
    [['a'], ['b']],
    [['b'], ['b']],
  ]),
  calling('diff', (set) => set.diff([set.name, OTHER]), 1, [
    [['a', 'b'], ['b']],
    [['a'], ['b']],
  ]),
  calling('intersection', (set) => set.intersection([set.name, OTHER]), 1, [
    [['a', 'b'], ['b']],
    [['b'], ['b']],
  ]),
  calling('sortTo', (set) => set.sortTo(LIST), 2, [
    [['1', '2'], []],
    [['1', '2'], []],
  ]),
]

// Numbers are sorted by their text in JSON, which is a number only without quotes.
const numbers = calls.map((call) =>
  call.what === 'sortTo' ? { ...call, prepare: having([[1, 2], []]) } : call,
)

testLostReplies('a set', numbers, look)

/** A call of a set that has one value, while another client does something. */
function overtaken(
  what: string,
  [call, between]: readonly [(set: OneSet) => Promise<unknown>, (set: OneSet) => Promise<unknown>],
  answer: unknown,
  rejects = false,
): RepeatedCall {
  return {
    what,
    prepare: having(A),
    call: (client, name, exactlyOnce) => call(setOf(client, name, exactlyOnce)),
    between: (client, name) => between(setOf(client, name)),
    answer,
    rejects,
  }
}

const repeated: readonly RepeatedCall[] = [
  overtaken('add', [(set) => set.add('new'), (set) => set.add('c')], true, true),
  overtaken('add, of what is removed', [(set) => set.add('new'), (set) => set.remove('new')], true),
  overtaken('addAll', [(set) => set.addAll(['b', 'c']), (set) => set.add('d')], true, true),
  overtaken('addAllCounted', [(set) => set.addAllCounted(['b', 'c']), (set) => set.remove('b')], 2, true),
  overtaken('tryAdd', [(set) => set.tryAdd('b', 'c'), (set) => set.remove('b')], true, true),
  overtaken(
    'tryAdd, of what others take',
    [(set) => set.tryAdd('b', 'c'), (set) => set.removeAll(['b', 'c'])],
    true,
    true,
  ),
  overtaken('remove', [(set) => set.remove('a'), (set) => set.add('a')], true),
  overtaken('removeAll', [(set) => set.removeAll(['a', 'b']), (set) => set.add('c')], true, true),
  overtaken('removeAllCounted', [(set) => set.removeAllCounted(['a', 'b']), (set) => set.add('a')], 1, true),
  overtaken('retainAll', [(set) => set.retainAll(['b']), (set) => set.add('b')], true, true),
  overtaken('removeRandom', [(set) => set.removeRandom(), (set) => set.add('b')], 'a', true),
  overtaken('move', [(set) => set.move(OTHER, 'a'), (set) => set.add('c')], true, true),
]

testOvertakenCalls('a set', repeated, look)

describe('a walk that several make, whose replies are lost', () => {
  const PAGE = 100
  const all = Array.from({ length: 1_000 }, (_, n) => n)
  let door: Proxied<SingleTopology<ServerNode>>
  let client: RedissonClient
  let straight: RedissonClient
  let names = 0

  beforeAll(async () => {
    door = await proxied(single)
    const settings = { timeout: TIMEOUT_MS, retryDelay: 20, reconnectionDelay: 10, retryAttempts: 20 }
    client = await Redisson.create(door.options(settings))
    straight = await Redisson.create(single.options())
  })

  afterEach(() => Promise.all(door.proxies.map((proxy) => proxy.heal())))

  afterAll(async () => {
    const left = (await single.nodes[0].command('KEYS', 'redisson__once:*')) as string[]
    await straight.getKeys().delete(OTHER, LIST, ...left)
    await Promise.all([client.shutdown(), straight.shutdown()])
    await door.stop()
  })

  describeFaults('where a page %s', TIMEOUT_MS, (...fault) => {
    it.each([0, 1, 4])('comes to each value once: page %i', async (page) => {
      const name = `lost-walk-${String(names++)}`
      await straight.getSet(name).addAll(all)
      const iteratorName = `${name}:iterator`
      const walked: unknown[] = []
      let struck: Promise<void> | undefined
      try {
        if (page === 0) ({ struck } = strike(door.proxies, iteratorName, fault))
        for await (const value of client.getSet(name).distributedIterator({ iteratorName, count: PAGE })) {
          walked.push(value)
          if (struck === undefined && walked.length > page * PAGE)
            ({ struck } = strike(door.proxies, iteratorName, fault))
        }
        expect(struck).toBeDefined()
        await struck
        expect(walked.toSorted((a, b) => Number(a) - Number(b))).toEqual(all)
        expect(await allOf(straight.getSet(name).distributedIterator({ iteratorName }))).toEqual([])
      } finally {
        await straight.getKeys().delete(name, iteratorName)
      }
    })

    it('comes to each value once, however large they are', async () => {
      const name = `lost-walk-${String(names++)}`
      const iteratorName = `${name}:iterator`
      const large = ['a', 'b', 'c'].map((each) => each + LARGE)
      await straight.getSet(name).addAll(large)
      const { struck } = strike(door.proxies, iteratorName, fault)
      const walked = await allOf(client.getSet(name).distributedIterator({ iteratorName }))
      await struck
      expect(sorted(walked)).toEqual(large)
      await straight.getKeys().delete(name, iteratorName)
    })
  })
})
