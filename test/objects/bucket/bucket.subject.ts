import type { RBucket } from '../../../src/index.js'
import { bucketMethods } from '../../contracts/samples.js'
import { dataObject } from '../../contracts/subject.js'
import { value } from '../../contracts/takes.js'

export const bucket = dataObject<RBucket<unknown>>({
  make: (client, name) => client.getBucket(name),
  fill: (made) => made.set('one'),
  methods: bucketMethods(value),
})
