import type { RHyperLogLog } from '../../../src/index.js'
import { expirable } from '../../contracts/samples.js'
import { asked, dataObject, fromReplica, nothing, number, truth } from '../../contracts/subject.js'
import { list, one, value, valueList } from '../../contracts/takes.js'

const names = list(one('b'), ['hyperLogLog'], [])

export const hyperLogLog = dataObject<RHyperLogLog<unknown>>({
  make: (client, name) => client.getHyperLogLog(name),
  fill: (made) => made.addAll(['a', 'b']),
  methods: {
    ...expirable,
    add: asked(truth, value),
    addAll: asked(truth, valueList),
    ...fromReplica({
      count: asked(number),
      countWith: asked(number, names),
    }),
    mergeWith: asked(nothing, names),
  },
})
