export * from './stream/stream.object.js'
