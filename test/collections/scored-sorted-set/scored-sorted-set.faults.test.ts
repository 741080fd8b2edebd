import type { RedissonClient } from '../../../src/index.js'
import {
  LARGE,
  testLostReplies,
  testOvertakenCalls,
  type CountingCall,
  type RepeatedCall,
} from '../../contracts/values/lost-replies.js'

type State = readonly (readonly [string, number])[]

const setOf = (client: RedissonClient, name: string, exactlyOnce = false) =>
  client.getScoredSortedSet<string>(name, { exactlyOnce })

const NONE: State = []
const ONE: State = [['k', 1]]
const TWO: State = [['k', 2]]
const LARGE_TWO: State = [
  [LARGE, 1],
  ['k', 2],
]
const MORE: State = [
  ['k', 1],
  ['l', 5],
  ['m', 7],
]

/** A call of a set that has some entries before, and others afterwards. */
function calling(
  what: string,
  call: (set: ReturnType<typeof setOf>, name: string) => Promise<unknown>,
  answer: unknown,
  [before, after]: readonly [State, State],
): CountingCall {
  return {
    what,
    prepare: async (client, name) => {
      await setOf(client, name).delete()
      await setOf(client, name).addAll(before)
    },
    call: (client, name, exactlyOnce) => call(setOf(client, name, exactlyOnce), name),
    answer,
    states: [before, after],
  }
}

/** More scores and values than Lua hands to a function. */
const MANY: State = Array.from({ length: 4_500 }, (_, n) => [`v${String(n)}`, n])

const NEW: State = [
  ['k', 1],
  ['n', 3],
]

const calls: readonly CountingCall[] = [
  calling('add', (set) => set.add(3, 'n'), true, [ONE, NEW]),
  calling('addIfAbsent', (set) => set.addIfAbsent(3, 'n'), true, [ONE, NEW]),
  calling('addIfExists', (set) => set.addIfExists(2, 'k'), true, [ONE, TWO]),
  calling('addIfGreater', (set) => set.addIfGreater(2, 'k'), true, [ONE, TWO]),
  calling('addIfLess', (set) => set.addIfLess(1, 'k'), true, [TWO, ONE]),
  calling('addAll', (set) => set.addAll({ n: 3 }), 1, [ONE, NEW]),
  calling('addAll of many', (set) => set.addAll(MANY), MANY.length, [NONE, MANY]),
  calling('addAllIfAbsent', (set) => set.addAllIfAbsent({ n: 3, k: 9 }), 1, [ONE, NEW]),
  calling('addAllIfExist', (set) => set.addAllIfExist({ n: 3, k: 2 }), 1, [ONE, TWO]),
  calling('addAllIfGreater', (set) => set.addAllIfGreater({ k: 2 }), 1, [ONE, TWO]),
  calling('addAllIfLess', (set) => set.addAllIfLess({ k: 1 }), 1, [TWO, ONE]),
  calling('addAndGetRank', (set) => set.addAndGetRank(3, 'n'), 1, [ONE, NEW]),
  calling('addAndGetRevRank', (set) => set.addAndGetRevRank(3, 'n'), 0, [ONE, NEW]),
  calling('addAllAndGetRevRank', (set) => set.addAllAndGetRevRank({ k: 1, n: 3 }), [1, 0], [ONE, NEW]),
  calling('addScore', (set) => set.addScore('k', 1), 2, [ONE, TWO]),
  calling('addScoreAndGetRank', (set) => set.addScoreAndGetRank('k', 1), 0, [ONE, TWO]),
  calling('addScoreAndGetRevRank', (set) => set.addScoreAndGetRevRank('k', 1), 0, [ONE, TWO]),
  calling('replace', (set) => set.replace('l', 'k'), true, [
    [
      ['l', 1],
      ['k', 2],
    ],
    ONE,
  ]),
  calling('remove', (set) => set.remove('k'), true, [ONE, NONE]),
  calling('removeAll', (set) => set.removeAll(['k', 'none']), true, [ONE, NONE]),
  calling('retainAll', (set) => set.retainAll(['k']), true, [MORE, ONE]),
  calling('removeRangeByRank', (set) => set.removeRangeByRank(1, 2), 2, [MORE, ONE]),
  calling('removeRangeByScore', (set) => set.removeRangeByScore({ min: 2 }), 2, [MORE, ONE]),
  calling('pollFirst', (set) => set.pollFirst(), 'k', [ONE, NONE]),
  calling('pollFirst of many', (set) => set.pollFirst(2), ['k', 'l'], [MORE, MORE.slice(2)]),
  calling('pollFirstEntry', (set) => set.pollFirstEntry(), ['k', 1], [ONE, NONE]),
  calling('pollFirstEntries', (set) => set.pollFirstEntries(3), MORE, [MORE, NONE]),
  calling('pollLast', (set) => set.pollLast(), 'k', [ONE, NONE]),
  calling('pollLast of many', (set) => set.pollLast(2), ['l', 'm'], [MORE, ONE]),
  calling('pollLastEntry', (set) => set.pollLastEntry(), ['k', 1], [ONE, NONE]),
  calling('pollLastEntries', (set) => set.pollLastEntries(3), MORE, [MORE, NONE]),
  calling('pollFirstFromAny', (set, name) => set.pollFirstFromAny([name]), 'k', [ONE, NONE]),
  calling(
    'pollFirstFromAny of many',
    (set, name) => set.pollFirstFromAny([name], 2),
    ['k', 'l'],
    [MORE, MORE.slice(2)],
  ),
  calling(
    'pollFirstEntriesFromAny that would wait',
    (set, name) =>
      set.pollFirstEntriesFromAny([name], 1, { waitMs: 60_000 }).then((all) => [...all.values()]),
    [ONE],
    [ONE, NONE],
  ),
  calling('pollLastFromAny', (set, name) => set.pollLastFromAny([name]), 'k', [ONE, NONE]),
  calling(
    'pollLastEntriesFromAny',
    (set, name) => set.pollLastEntriesFromAny([name], 2).then((all) => [...all.values()]),
    [MORE.slice(1)],
    [MORE, ONE],
  ),
  calling('pollFirst that would wait', (set) => set.pollFirst({ waitMs: 60_000 }), 'k', [ONE, NONE]),
  calling('takeFirst', (set) => set.takeFirst(), 'k', [ONE, NONE]),
  calling('takeLast', (set) => set.takeLast(), 'k', [ONE, NONE]),
  calling('pollLast of large values', (set) => set.pollLast(2), [LARGE, 'k'], [LARGE_TWO, NONE]),
  calling('takeFirst of a large value', (set) => set.takeFirst(), LARGE, [LARGE_TWO, TWO]),
  calling('rangeTo', (set, name) => set.rangeTo(name, 0, 0), 1, [MORE, ONE]),
  calling('revRangeTo', (set, name) => set.revRangeTo(name, 2, 2), 1, [MORE, ONE]),
  calling('union', (set, name) => set.union([name, name]), 1, [ONE, TWO]),
  calling('intersection', (set, name) => set.intersection(new Map([[name, 2]])), 1, [ONE, TWO]),
  calling('diff', (set, name) => set.diff([name, name]), 0, [ONE, NONE]),
  calling('clear', (set) => set.clear(), undefined, [ONE, NONE]),
]

