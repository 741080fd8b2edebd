import type { RScoredSortedSet } from '../../../src/index.js'
import { expirable, iterable, sortable } from '../../contracts/samples.js'
import {
  anything,
  method,
  dataObject,
  fromReplica,
  isObject,
  nothing,
  number,
  orUndefined,
  overloaded,
  real,
  truth,
  iteration,
  times,
} from '../../contracts/subject.js'
import * as takes from '../../contracts/takes.js'
import {
  entries,
  flag,
  howMany,
  list,
  one,
  only,
  options,
  orOptions,
  polling,
  value,
  valueList,
  whole,
} from '../../contracts/takes.js'

const score = one(0, -1.5, 1e21, Infinity)
const bounds = { min: score, max: score, minInclusive: flag, maxInclusive: flag }
const range = options({ ...bounds, offset: whole(0, 3), count: whole(0, 3) })
const rank = whole(-3, 3)
const names = list(one('a'), ['a'], ['a', 'b'])
const weightedNames = list(one('a'), ['a'], ['a', 'b'], new Map([['a', 2]]))
const aggregate = options({ aggregate: one('SUM', 'MIN', 'MAX') })
const destination = only('renamed', '', 7, null, undefined)
const byRankOrScore = [[orOptions(rank), rank], [range]]

/** These values, each with a greater score than the one before. */
const scores = (...values: readonly string[]) => values.map((value, n) => [value, n + 1] as const)

export const scoredSet = dataObject<RScoredSortedSet<unknown>>({
  make: (client, name) => client.getScoredSortedSet(name),
  fill: (made) => made.addAll(scores('a', 'b', 'two')),
  use: async (made) => [await made.addScore('a', 3), await made.pollFirst(), await made.readAllEntries()],
  events: {
    added: times(3, async (made) => {
      await made.add(1, 'a')
      await made.addAll(scores('b', 'c'))
      await made.addIfAbsent(5, 'a')
      await made.addAndGetRank(3, 'd')
    }),
    incremented: times(1, async (made) => {
      await made.add(1, 'a')
      await made.addScore('a', 1)
    }),
    removed: times(5, async (made) => {
      await made.addAll(scores('a', 'b', 'c', 'd', 'e', 'f'))
      await made.remove('a')
      await made.pollFirst()
      await made.takeLast()
      await made.removeRangeByRank(0, 0)
      await made.removeRangeByScore({ max: 4 })
    }),
    stored: times(4, async (made) => {
      await made.addAll(scores('a', 'b'))
      await made.union([made.name])
      await made.intersection([made.name])
      await made.diff([made.name])
      await made.rangeTo(made.name, 0, -1)
    }),
  },
  methods: {
    ...expirable,
    ...sortable,
    ...iterable,
    add: method(truth, score, value),
    addIfAbsent: method(truth, score, value),
    addIfExists: method(truth, score, value),
    addIfGreater: method(truth, score, value),
    addIfLess: method(truth, score, value),
    addAll: method(number, entries),
    addAllIfAbsent: method(number, entries),
    addAllIfExist: method(number, entries),
    addAllIfGreater: method(number, entries),
    addAllIfLess: method(number, entries),
    addAndGetRank: method(number, score, value),
    addAndGetRevRank: method(number, score, value),
    addAllAndGetRevRank: method(isObject, entries),
    addScore: method(real, value, score),
    addScoreAndGetRank: method(number, value, score),
    addScoreAndGetRevRank: method(number, value, score),
    replace: method(truth, value, value),
    ...fromReplica({
      getScore: method(orUndefined(real), value),
      getScores: method(isObject, valueList),
      rank: method(orUndefined(number), value),
      revRank: method(orUndefined(number), value),
      revRanks: method(isObject, valueList),
      rankEntry: method(orUndefined(isObject), value),
      revRankEntry: method(orUndefined(isObject), value),
      contains: method(truth, value),
      containsAll: method(truth, valueList),
      first: method(anything),
      firstEntry: method(anything),
      firstScore: method(orUndefined(real)),
      last: method(anything),
      lastEntry: method(anything),
      lastScore: method(orUndefined(real)),
      random: method(anything, howMany),
      randomEntries: method(isObject, howMany),
      valueRange: overloaded(isObject, ...byRankOrScore),
      valueRangeReversed: overloaded(isObject, ...byRankOrScore),
      entryRange: overloaded(isObject, ...byRankOrScore),
      entryRangeReversed: overloaded(isObject, ...byRankOrScore),
      count: method(number, options(bounds)),
      size: method(number),
      isEmpty: method(truth),
      readUnion: method(isObject, weightedNames, aggregate),
      readUnionEntries: method(isObject, weightedNames, aggregate),
      readIntersection: method(isObject, weightedNames, aggregate),
      readIntersectionEntries: method(isObject, weightedNames, aggregate),
      countIntersection: method(number, names, options({ limit: whole(1, 3) })),
      readDiff: method(isObject, names),
      readDiffEntries: method(isObject, names),
      readAll: method(isObject),
      readAllEntries: method(isObject),
    }),
    remove: method(truth, value),
    removeAll: method(truth, valueList),
    retainAll: method(truth, valueList),
    removeRangeByRank: method(number, rank, rank),
    removeRangeByScore: method(number, options(bounds)),
    pollFirst: overloaded(anything, [orOptions(howMany), polling], [polling]),
    pollFirstEntry: method(anything, polling),
    pollFirstEntries: method(isObject, howMany, polling),
    pollLast: overloaded(anything, [orOptions(howMany), polling], [polling]),
    pollLastEntry: method(anything, polling),
    pollLastEntries: method(isObject, howMany, polling),
    pollFirstFromAny: overloaded(anything, [names, orOptions(howMany), polling], [names, polling]),
    pollFirstEntriesFromAny: method(isObject, names, howMany, polling),
    pollLastFromAny: overloaded(anything, [names, orOptions(howMany), polling], [names, polling]),
    pollLastEntriesFromAny: method(isObject, names, howMany, polling),
    takeFirst: method(anything, takes.aborting),
    takeLast: method(anything, takes.aborting),
    rangeTo: overloaded(number, [destination, orOptions(rank), rank], [destination, range]),
    revRangeTo: overloaded(number, [destination, orOptions(rank), rank], [destination, range]),
    clear: method(nothing),
    union: method(number, weightedNames, aggregate),
    intersection: method(number, weightedNames, aggregate),
    diff: method(number, names),
    values: iteration(takes.scan),
    entries: iteration(takes.scan),
    distributedIterator: iteration(takes.distributedScan),
  },
})
