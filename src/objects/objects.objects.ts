export * from './binary-stream/binary-stream.object.js'
export * from './bit-set/bit-set.object.js'
export * from './bucket/bucket.object.js'
export * from './buckets/buckets.object.js'
