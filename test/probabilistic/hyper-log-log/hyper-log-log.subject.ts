import type { RHyperLogLog } from '../../../src/index.js'
import { expirable } from '../../contracts/samples.js'
import { method, dataObject, fromReplica, nothing, number, truth, times } from '../../contracts/subject.js'
import { list, one, value, valueList } from '../../contracts/takes.js'

const names = list(one('b'), ['hyperLogLog'], [])

export const hyperLogLog = dataObject<RHyperLogLog<unknown>>({
  make: (client, name) => client.getHyperLogLog(name),
  fill: (made) => made.addAll(['a', 'b']),
  use: async (made) => [await made.add('a'), await made.add('c'), await made.count()],
  events: {
    changed: times(3, async (made) => {
      await made.addAll(['a', 'b', 'c'])
      await made.add('a')
      await made.add('d')
      await made.mergeWith([made.name])
    }),
  },
  methods: {
    ...expirable,
    add: method(truth, value),
    addAll: method(truth, valueList),
    ...fromReplica({
      count: method(number),
      countWith: method(number, names),
    }),
    mergeWith: method(nothing, names),
  },
})
