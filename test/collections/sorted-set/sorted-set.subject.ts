import type { RSortedSet } from '../../../src/index.js'
import { dumpable, expirable, iterable } from '../../contracts/samples.js'
import {
  anything,
  method,
  dataObject,
  fromReplica,
  isObject,
  nothing,
  number,
  overloaded,
  quiet,
  truth,
  iteration,
  times,
} from '../../contracts/subject.js'
import {
  howMany,
  iteratorName,
  list,
  one,
  options,
  orOptions,
  polling,
  signal,
  whole,
} from '../../contracts/takes.js'

const element = one('a', '', 'two', '\ud83d')
const elements = list(element, ['a', 'b'], new Set(['a']), [])
const count = whole(1, 3)

export const sortedSet = dataObject<RSortedSet<string>>({
  make: (client, name) => client.getSortedSet(name),
  fill: (made) => made.addAll(['a', 'b', 'two']),
  use: async (made) => [await made.add('d'), await made.pollFirst(), await made.readAll()],
  events: {
    added: times(3, async (made) => {
      await made.add('c')
      await made.addAll(['a', 'd'])
      await made.add('a')
    }),
    removed: times(3, async (made) => {
      await made.addAll(['a', 'b', 'c', 'd', 'e'])
      await made.remove('a')
      await made.remove('a')
      await made.pollFirst()
      await made.pollLast(2)
    }),
  },
  methods: {
    ...expirable,
    ...quiet(dumpable),
    add: method(truth, element),
    addAll: method(truth, elements),
    ...fromReplica({
      contains: method(truth, element),
      containsAll: method(truth, elements),
      first: method(anything),
      last: method(anything),
      size: method(number),
      isEmpty: method(truth),
      readAll: method(isObject),
      values: iteration(options({ count, signal })),
      ...iterable,
    }),
    remove: method(truth, element),
    removeAll: method(truth, elements),
    retainAll: method(truth, elements),
    pollFirst: overloaded(anything, [orOptions(howMany), polling], [polling]),
    pollLast: overloaded(anything, [orOptions(howMany), polling], [polling]),
    clear: method(nothing),
    distributedIterator: iteration(options({ count, signal, iteratorName })),
  },
})
