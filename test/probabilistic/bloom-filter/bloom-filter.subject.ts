import type { RBloomFilter } from '../../../src/index.js'
import { dumpable, expirable } from '../../contracts/samples.js'
import { asked, dataObject, fromReplica, number, quiet, real, truth } from '../../contracts/subject.js'
import { one, value, valueList, whole } from '../../contracts/takes.js'

export const bloomFilter = dataObject<RBloomFilter<unknown>>({
  make: (client, name) => client.getBloomFilter(name),
  readsAtMaster: true,
  fill: (made) => made.tryInit(10, 0.1),
  methods: {
    ...expirable,
    ...quiet(dumpable),
    tryInit: asked(truth, whole(0, 20), one(0.1, 0.5, 1)),
    add: asked(truth, value),
    addAll: asked(number, valueList),
    ...fromReplica({
      contains: asked(truth, value),
      containsEach: asked(Array.isArray, valueList),
      exists: asked(Array.isArray, valueList),
      countContained: asked(number, valueList),
      count: asked(number),
      getExpectedInsertions: asked(number),
      getFalseProbability: asked(real),
      getSize: asked(number),
      getHashIterations: asked(number),
    }),
  },
})
