import type { RLexSortedSet } from '../../../src/index.js'
import { expirable, iterable } from '../../contracts/samples.js'
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
  truth,
  iteration,
  times,
} from '../../contracts/subject.js'
import * as takes from '../../contracts/takes.js'
import {
  flag,
  howMany,
  list,
  nullable,
  one,
  options,
  orOptions,
  polling,
  whole,
} from '../../contracts/takes.js'

/** The bounds of a range, and what the codec refuses if it is null. */
const text = one('a', '', 'two', '\ud83d')
const member = nullable(text)
const texts = list(member, ['a', 'b'], new Set(['a']), [])
const page = { offset: whole(0, 3), count: whole(0, 3) }
const [from, to] = [{ from: text }, { to: text }]
const [fromInclusive, toInclusive] = [{ fromInclusive: flag }, { toInclusive: flag }]
const both = { ...fromInclusive, ...toInclusive }
const range = options(both, { ...from, ...to })
const tail = options(fromInclusive, from)
const head = options(toInclusive, to)
const rangePage = options({ ...both, ...page }, { ...from, ...to })
const tailPage = options({ ...fromInclusive, ...page }, from)
const headPage = options({ ...toInclusive, ...page }, to)
const index = whole(-3, 3)

export const lexSet = dataObject<RLexSortedSet>({
  make: (client, name) => client.getLexSortedSet(name),
  fill: (made) => made.addAll(['a', 'b', 'two']),
  use: async (made) => [await made.add('d'), await made.pollFirst(), await made.rangeTail({ from: 'b' })],
  events: {
    added: times(2, async (made) => {
      await made.add('a')
      await made.addAll(['b', 'c'])
      await made.add('a')
    }),
    removed: times(4, async (made) => {
      await made.addAll(['a', 'b', 'c', 'd', 'e'])
      await made.remove('a')
      await made.pollFirst()
      await made.pollLast()
      await made.removeRangeHead({ to: 'c' })
    }),
  },
  methods: {
    ...expirable,
    add: method(truth, member),
    addAll: method(truth, texts),
    ...fromReplica({
      contains: method(truth, member),
      containsAll: method(truth, texts),
      first: method(anything),
      last: method(anything),
      rank: method(orUndefined(number), member),
      revRank: method(orUndefined(number), member),
      random: method(anything, howMany),
      range: overloaded(isObject, [orOptions(index), index], [rangePage]),
      rangeTail: method(isObject, tailPage),
      rangeHead: method(isObject, headPage),
      rangeReversed: method(isObject, rangePage),
      rangeTailReversed: method(isObject, tailPage),
      rangeHeadReversed: method(isObject, headPage),
      count: method(number, range),
      countTail: method(number, tail),
      countHead: method(number, head),
      size: method(number),
      isEmpty: method(truth),
      readAll: method(isObject),
      values: iteration(
        options(
          { ...both, count: takes.count, onInvalid: takes.onInvalid, signal: takes.signal },
          { ...from, ...to },
        ),
      ),
      ...iterable,
    }),
    remove: method(truth, member),
    removeAll: method(truth, texts),
    retainAll: method(truth, texts),
    removeRange: method(number, range),
    removeRangeTail: method(number, tail),
    removeRangeHead: method(number, head),
    pollFirst: overloaded(anything, [orOptions(howMany), polling], [polling]),
    pollLast: overloaded(anything, [orOptions(howMany), polling], [polling]),
    clear: method(nothing),
    distributedIterator: iteration(takes.distributedScan),
  },
})