const look = (client: RedissonClient, name: string) => setOf(client, name).readAllEntries()

testLostReplies('a scored sorted set', calls, look)

/** A call of a set that has one entry, while another client does something. */
function overtaken(
  what: string,
  call: (set: ReturnType<typeof setOf>) => Promise<unknown>,
  between: (set: ReturnType<typeof setOf>) => Promise<unknown>,
  answer: unknown,
  rejects = false,
): RepeatedCall {
  return {
    what,
    prepare: (client, name) => setOf(client, name).add(1, 'k'),
    call: (client, name, exactlyOnce) => call(setOf(client, name, exactlyOnce)),
    between: (client, name) => between(setOf(client, name)),
    answer,
    rejects,
  }
}

const repeated: readonly RepeatedCall[] = [
  overtaken(
    'add',
    (set) => set.add(2, 'new'),
    (set) => set.add(3, 'new'),
    true,
    true,
  ),
  overtaken(
    'addIfAbsent',
    (set) => set.addIfAbsent(2, 'new'),
    (set) => set.add(3, 'new'),
    true,
    true,
  ),
  overtaken(
    'addIfExists',
    (set) => set.addIfExists(2, 'k'),
    (set) => set.remove('k'),
    true,
    true,
  ),
  overtaken(
    'addAll',
    (set) => set.addAll({ new: 2 }),
    (set) => set.add(3, 'new'),
    1,
    true,
  ),
  overtaken(
    'addAndGetRank',
    (set) => set.addAndGetRank(2, 'new'),
    (set) => set.add(-3, 'other'),
    1,
  ),
  overtaken(
    'remove',
    (set) => set.remove('k'),
    (set) => set.add(3, 'other'),
    true,
    true,
  ),
  overtaken(
    'pollFirst',
    (set) => set.pollFirst(),
    (set) => set.add(3, 'other'),
    'k',
    true,
  ),
  overtaken(
    'retainAll',
    (set) => set.retainAll(['none']),
    (set) => set.add(3, 'none'),
    true,
    true,
  ),
  overtaken(
    'removeRangeByScore',
    (set) => set.removeRangeByScore({ min: 1 }),
    (set) => set.add(-1, 'low'),
    1,
    true,
  ),
]

testOvertakenCalls('a scored sorted set', repeated, look)
