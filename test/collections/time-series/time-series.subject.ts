import type { RTimeSeries } from '../../../src/index.js'
import { dumpable, expirable, iterable } from '../../contracts/samples.js'
import {
  anything,
  dataObject,
  fromReplica,
  isObject,
  iteration,
  method,
  nothing,
  number,
  orUndefined,
  overloaded,
  quiet,
  times,
  truth,
} from '../../contracts/subject.js'
import {
  howMany,
  leaseMs,
  list,
  listScan,
  one,
  options,
  orOptions,
  value,
  whole,
} from '../../contracts/takes.js'

const timestamp = one(1_000, 0, -1, new Date(2_000), new Date(NaN), 0.5, Infinity)
const bound = one(5_000, 0, -1, new Date(2_000), new Date(NaN), 0.5, Infinity, -Infinity)
const entry = options({ label: value }, { timestamp, value })
const entries = list(entry, [{ timestamp: 1_000, value: 'two' }], new Map([[1_000, 'two']]), [[3, 4]], [])
const range = [bound, bound, whole(1, 3)]

export const timeSeries = dataObject<RTimeSeries<unknown>>({
  make: (client, name) => client.getTimeSeries(name),
  fill: (made) => made.add(1_000, 'two', { label: 'a' }),
  use: async (made) => {
    await made.add(3_000, 'c')
    return [await made.pollFirst(), await made.range(0, 9_000)]
  },
  events: {
    added: times(2, async (made) => {
      await made.add(1, 'a')
      await made.addAll([
        [2, 'b'],
        [3, 'c'],
      ])
      await made.delete() // both of its keys
    }),
    removed: times(3, async (made) => {
      await made.addAll([1, 2, 3, 4, 5].map((time) => [time, 'x']))
      await made.remove(1)
      await made.remove(1)
      await made.pollFirst()
      await made.removeRange(3, 5)
    }),
  },
  methods: {
    ...expirable,
    ...quiet(dumpable),
    add: method(nothing, timestamp, value, options({ label: value, ttlMs: leaseMs })),
    addAll: method(nothing, entries, options({ ttlMs: leaseMs })),
    ...fromReplica({
      size: method(number),
      get: method(anything, timestamp),
      getEntry: method(orUndefined(isObject), timestamp),
      first: method(anything, orOptions(howMany)),
      firstEntry: method(orUndefined(isObject)),
      firstEntries: method(isObject, howMany),
      firstTimestamp: method(orUndefined(number)),
      last: method(anything, orOptions(howMany)),
      lastEntry: method(orUndefined(isObject)),
      lastEntries: method(isObject, howMany),
      lastTimestamp: method(orUndefined(number)),
      range: method(isObject, ...range),
      rangeReversed: method(isObject, ...range),
      entryRange: method(isObject, ...range),
      entryRangeReversed: method(isObject, ...range),
      values: iteration(listScan),
      entries: iteration(listScan),
      ...iterable,
    }),
    remove: method(truth, timestamp),
    getAndRemove: method(anything, timestamp),
    getAndRemoveEntry: method(orUndefined(isObject), timestamp),
    removeRange: method(number, bound, bound),
    pollFirst: overloaded(anything, [orOptions(howMany)], []),
    pollFirstEntry: method(orUndefined(isObject)),
    pollFirstEntries: method(isObject, howMany),
    pollLast: overloaded(anything, [orOptions(howMany)], []),
    pollLastEntry: method(orUndefined(isObject)),
    pollLastEntries: method(isObject, howMany),
  },
})
