export * from './pattern-topic/pattern-topic.object.js'
export * from './reliable-topic/reliable-topic.object.js'
export * from './sharded-topic/sharded-topic.object.js'
export * from './topic/topic.object.js'
