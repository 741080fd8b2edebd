import { afterAll } from 'vitest'
import type { RedissonClient } from '../../../src/index.js'
import {
  LARGE,
  testLostReplies,
  testOvertakenCalls,
  type CountingCall,
  type RepeatedCall,
} from '../../contracts/values/lost-replies.js'
import { single } from '../../support/topologies.js'

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
  calling('diff that leaves out the set itself', (set) => set.diff([OTHER, set.name]), 1, [
    [['a'], ['a', 'b']],
    [['b'], ['a', 'b']],
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

afterAll(() => single.nodes[0].command('DEL', OTHER, LIST))
