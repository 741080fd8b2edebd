import type { RBucket } from '../../../src/index.js'
import { bucketMethods } from '../../contracts/samples.js'
import { deletable } from '../../contracts/subject.js'
import { value } from '../../contracts/takes.js'

export const bucket = deletable<RBucket<unknown>>({
  make: (client, name) => client.getBucket(name),
  fill: (made) => made.set('one'),
  methods: bucketMethods(value),
})
