import type { RSortedSet } from '../../../src/index.js'
import { dumpable, expirable, iterable } from '../../contracts/samples.js'
import {
  anything,
  asked,
  dataObject,
  fromReplica,
  isObject,
  nothing,
  number,
  overloaded,
  quiet,
  truth,
  walk,
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
  methods: {
    ...expirable,
    ...quiet(dumpable),
    add: asked(truth, element),
    addAll: asked(truth, elements),
    ...fromReplica({
      contains: asked(truth, element),
      containsAll: asked(truth, elements),
      first: asked(anything),
      last: asked(anything),
      size: asked(number),
      isEmpty: asked(truth),
      readAll: asked(isObject),
      values: walk(options({ count, signal })),
      ...iterable,
    }),
    remove: asked(truth, element),
    removeAll: asked(truth, elements),
    retainAll: asked(truth, elements),
    pollFirst: overloaded(anything, [orOptions(howMany), polling], [polling]),
    pollLast: overloaded(anything, [orOptions(howMany), polling], [polling]),
    clear: asked(nothing),
    distributedIterator: walk(options({ count, signal, iteratorName })),
  },
})
