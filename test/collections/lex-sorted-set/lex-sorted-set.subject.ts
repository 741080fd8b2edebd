import type { RLexSortedSet } from '../../../src/index.js'
import { expirable, iterable } from '../../contracts/samples.js'
import {
  anything,
  asked,
  dataObject,
  fromReplica,
  isObject,
  nothing,
  number,
  orUndefined,
  overloaded,
  truth,
  walk,
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
  methods: {
    ...expirable,
    add: asked(truth, member),
    addAll: asked(truth, texts),
    ...fromReplica({
      contains: asked(truth, member),
      containsAll: asked(truth, texts),
      first: asked(anything),
      last: asked(anything),
      rank: asked(orUndefined(number), member),
      revRank: asked(orUndefined(number), member),
      random: asked(anything, howMany),
      range: overloaded(isObject, [orOptions(index), index], [rangePage]),
      rangeTail: asked(isObject, tailPage),
      rangeHead: asked(isObject, headPage),
      rangeReversed: asked(isObject, rangePage),
      rangeTailReversed: asked(isObject, tailPage),
      rangeHeadReversed: asked(isObject, headPage),
      count: asked(number, range),
      countTail: asked(number, tail),
      countHead: asked(number, head),
      size: asked(number),
      isEmpty: asked(truth),
      readAll: asked(isObject),
      values: walk(
        options(
          { ...both, count: takes.count, onInvalid: takes.onInvalid, signal: takes.signal },
          { ...from, ...to },
        ),
      ),
      ...iterable,
    }),
    remove: asked(truth, member),
    removeAll: asked(truth, texts),
    retainAll: asked(truth, texts),
    removeRange: asked(number, range),
    removeRangeTail: asked(number, tail),
    removeRangeHead: asked(number, head),
    pollFirst: overloaded(anything, [orOptions(howMany), polling], [polling]),
    pollLast: overloaded(anything, [orOptions(howMany), polling], [polling]),
    clear: asked(nothing),
    distributedIterator: walk(takes.distributedScan),
  },
})
