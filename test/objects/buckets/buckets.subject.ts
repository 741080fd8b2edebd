import type { RBuckets } from '../../../src/index.js'
import {
  method,
  fromReplica,
  isObject,
  nothing,
  overloaded,
  truth,
  type Subject,
} from '../../contracts/subject.js'
import { flag, many, one, options, time } from '../../contracts/takes.js'

const values = one({ bucket: 1 }, new Map([['bucket', 2]]), [['bucket', 2]])
const setForms = [
  [values, options({ expire: time })],
  [values, options({ keepTTL: flag })],
]

export const buckets: Subject<RBuckets<unknown>> = {
  make: (client) => client.getBuckets(),
  takesSignal: true,
  methods: {
    ...fromReplica({
      get: method(isObject, many(one('bucket', 'map'))),
    }),
    set: method(nothing, values),
    trySet: method(truth, values),
    setIfAllKeysAbsent: overloaded(truth, ...setForms),
    setIfAllKeysExist: overloaded(truth, ...setForms),
  },
  // The fuzzing may pass other records, of which each property is a bucket.
  free: (client) => client.getKeys().delete('bucket', 'waitMs', '__proto__', 'constructor'),
}
