import { afterAll } from 'vitest'
import type { RedissonClient } from '../../../src/index.js'
import { askOwner } from '../../support/ask-owner.js'
import {
  LARGE,
  testLostReplies,
  testOvertakenCalls,
  type CountingCall,
  type RepeatedCall,
} from '../../contracts/values/lost-replies.js'
import { single } from '../../support/topologies.js'

/** The set cache with which others are combined. */
const OTHER = 'lost-values-other'

/** The values, each with whether it ends. */
type State = Readonly<Record<string, boolean>>

const LIFE = { ttlMs: 600_000 }

/** From this score on, a value does not end. */
const NO_END = 9e16

const cacheOf = (client: RedissonClient, name: string, exactlyOnce = false) =>
  client.getSetCache<string>(name, { exactlyOnce })

async function look(_client: RedissonClient, name: string): Promise<State> {
  const found = (await askOwner(single, name, 'ZRANGE', 0, -1, 'WITHSCORES')) as string[]
  const state: Record<string, boolean> = {}
  for (let place = 0; place < found.length; place += 2)
    state[JSON.parse(found[place] as string) as string] = Number(found[place + 1]) < NO_END
  return state
}

const having = (state: State) => async (client: RedissonClient, name: string) => {
  await client.getKeys().delete(name)
  await cacheOf(client, OTHER).addAll(['b'])
  await cacheOf(client, name).addAll(Object.keys(state), {
    ttlMs: (value) => (state[value] === true ? LIFE.ttlMs : 0),
  })
}

const NONE: State = {}
const A: State = { a: false }
const AB: State = { a: false, b: false }
const A_ENDS: State = { a: true }

type OneCache = ReturnType<typeof cacheOf>

function calling(
  what: string,
  call: (cache: OneCache) => Promise<unknown>,
  answer: unknown,
  [before, after]: readonly [State, State],
): CountingCall {
  return {
    what,
    prepare: having(before),
    call: (client, name, exactlyOnce) => call(cacheOf(client, name, exactlyOnce)),
    answer,
    states: [before, after],
  }
}

const calls: readonly CountingCall[] = [
  calling('add', (cache) => cache.add('a'), true, [NONE, A]),
  calling('add of a value that is there', (cache) => cache.add('a', LIFE), false, [A, A_ENDS]),
  calling('add of a large value', (cache) => cache.add(LARGE), true, [NONE, { [LARGE]: false }]),
  calling('addAll', (cache) => cache.addAll(['a', 'b']), true, [A, AB]),
  calling('addAllCounted', (cache) => cache.addAllCounted(['a', 'b']), 1, [A, AB]),
  calling('tryAdd', (cache) => cache.tryAdd('a', 'b'), true, [NONE, AB]),
  calling('tryAddAll of a value that is there', (cache) => cache.tryAddAll(['a', 'b']), false, [A, A]),
  calling('addIfAbsent', (cache) => cache.addIfAbsent('a', LIFE), true, [NONE, A_ENDS]),
  calling('addIfExists', (cache) => cache.addIfExists('a', LIFE), true, [A, A_ENDS]),
  calling('addIfLess', (cache) => cache.addIfLess('a', LIFE), true, [A, A_ENDS]),
  calling('addIfGreater', (cache) => cache.addIfGreater('a'), true, [A_ENDS, A]),
  calling('addAllIfAbsent', (cache) => cache.addAllIfAbsent(['a', 'b']), 1, [A, AB]),
  calling('addAllIfExist', (cache) => cache.addAllIfExist(['a', 'b'], LIFE), 1, [A, A_ENDS]),
  calling('addAllIfLess', (cache) => cache.addAllIfLess(['a', 'b'], LIFE), 1, [A, A_ENDS]),
  calling('addAllIfGreater', (cache) => cache.addAllIfGreater(['a', 'b']), 1, [A_ENDS, A]),
  calling('remove', (cache) => cache.remove('b'), true, [AB, A]),
  calling('removeAll', (cache) => cache.removeAll(['b', 'c']), true, [AB, A]),
  calling('removeAllCounted', (cache) => cache.removeAllCounted(['a', 'b', 'c']), 2, [AB, NONE]),
  calling('retainAll', (cache) => cache.retainAll(['a', 'c']), true, [AB, A]),
  calling('union', (cache) => cache.union([cache.name, OTHER]), 2, [A, AB]),
  calling('diff', (cache) => cache.diff([cache.name, OTHER]), 1, [AB, A]),
  calling('diff that leaves out the cache itself', (cache) => cache.diff([OTHER, cache.name]), 1, [
    A,
    { b: false },
  ]),
  calling('intersection', (cache) => cache.intersection([cache.name, OTHER]), 1, [AB, { b: false }]),
]

testLostReplies('a set cache', calls, look)

/** A call of a cache that has one value without an end, while another client does something. */
function overtaken(
  what: string,
  [call, between]: readonly [(cache: OneCache) => Promise<unknown>, (cache: OneCache) => Promise<unknown>],
  answer: unknown,
  rejects = false,
): RepeatedCall {
  return {
    what,
    prepare: having(A),
    call: (client, name, exactlyOnce) => call(cacheOf(client, name, exactlyOnce)),
    between: (client, name) => between(cacheOf(client, name)),
    answer,
    rejects,
  }
}

const repeated: readonly RepeatedCall[] = [
  overtaken('add', [(cache) => cache.add('new'), (cache) => cache.add('c')], true, true),
  overtaken('add, of what is removed', [(cache) => cache.add('new'), (cache) => cache.remove('new')], true),
  overtaken('addAllCounted', [(cache) => cache.addAllCounted(['b']), (cache) => cache.remove('b')], 1, true),
  overtaken(
    'addIfAbsent, of what others take',
    [(cache) => cache.addIfAbsent('b'), (cache) => cache.remove('b')],
    true,
    true,
  ),
  overtaken(
    'tryAdd, of what others take',
    [(cache) => cache.tryAdd('b', 'c'), (cache) => cache.removeAll(['b', 'c'])],
    true,
    true,
  ),
  overtaken(
    'addIfExists, of what is removed',
    [(cache) => cache.addIfExists('a', LIFE), (cache) => cache.remove('a')],
    true,
    true,
  ),
  overtaken(
    'addIfLess, of what ends earlier by now',
    [(cache) => cache.addIfLess('a', LIFE), (cache) => cache.add('a', { ttlMs: 300_000 })],
    true,
    true,
  ),
  overtaken('remove', [(cache) => cache.remove('a'), (cache) => cache.add('a')], true),
  overtaken('retainAll', [(cache) => cache.retainAll(['b']), (cache) => cache.add('b')], true, true),
]

testOvertakenCalls('a set cache', repeated, look)

afterAll(() => single.nodes[0].command('DEL', OTHER))
