import type { RedissonClient } from '../../../src/index.js'
import {
  LARGE,
  testLostReplies,
  testOvertakenCalls,
  type CountingCall,
  type RepeatedCall,
} from '../../contracts/values/lost-replies.js'

type State = readonly (readonly [string, unknown])[]

const mapOf = (client: RedissonClient, name: string, exactlyOnce = false) =>
  client.getMap(name, { exactlyOnce })
const one = (client: RedissonClient, name: string) => mapOf(client, name).put('k', 1)

const NONE: State = []
const ONE: State = [['k', 1]]
const TWO: State = [['k', 2]]
const LARGE_ONE: State = [['k', LARGE]]

/** A call of a map that is empty before, or has one entry. */
function calling(
  what: string,
  call: (map: ReturnType<typeof mapOf>) => Promise<unknown>,
  answer: unknown,
  [before, after]: readonly [State, State],
): CountingCall {
  return {
    what,
    prepare: (client, name) => mapOf(client, name).putAll(before),
    call: (client, name, exactlyOnce) => call(mapOf(client, name, exactlyOnce)),
    answer,
    states: [new Map(before), new Map(after)],
  }
}

const calls: readonly CountingCall[] = [
  calling('put', (map) => map.put('k', 2), 1, [ONE, TWO]),
  calling('put of a new key', (map) => map.put('k', 1), undefined, [NONE, ONE]),
  calling('fastPut of a new key', (map) => map.fastPut('k', 1), true, [NONE, ONE]),
  calling('putAll', (map) => map.putAll({ k: 2 }), undefined, [ONE, TWO]),
  calling('putIfAbsent', (map) => map.putIfAbsent('k', 1), undefined, [NONE, ONE]),
  calling('fastPutIfAbsent', (map) => map.fastPutIfAbsent('k', 1), true, [NONE, ONE]),
  calling('putIfExists', (map) => map.putIfExists('k', 2), 1, [ONE, TWO]),
  calling('fastPutIfExists', (map) => map.fastPutIfExists('k', 2), true, [ONE, TWO]),
  calling('replace', (map) => map.replace('k', 2), 1, [ONE, TWO]),
  calling('replace of an expected value', (map) => map.replace('k', 1, 2), true, [ONE, TWO]),
  calling('remove', (map) => map.remove('k'), 1, [ONE, NONE]),
  calling('remove of an expected value', (map) => map.remove('k', 1), true, [ONE, NONE]),
  calling('put over a large value', (map) => map.put('k', 2), LARGE, [LARGE_ONE, TWO]),
  calling('remove of a large value', (map) => map.remove('k'), LARGE, [LARGE_ONE, NONE]),
  calling('fastRemove', (map) => map.fastRemove('k', 'none'), 1, [ONE, NONE]),
  calling('addAndGet', (map) => map.addAndGet('k', 1), 2, [ONE, TWO]),
  calling('addAndGet of a new key', (map) => map.addAndGet('k', 1), 1, [NONE, ONE]),
]

testLostReplies('a map', calls, (client, name) => mapOf(client, name).readAllMap())

/** A call of a map that has one entry, while another client does something. */
function overtaken(
  what: string,
  call: (map: ReturnType<typeof mapOf>) => Promise<unknown>,
  between: (map: ReturnType<typeof mapOf>) => Promise<unknown>,
  answer: unknown,
  rejects = false,
): RepeatedCall {
  return {
    what,
    prepare: one,
    call: (client, name, exactlyOnce) => call(mapOf(client, name, exactlyOnce)),
    between: (client, name) => between(mapOf(client, name)),
    answer,
    rejects,
  }
}

const repeated: readonly RepeatedCall[] = [
  overtaken(
    'fastPut',
    (map) => map.fastPut('new', 2),
    (map) => map.put('new', 3),
    true,
    true,
  ),
  overtaken(
    'putAll',
    (map) => map.putAll({ k: 2 }),
    (map) => map.put('k', 3),
    undefined,
  ),
  overtaken(
    'fastPutIfAbsent',
    (map) => map.fastPutIfAbsent('new', 2),
    (map) => map.put('new', 3),
    true,
    true,
  ),
  overtaken(
    'fastPutIfAbsent, of what another removes',
    (map) => map.fastPutIfAbsent('new', 2),
    (map) => map.remove('new'),
    true,
    true,
  ),
  overtaken(
    'fastPutIfExists',
    (map) => map.fastPutIfExists('k', 2),
    (map) => map.remove('k'),
    true,
    true,
  ),
  overtaken(
    'fastRemove',
    (map) => map.fastRemove('k'),
    (map) => map.put('k', 3),
    1,
    true,
  ),
]

testOvertakenCalls('a map', repeated, (client, name) => mapOf(client, name).readAllMap())
