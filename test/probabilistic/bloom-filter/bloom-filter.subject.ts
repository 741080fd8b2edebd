import type { RBloomFilter } from '../../../src/index.js'
import { dumpable, expirable } from '../../contracts/samples.js'
import {
  method,
  dataObject,
  fromReplica,
  number,
  quiet,
  real,
  truth,
  type Subject,
} from '../../contracts/subject.js'
import { one, value, valueList, whole } from '../../contracts/takes.js'

export const bloomFilter = dataObject<RBloomFilter<unknown>>({
  make: (client, name) => client.getBloomFilter(name),
  readsAtMaster: true,
  fill: async (made) => {
    await made.tryInit(10, 0.1)
    await made.add('a')
  },
  use: async (made) => [await made.addAll(['a', 'b']), await made.contains('c'), await made.count()],
  methods: {
    ...expirable,
    ...quiet(dumpable),
    tryInit: method(truth, whole(0, 20), one(0.1, 0.5, 1)),
    add: method(truth, value),
    addAll: method(number, valueList),
    ...fromReplica({
      contains: method(truth, value),
      containsEach: method(Array.isArray, valueList),
      exists: method(Array.isArray, valueList),
      countContained: method(number, valueList),
      count: method(number),
      getExpectedInsertions: method(number),
      getFalseProbability: method(real),
      getSize: method(number),
      getHashIterations: method(number),
    }),
  },
})

/** One that has no bits yet. */
export const emptyBloomFilter: Subject<RBloomFilter<unknown>> = {
  ...bloomFilter,
  fill: (made) => made.tryInit(10, 0.1),
}
